package dev.lockstep.hlo.verify;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations fit the functions and regions that they run, and plumbing keeps types. */
final class Signatures {
  private final Operation operation;
  private final Syntax syntax;
  private final DiagnosticSink sink;

  private Signatures(Operation operation, Syntax syntax, DiagnosticSink sink) {
    this.operation = operation;
    this.syntax = syntax;
    this.sink = sink;
  }

  static void check(Operation operation, Module module, DiagnosticSink sink) {
    Signatures signatures = new Signatures(operation, module.syntax(), sink);
    if (operation.is(BuiltinOps.FUNC)) {
      signatures.function();
      return;
    }
    // Called declarations have a signature but nothing to run.
    if (operation.is(BuiltinOps.CALL) && signatures.callsDeclaration(module)) {
      return;
    }
    // MLIR lets custom calls name computations that only their target knows.
    if (module.syntax() == Syntax.STABLEHLO
        && !(operation.def().semantics() instanceof Semantics.Control)) {
      return;
    }
    signatures.control(Bodies.of(operation, module));
  }

  private void function() {
    Function function = new Function(operation);
    Attribute type = operation.attribute(BuiltinOps.FUNCTION_TYPE);
    if (function.isDeclaration()
        || !(type instanceof Attribute.TypeOf)
        || !(((Attribute.TypeOf) type).type() instanceof FunctionType)
        || operation.regions().get(0).blocks().size() > 1) {
      return;
    }
    FunctionType declared = (FunctionType) ((Attribute.TypeOf) type).type();
    expect("parameters", types(function.parameters()), declared.inputs());
    Operation last = function.body().last();
    if (last != null && last.is(BuiltinOps.RETURN)) {
      expect("returned values", types(function.body().returned()), declared.results());
    }
  }

  private boolean callsDeclaration(Module module) {
    for (String callee : Bodies.callees(operation)) {
      Function found = module.function(callee).orElse(null);
      if (found == null || !found.isDeclaration()) {
        return false;
      }
    }
    return true;
  }

  private void control(ImmutableList<Block> bodies) {
    Semantics semantics = operation.def().semantics();
    if (!(semantics instanceof Semantics.Control)) {
      return;
    }
    ImmutableList<Type> operands = operation.operandTypes();
    ImmutableList<Type> results = operation.resultTypes();
    switch ((Semantics.Control) semantics) {
      case CALL -> {
        if (count("bodies", bodies.size(), 1) && operation.regions().isEmpty()) {
          body("the callee", bodies.get(0), operands, results);
        }
      }
      case WHILE -> {
        if (count("bodies", bodies.size(), 2)) {
          body("the condition", bodies.get(0), operands, null);
          predicate(bodies.get(0));
          body("the body", bodies.get(1), operands, results);
          expect("results", results, operands);
        }
      }
      case IF, CASE, CONDITIONAL -> branches(bodies, operands, results);
      case FORWARD -> {
        if (operands.size() < results.size()) {
          count("operands", operands.size(), results.size());
        } else {
          expect("results", results, operands.subList(0, results.size()));
        }
      }
      case TUPLE -> expect("results", results, ImmutableList.of(new TupleType(operands)));
      case GET_TUPLE_ELEMENT -> element();
      default -> {
        // The others have constraints of their own.
      }
    }
  }

  private void branches(
      ImmutableList<Block> bodies, ImmutableList<Type> operands, ImmutableList<Type> results) {
    if (operands.isEmpty()) {
      count("operands", 0, 1);
      return;
    }
    boolean passes = operands.size() > 1;
    if (passes && !count("operands", operands.size(), bodies.size() + 1)) {
      return;
    }
    for (int i = 0; i < bodies.size(); i++) {
      ImmutableList<Type> arguments =
          passes ? ImmutableList.of(operands.get(i + 1)) : ImmutableList.of();
      body("branch " + i, bodies.get(i), arguments, results);
    }
  }

  private void body(
      String what,
      Block block,
      ImmutableList<Type> arguments,
      @Nullable ImmutableList<Type> results) {
    expect("operands for " + what, arguments, types(Function.parametersOf(block)));
    if (results != null) {
      expect("results of " + what, types(block.returned()), results);
    }
  }

  private void predicate(Block condition) {
    ImmutableList<Type> got = types(condition.returned());
    if (got.size() != 1
        || !(got.get(0) instanceof TensorType)
        || ((TensorType) got.get(0)).element() != ElementType.I1
        || ((TensorType) got.get(0)).rank() != 0) {
      mismatch("what the condition gives", got, ImmutableList.of(TensorType.of(ElementType.I1)));
    }
  }

  private void element() {
    Type tuple = operation.operands().isEmpty() ? null : operation.operand(0).type();
    Attribute index = operation.attribute("index");
    if (!(tuple instanceof TupleType) || !(index instanceof Attribute.Int)) {
      return;
    }
    ImmutableList<Type> elements = ((TupleType) tuple).elements();
    long i = ((Attribute.Int) index).value();
    if (i < 0 || i >= elements.size()) {
      sink.error(
          "tuple-index",
          String.format("index is %d, the tuple has %d elements", i, elements.size()),
          operation.location());
      return;
    }
    expect("results", operation.resultTypes(), ImmutableList.of(elements.get((int) i)));
  }

  private boolean count(String what, int got, int wanted) {
    if (got != wanted) {
      sink.error(
          "signature",
          String.format(
              "%s has %d %s, must have %d", operation.def().nameIn(syntax), got, what, wanted),
          operation.location());
    }
    return got == wanted;
  }

  private void expect(String what, ImmutableList<Type> got, ImmutableList<Type> wanted) {
    boolean same = got.size() == wanted.size();
    for (int i = 0; same && i < got.size(); i++) {
      same = compatible(got.get(i), wanted.get(i));
    }
    if (!same) {
      mismatch(what, got, wanted);
    }
  }

  private void mismatch(String what, ImmutableList<Type> got, ImmutableList<Type> wanted) {
    sink.error(
        "signature",
        String.format(
            "%s of %s are %s, must be %s",
            what, operation.def().nameIn(syntax), show(got), show(wanted)),
        operation.location());
  }

  /** Returns whether both may describe the same value; a dynamic size fits any. */
  private static boolean compatible(Type a, Type b) {
    if (a instanceof TupleType && b instanceof TupleType) {
      ImmutableList<Type> left = ((TupleType) a).elements();
      ImmutableList<Type> right = ((TupleType) b).elements();
      boolean same = left.size() == right.size();
      for (int i = 0; same && i < left.size(); i++) {
        same = compatible(left.get(i), right.get(i));
      }
      return same;
    }
    if (!(a instanceof TensorType) || !(b instanceof TensorType)) {
      return a.isSameShape(b) || isQuantizedAlike(a.toString(), b.toString());
    }
    TensorType left = (TensorType) a;
    TensorType right = (TensorType) b;
    boolean same = left.element() == right.element() && left.rank() == right.rank();
    for (int i = 0; same && i < left.rank(); i++) {
      same =
          left.dim(i) == right.dim(i)
              || left.dim(i) == TensorType.DYNAMIC
              || right.dim(i) == TensorType.DYNAMIC;
    }
    return same;
  }

  /** Returns whether both are quantised tensors that differ at most in sizes that are unknown. */
  private static boolean isQuantizedAlike(String a, String b) {
    int left = a.indexOf("!quant.");
    int right = b.indexOf("!quant.");
    if (left < 0 || right < 0 || !a.substring(left).equals(b.substring(right))) {
      return false;
    }
    List<String> sizes = Splitter.on('x').splitToList(a.substring("tensor<".length(), left));
    List<String> others = Splitter.on('x').splitToList(b.substring("tensor<".length(), right));
    boolean same = sizes.size() == others.size();
    for (int i = 0; same && i < sizes.size(); i++) {
      same =
          sizes.get(i).equals(others.get(i))
              || sizes.get(i).equals("?")
              || others.get(i).equals("?");
    }
    return same;
  }

  private static ImmutableList<Type> types(ImmutableList<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  private static String show(ImmutableList<Type> types) {
    StringBuilder out = new StringBuilder("(");
    for (int i = 0; i < types.size(); i++) {
      out.append(i == 0 ? "" : ", ").append(types.get(i));
    }
    return out.append(')').toString();
  }
}
