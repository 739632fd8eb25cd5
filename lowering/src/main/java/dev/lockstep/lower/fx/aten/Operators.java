package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns calls of torch's operators into operations. */
public final class Operators {
  /** Diagnostic code: an operator is not known and kept as it is. */
  public static final String UNKNOWN = "fx-unknown-op";

  private static final Outcome NOTHING =
      new Outcome() {
        @Override
        public boolean isTuple() {
          return false;
        }

        @Override
        public ImmutableList<TensorType> types() {
          return ImmutableList.of();
        }
      };

  /** Operators whose overloads have other names in place. */
  private static final ImmutableMap<String, String> OVERLOADS =
      ImmutableMap.of(
          "aten.transpose_.default", "aten.transpose.int",
          "aten.pow_.Scalar", "aten.pow.Tensor_Scalar",
          "aten.pow_.Tensor", "aten.pow.Tensor_Tensor",
          "aten.__ilshift__.Scalar", "aten.__lshift__.Scalar",
          "aten.__irshift__.Scalar", "aten.__rshift__.Scalar",
          "aten.__iand__.Tensor", "aten.__and__.Tensor",
          "aten.__ior__.Tensor", "aten.__or__.Tensor",
          "aten.__ixor__.Tensor", "aten.__xor__.Tensor");

  private final Tensors tensors;
  private final AtenCall.Context context;
  private final DiagnosticSink sink;

  /**
   * Creates a translator for one graph.
   *
   * @param builder builds the operations
   * @param groups what the names of process groups mean
   * @param mutations writes to tensors
   * @param sink gets warnings
   */
  public Operators(OpBuilder builder, GroupTable groups, Mutations mutations, DiagnosticSink sink) {
    this.tensors = new Tensors(builder);
    this.context = new AtenCall.Context(groups, mutations, sink);
    this.sink = sink;
  }

  /** An operator called in a text. */
  public record Call(
      String target,
      ImmutableList<Arg> arguments,
      ImmutableMap<String, Arg> keywords,
      Location location) {}

  /**
   * Returns what the call gives; an operator that is not known is kept as a custom call.
   *
   * @throws DiagnosticException when the call is wrong, or needs a type that the text does not say
   */
  public Arg lower(Call call, Outcome outcome) {
    AtenOp op = AtenTable.find(call.target());
    if (op != null) {
      return apply(op, call, outcome);
    }
    AtenOp functional = functional(call.target());
    if (functional != null) {
      return inPlace(functional, call, outcome);
    }
    AtenOp view = copied(call.target());
    if (view != null) {
      Arg result = run(view, bind(view.schema(), call, outcome));
      return result instanceof Arg.Tensor same ? Arg.of(same.value()) : result;
    }
    return keep(call, outcome);
  }

  /** Returns the view that {@code aten.view_copy.default} is a copy of, or null. */
  private static @Nullable AtenOp copied(String target) {
    int point = target.lastIndexOf('.');
    String end = "_copy";
    if (!target.startsWith("aten.") || point < 0 || !target.startsWith(end, point - end.length())) {
      return null;
    }
    AtenOp view =
        AtenTable.find(target.substring(0, point - end.length()) + target.substring(point));
    return view != null && view.isView() ? view : null;
  }

  /**
   * Returns what the call of {@code base}, such as {@code aten.sum}, gives, whichever overload the
   * arguments mean; null when none takes them.
   */
  public @Nullable Arg resolve(String base, Call call) {
    Call resolved = Overloads.resolve(base, call);
    if (resolved == null && base.endsWith("_")) {
      Call functional = Overloads.resolve(base.substring(0, base.length() - 1), call);
      if (functional != null) {
        String target = functional.target();
        int point = target.lastIndexOf('.');
        resolved =
            new Call(
                target.substring(0, point) + "_" + target.substring(point),
                functional.arguments(),
                functional.keywords(),
                functional.location());
      }
    }
    return resolved == null ? null : lower(resolved, NOTHING);
  }

  /** Returns the operator that {@code aten.add_.Tensor} applies in place, or null. */
  private static @Nullable AtenOp functional(String target) {
    int point = target.lastIndexOf('.');
    if (!target.startsWith("aten.") || point < 2 || target.charAt(point - 1) != '_') {
      return null;
    }
    String renamed = OVERLOADS.get(target);
    return AtenTable.find(
        renamed != null ? renamed : target.substring(0, point - 1) + target.substring(point));
  }

  private Arg apply(AtenOp op, Call call, Outcome outcome) {
    AtenCall bound = bind(op.schema(), call, outcome);
    Arg result = run(op, bound);
    boolean shares = op.isView() && !call.arguments().isEmpty();
    return shares && call.arguments().get(0) instanceof Arg.Tensor base
        ? Views.of(result, base, op, bound, tensors)
        : result;
  }

  private Arg run(AtenOp op, AtenCall call) {
    try {
      return ScalarLines.apply(op, call, tensors);
    } catch (Tensors.ShapeMismatch e) {
      throw call.error(String.valueOf(e.getMessage()));
    } catch (IndexOutOfBoundsException
        | IllegalArgumentException
        | ClassCastException
        | ArithmeticException e) {
      // A rule that did not think of what it is given.
      StringBuilder given = new StringBuilder();
      call.arguments()
          .forEach(
              (name, value) ->
                  given
                      .append(given.length() == 0 ? "" : ", ")
                      .append(name)
                      .append(" = ")
                      .append(value.describe()));
      throw call.unsupported("is not read with such arguments: " + given);
    }
  }

  private Arg inPlace(AtenOp functional, Call call, Outcome outcome) {
    AtenCall bound = bind(functional.schema(), call, outcome);
    if (call.arguments().isEmpty()) {
      throw bound.error("the first argument must be a tensor");
    }
    if (call.arguments().get(0) instanceof Arg.Items targets) {
      // A list of tensors: each is written to.
      ImmutableList<Arg> results = ((Arg.Items) run(functional, bound)).elements();
      for (int i = 0; i < results.size(); i++) {
        write(bound, (Arg.Tensor) targets.elements().get(i), results.get(i), call);
      }
      return targets;
    }
    if (!(call.arguments().get(0) instanceof Arg.Tensor target)) {
      throw bound.error("the first argument must be a tensor");
    }
    Arg result = run(functional, bound);
    if (functional.isView()) {
      // Only the tensor's shape changes, not what is in its memory.
      return result instanceof Arg.Tensor shaped
          ? Views.of(shaped, target, functional, bound, tensors)
          : result;
    }
    write(bound, target, result, call);
    return target;
  }

  private void write(AtenCall bound, Arg.Tensor target, Arg result, Call call) {
    TensorType type = target.type();
    Value value = tensors.convert(((Arg.Tensor) result).value(), type.element());
    if (!Tensors.type(value).dims().equals(type.dims())) {
      throw bound.error("the result is " + value.type() + ", which does not fit into " + type);
    }
    context.mutations().write(target, value, call.target(), call.location());
  }

  private AtenCall bind(Schema schema, Call call, Outcome outcome) {
    Map<String, Arg> bound = new LinkedHashMap<>();
    AtenCall empty = new AtenCall(schema, call.location(), ImmutableMap.of(), context, outcome);
    if (call.arguments().size() > schema.positional()) {
      throw empty.error(
          "has "
              + call.arguments().size()
              + " arguments by place, at most "
              + schema.positional()
              + " go: "
              + schema.text());
    }
    for (int i = 0; i < call.arguments().size(); i++) {
      bound.put(schema.parameters().get(i).name(), call.arguments().get(i));
    }
    call.keywords()
        .forEach(
            (name, value) -> {
              if (schema.parameter(name) == null) {
                throw empty.error("has no argument '" + name + "': " + schema.text());
              }
              if (bound.put(name, value) != null) {
                throw empty.error("'" + name + "' is given twice");
              }
            });
    for (Schema.Parameter parameter : schema.parameters()) {
      if (parameter.fallback() == null && !bound.containsKey(parameter.name())) {
        if (!parameter.isOptional()) {
          throw empty.error("'" + parameter.name() + "' is missing: " + schema.text());
        }
      }
    }
    return new AtenCall(schema, call.location(), ImmutableMap.copyOf(bound), context, outcome);
  }

  private Arg keep(Call call, Outcome outcome) {
    sink.report(
        Diagnostic.warning(
            UNKNOWN,
            call.target() + " is not known; it is kept as a custom call, which cannot be run",
            call.location()));
    ImmutableList<Value> results = Opaque.keep(tensors.builder(), call, outcome);
    if (outcome.isTuple()) {
      return Arg.items(results.stream().map(Arg.Tensor::of).toList());
    }
    return results.isEmpty() ? Arg.None.INSTANCE : Arg.of(results.get(0));
  }

  /** Returns the names of all operators that are read, by family, for documentation. */
  public static ImmutableMap<String, ImmutableList<String>> byFamily() {
    ImmutableMap.Builder<String, ImmutableList<String>> out = ImmutableMap.builder();
    for (AtenTable.Family family : AtenTable.FAMILIES) {
      out.put(
          family.title(),
          family.ops().stream().map(AtenOp::name).collect(ImmutableList.toImmutableList()));
    }
    return out.buildOrThrow();
  }

  /** Returns how {@code list} reads in messages. */
  static String describe(List<Arg> list) {
    return new Arg.Items(ImmutableList.copyOf(list)).describe();
  }
}
