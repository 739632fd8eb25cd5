package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.lower.fx.aten.Arg;
import dev.lockstep.lower.fx.aten.Operators;
import dev.lockstep.lower.fx.aten.Outcome;
import dev.lockstep.lower.fx.text.Expr;
import org.jspecify.annotations.Nullable;

/** Works out what expressions stand for. */
final class Evaluator {
  private static final String OPS = "torch.ops.";

  private final Names names;
  private final Operators operators;
  private final Inputs inputs;
  private final PythonCalls python;

  Evaluator(Names names, Operators operators, Inputs inputs) {
    this.names = names;
    this.operators = operators;
    this.inputs = inputs;
    this.python = new PythonCalls(operators);
  }

  /**
   * Returns what {@code expression} stands for.
   *
   * @param outcome what the text says of the result, should it be one of an unknown operator
   */
  Arg value(Expr expression, Outcome outcome) {
    if (expression instanceof Expr.Name name) {
      return name(name);
    }
    if (expression instanceof Expr.Whole whole) {
      return new Arg.Whole(whole.value());
    }
    if (expression instanceof Expr.Real real) {
      return new Arg.Real(real.value());
    }
    if (expression instanceof Expr.Text text) {
      return new Arg.Text(text.value());
    }
    if (expression instanceof Expr.Items items) {
      return items(items.elements());
    }
    if (expression instanceof Expr.Call call) {
      return call(call, outcome);
    }
    if (expression instanceof Expr.Index index) {
      return index(index);
    }
    if (expression instanceof Expr.Member member) {
      return member(member);
    }
    if (expression instanceof Expr.Slice slice) {
      return new Arg.Slice(part(slice.low()), part(slice.high()), part(slice.step()));
    }
    if (expression instanceof Expr.Binary binary) {
      return binary(binary);
    }
    Expr.Negative negative = (Expr.Negative) expression;
    return negated(negative);
  }

  private Arg part(@Nullable Expr expression) {
    return expression == null ? Arg.None.INSTANCE : value(expression);
  }

  private Arg value(Expr expression) {
    return value(expression, Outcomes.NOTHING);
  }

  private Arg items(ImmutableList<Expr> elements) {
    ImmutableList.Builder<Arg> out = ImmutableList.builder();
    for (Expr element : elements) {
      out.add(value(element));
    }
    return new Arg.Items(out.build());
  }

  private Arg name(Expr.Name name) {
    Arg known = names.find(name.word());
    if (known != null) {
      return known;
    }
    return switch (name.word()) {
      case "None" -> Arg.None.INSTANCE;
      case "True" -> new Arg.Flag(true);
      case "False" -> new Arg.Flag(false);
      case "...", "Ellipsis" -> new Arg.Word("...");
      default -> throw names.unknown(name.word(), name.location());
    };
  }

  private Arg member(Expr.Member member) {
    String path = member.path();
    if (path != null && path.startsWith("torch.")) {
      ElementType dtype = Declared.dtype(member.name());
      return dtype != null ? new Arg.Dtype(dtype) : new Arg.Word(path);
    }
    if (path != null && path.startsWith("self.")) {
      return inputs.attribute(path.substring("self.".length()), member.location());
    }
    if (value(member.base()) instanceof Arg.Tensor tensor) {
      Arg result = python.attribute(member.name(), tensor, bare(member.location()));
      if (result != null) {
        return result;
      }
    }
    throw unsupported("'" + (path == null ? member.name() : path) + "'", member.location());
  }

  private static DiagnosticException unsupported(String what, Location location) {
    return DiagnosticException.error("fx-unsupported", what + " is not read", location);
  }

  private Arg call(Expr.Call call, Outcome outcome) {
    String path = call.callee().path();
    if (path == null) {
      throw unsupported("the call", call.callee().location());
    }
    if (path.startsWith(OPS + "higher_order.")) {
      throw DiagnosticException.error(
          "fx-unsupported",
          path + " runs other graphs, which is not read",
          call.callee().location());
    }
    if (path.startsWith(OPS)) {
      return operator(path.substring(OPS.length()), call, outcome);
    }
    if (path.equals("device") || path.equals("torch.device")) {
      return new Arg.Word("device");
    }
    if (path.equals("slice")) {
      ImmutableList<Expr> parts = call.arguments();
      return new Arg.Slice(
          value(parts.get(0)),
          parts.size() > 1 ? value(parts.get(1)) : Arg.None.INSTANCE,
          parts.size() > 2 ? value(parts.get(2)) : Arg.None.INSTANCE);
    }
    if (path.equals("float") && call.arguments().size() == 1) {
      return new Arg.Real(Double.parseDouble(text(value(call.arguments().get(0)))));
    }
    String sizes = path.substring(path.lastIndexOf('.') + 1);
    if (Scalars.knows(sizes)
        && (path.startsWith("torch.sym_")
            || !path.contains(".")
            || path.startsWith("operator.")
            || path.startsWith("math."))) {
      Operators.Call evaluated = arguments(sizes, call);
      return Scalars.call(sizes, evaluated.arguments(), call.location());
    }
    Arg result = function(path, call);
    if (result == null) {
      throw unsupported("the call of '" + path + "'", call.callee().location());
    }
    return result;
  }

  private Arg operator(String target, Expr.Call call, Outcome outcome) {
    Operators.Call evaluated = arguments(target, call);
    if (target.indexOf('.') == target.lastIndexOf('.')) {
      // Without an overload: Python chooses by the arguments.
      Arg result = operators.resolve(target, evaluated);
      if (result != null) {
        return result;
      }
    }
    return operators.lower(evaluated, outcome);
  }

  /** Returns what a function of Python, or a method of a tensor, gives; null when it is unknown. */
  private @Nullable Arg function(String path, Expr.Call call) {
    String function = PythonCalls.function(path);
    if (function != null) {
      return python.call(function, arguments(function, call), true);
    }
    if (!(call.callee() instanceof Expr.Member method)
        || !(value(method.base()) instanceof Arg.Tensor self)) {
      return null;
    }
    Operators.Call written = arguments(method.name(), call);
    ImmutableList<Arg> all =
        ImmutableList.<Arg>builder().add(self).addAll(written.arguments()).build();
    return python.call(
        method.name(),
        new Operators.Call(method.name(), all, written.keywords(), call.location()),
        false);
  }

  private static String text(Arg arg) {
    String text = arg instanceof Arg.Text word ? word.value() : arg.describe();
    return switch (text) {
      case "inf" -> "Infinity";
      case "-inf" -> "-Infinity";
      case "nan" -> "NaN";
      default -> text;
    };
  }

  private Operators.Call arguments(String target, Expr.Call call) {
    ImmutableList.Builder<Arg> arguments = ImmutableList.builder();
    for (Expr argument : call.arguments()) {
      arguments.add(value(argument));
    }
    ImmutableMap.Builder<String, Arg> keywords = ImmutableMap.builder();
    for (Expr.Keyword keyword : call.keywords()) {
      keywords.put(keyword.name(), value(keyword.value()));
    }
    return new Operators.Call(
        target, arguments.build(), keywords.buildKeepingLast(), call.location());
  }

  private Arg index(Expr.Index index) {
    Arg base = value(index.base());
    Arg at = value(index.at());
    if (base instanceof Arg.Items items && at instanceof Arg.Whole whole) {
      long place = whole.value() < 0 ? whole.value() + items.elements().size() : whole.value();
      if (place < 0 || place >= items.elements().size()) {
        throw DiagnosticException.error(
            "fx-argument",
            "element " + whole.value() + " of " + items.elements().size() + " is taken",
            index.location());
      }
      return items.elements().get((int) place);
    }
    if (base instanceof Arg.Tensor tensor) {
      return python.index(tensor, at, bare(index.location()));
    }
    throw unsupported("an index into " + base.describe(), index.location());
  }

  private Arg binary(Expr.Binary binary) {
    Arg left = value(binary.left());
    Arg right = value(binary.right());
    if (left.isNumber() && right.isNumber()) {
      return Scalars.operator(binary.operator(), left, right, binary.location());
    }
    Arg result = python.operator(binary.operator(), left, right, bare(binary.location()));
    if (result != null) {
      return result;
    }
    throw unsupported(
        left.describe() + " " + binary.operator() + " " + right.describe(), binary.location());
  }

  private static Operators.Call bare(Location location) {
    return new Operators.Call("", ImmutableList.of(), ImmutableMap.of(), location);
  }

  private Arg negated(Expr.Negative negative) {
    Arg operand = value(negative.operand());
    if (operand.isNumber()) {
      return Scalars.operator("-", new Arg.Whole(0), operand, negative.location());
    }
    Arg result =
        python.call(
            "neg",
            new Operators.Call(
                "neg", ImmutableList.of(operand), ImmutableMap.of(), negative.location()),
            true);
    if (result != null) {
      return result;
    }
    throw unsupported("-" + operand.describe(), negative.location());
  }
}
