package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;

/** Checks, which compute nothing, sizes, and what depends on training. */
final class Checks {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.<AtenOp>builder()
          .add(
              AtenOp.of("sym_size.int(Tensor self, int dim) -> SymInt", Checks::size),
              AtenOp.of(
                  "sym_numel(Tensor self) -> SymInt",
                  (call, t) -> new Arg.Whole(call.type("self").count())),
              AtenOp.of("sym_stride.int(Tensor self, int dim) -> SymInt", Checks::stride),
              AtenOp.of("dropout(Tensor input, float p, bool train) -> Tensor", Checks::dropout),
              AtenOp.of(
                  "alpha_dropout(Tensor input, float p, bool train) -> Tensor", Checks::dropout),
              AtenOp.of(
                  "feature_dropout(Tensor input, float p, bool train) -> Tensor", Checks::dropout),
              AtenOp.of(
                  "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
                  Checks::nativeDropout))
          .addAll(nothing())
          .build();

  private Checks() {}

  /** What torch checks while it runs: it changes no value, and is not kept. */
  private static ImmutableList<AtenOp> nothing() {
    AtenOp.Rule rule = (call, t) -> Arg.None.INSTANCE;
    return ImmutableList.of(
        AtenOp.of("_assert_async(Tensor self) -> ()", rule),
        AtenOp.of("_assert_async.msg(Tensor self, str assert_msg) -> ()", rule),
        AtenOp.of("_assert_scalar(Scalar self, str assert_msg) -> ()", rule),
        AtenOp.of(
            "_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? "
                + "stride=None, ScalarType? dtype=None, *, Device? device=None, Layout? "
                + "layout=None) -> ()",
            rule),
        AtenOp.of(
            "profiler::_record_function_enter_new(str name, str? args=None) -> "
                + "__torch__.torch.classes.profiler._RecordFunction",
            rule),
        AtenOp.of(
            "profiler::_record_function_exit._RecordFunction(__torch__.torch.classes.profiler._RecordFunction"
                + " record) -> ()",
            rule),
        AtenOp.of("sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()", rule),
        AtenOp.of(
            "sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) " + "-> ()",
            rule));
  }

  private static Arg size(AtenCall call, Tensors t) {
    int dim = call.dim("dim", Tensors.rank(call.tensor("self")));
    return new Arg.Whole(Tensors.dims(call.tensor("self"))[dim]);
  }

  private static Arg stride(AtenCall call, Tensors t) {
    int dim = call.dim("dim", Tensors.rank(call.tensor("self")));
    long stride = 1;
    for (int i = dim + 1; i < Tensors.rank(call.tensor("self")); i++) {
      stride *= Math.max(1, Tensors.dims(call.tensor("self"))[i]);
    }
    return new Arg.Whole(stride);
  }

  private static Arg dropout(AtenCall call, Tensors t) {
    if (call.flag("train") && call.real("p") != 0) {
      throw call.unsupported(
          "drops values at random, which no other program can repeat; trace the model in eval"
              + " mode");
    }
    return Arg.of(call.tensor("input"));
  }

  private static Arg nativeDropout(AtenCall call, Tensors t) {
    if (call.has("train") && call.flag("train") && call.real("p") != 0) {
      throw call.unsupported(
          "drops values at random, which no other program can repeat; trace the model in eval"
              + " mode");
    }
    Value input = call.tensor("input");
    Value all = t.full(Tensors.type(input).withElement(ElementType.I1), 1L);
    return Arg.items(ImmutableList.of(Arg.of(input), Arg.of(all)));
  }
}
