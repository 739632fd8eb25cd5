package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Operators on lists of tensors: {@code _foreach_add.List} is {@code add.Tensor} of each pair. An
 * argument that is a list gives each call its own element, any other goes to all.
 */
final class Foreach {
  static final ImmutableList<AtenOp> OPS = ops();

  private Foreach() {}

  private static ImmutableList<AtenOp> ops() {
    ImmutableList.Builder<AtenOp> out = ImmutableList.builder();
    for (String name :
        ImmutableList.of(
            "abs",
            "ceil",
            "cos",
            "erf",
            "exp",
            "expm1",
            "floor",
            "frac",
            "lgamma",
            "log",
            "log10",
            "log1p",
            "log2",
            "neg",
            "reciprocal",
            "round",
            "rsqrt",
            "sigmoid",
            "sign",
            "sin",
            "sqrt",
            "tan",
            "tanh",
            "trunc")) {
      String schema = "_foreach_" + name + "(Tensor[] self) -> Tensor[]";
      out.add(of(schema, name + ".default"));
    }
    for (String name : ImmutableList.of("add", "sub")) {
      out.add(
          of(
              "_foreach_"
                  + name
                  + ".List(Tensor[] self, Tensor[] other, *, Scalar alpha=1)"
                  + " -> Tensor[]",
              name + ".Tensor"));
    }
    out.add(
        of(
            "_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> " + "Tensor[]",
            "add.Tensor"));
    for (String name : ImmutableList.of("mul", "div")) {
      out.add(
          of(
              "_foreach_" + name + ".List(Tensor[] self, Tensor[] other) -> Tensor[]",
              name + ".Tensor"),
          of(
              "_foreach_" + name + ".Tensor(Tensor[] self, Tensor other) -> Tensor[]",
              name + ".Tensor"));
    }
    for (String name : ImmutableList.of("add", "sub", "mul", "div")) {
      out.add(
          of(
              "_foreach_" + name + ".Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
              name + ".Scalar"),
          of(
              "_foreach_" + name + ".ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
              name + ".Scalar"));
    }
    for (String name : ImmutableList.of("maximum", "minimum", "clamp_max", "clamp_min")) {
      String one =
          name.startsWith("clamp") ? name.equals("clamp_max") ? "minimum" : "maximum" : name;
      String bound = one.equals("maximum") ? "clamp_min" : "clamp_max";
      out.add(
          of(
              "_foreach_" + name + ".List(Tensor[] self, Tensor[] other) -> Tensor[]",
              one + ".default"),
          of(
              "_foreach_" + name + ".Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",
              bound + ".default"),
          of(
              "_foreach_" + name + ".ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
              bound + ".default"));
    }
    for (String name : ImmutableList.of("addcmul", "addcdiv")) {
      out.add(
          of(
              "_foreach_"
                  + name
                  + ".Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1)"
                  + " -> Tensor[]",
              name + ".default"),
          of(
              "_foreach_"
                  + name
                  + ".ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[]"
                  + " scalars) -> Tensor[]",
              name + ".default"));
    }
    return out.add(
            of(
                "_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> "
                    + "Tensor[]",
                "lerp.Scalar"),
            of(
                "_foreach_lerp.List(Tensor[] self, Tensor[] tensors1, Tensor[] weights) -> "
                    + "Tensor[]",
                "lerp.Tensor"),
            of(
                "_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[]",
                "pow.Tensor_Scalar"),
            of(
                "_foreach_pow.List(Tensor[] self, Tensor[] exponent) -> Tensor[]",
                "pow.Tensor_Tensor"),
            of(
                "_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]",
                "pow.Scalar"),
            of(
                "_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) "
                    + "-> Tensor[]",
                "linalg_vector_norm.default"),
            of("_foreach_max(Tensor[] self) -> Tensor[]", "max.default"),
            of("_foreach_zero(Tensor[] self) -> Tensor[] self_out", "zero.default"),
            of(
                "_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> "
                    + "Tensor[] self_out",
                "copy.default"))
        .build();
  }

  private static AtenOp of(String schema, String each) {
    return AtenOp.of(schema, (call, t) -> lower(call, t, "aten." + each));
  }

  private static Arg lower(AtenCall call, Tensors t, String each) {
    AtenOp op = java.util.Objects.requireNonNull(AtenTable.find(each), each);
    int count = 0;
    for (Map.Entry<String, Arg> argument : call.arguments().entrySet()) {
      if (argument.getValue() instanceof Arg.Items items) {
        count = Math.max(count, items.elements().size());
      }
    }
    List<Arg> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ImmutableMap.Builder<String, Arg> arguments = ImmutableMap.builder();
      int at = 0;
      for (Schema.Parameter parameter : call.schema().parameters()) {
        Arg given = call.arguments().get(parameter.name());
        if (given != null && at < op.schema().parameters().size()) {
          String name = named(op, parameter.name(), at);
          arguments.put(name, element(call, given, i));
        }
        at++;
      }
      out.add(
          op.rule()
              .lower(
                  new AtenCall(
                      op.schema(),
                      call.location(),
                      arguments.buildKeepingLast(),
                      call.context(),
                      call.outcome()),
                  t));
    }
    return Arg.items(out);
  }

  /** Returns what the operator on one tensor calls the argument: the same, or by place. */
  private static String named(AtenOp op, String name, int place) {
    return op.schema().parameter(name) != null ? name : op.schema().parameters().get(place).name();
  }

  private static Arg element(AtenCall call, Arg given, int i) {
    if (!(given instanceof Arg.Items items)) {
      return given;
    }
    if (i >= items.elements().size()) {
      throw call.error("takes lists of one length, got " + items.elements().size());
    }
    return items.elements().get(i);
  }
}
