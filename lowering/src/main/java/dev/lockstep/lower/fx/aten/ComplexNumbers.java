package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;

/** Complex numbers from pairs of real ones, and back. */
final class ComplexNumbers {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "complex(Tensor real, Tensor imag) -> Tensor",
              (call, t) -> Arg.of(complex(t, call.tensor("real"), call.tensor("imag")))),
          AtenOp.of("polar(Tensor abs, Tensor angle) -> Tensor", ComplexNumbers::polar),
          AtenOp.view("view_as_complex(Tensor(a) self) -> Tensor(a)", ComplexNumbers::fromPairs),
          AtenOp.view("view_as_real(Tensor(a) self) -> Tensor(a)", ComplexNumbers::toPairs),
          AtenOp.view(
              "real(Tensor(a) self) -> Tensor(a)",
              (call, t) -> Arg.of(t.builder().real(call.tensor("self")))),
          AtenOp.view(
              "imag(Tensor(a) self) -> Tensor(a)",
              (call, t) -> Arg.of(t.builder().imag(call.tensor("self")))),
          AtenOp.of("_conj(Tensor(a) self) -> Tensor(a)", ComplexNumbers::conjugate),
          AtenOp.of("conj_physical(Tensor self) -> Tensor", ComplexNumbers::conjugate),
          AtenOp.of("_conj_physical(Tensor self) -> Tensor", ComplexNumbers::conjugate),
          AtenOp.of("resolve_conj(Tensor(a) self) -> Tensor(a)", (call, t) -> call.cell("self")),
          AtenOp.of("resolve_neg(Tensor(a) self) -> Tensor(a)", (call, t) -> call.cell("self")),
          AtenOp.of(
              "_neg_view(Tensor(a) self) -> Tensor(a)",
              (call, t) -> Arg.of(t.negate(call.tensor("self")))));

  private ComplexNumbers() {}

  private static Value complex(Tensors t, Value real, Value imaginary) {
    long[] dims = Tensors.broadcastDims(real, imaginary);
    return t.builder().complex(t.broadcast(real, dims), t.broadcast(imaginary, dims));
  }

  private static Arg polar(AtenCall call, Tensors t) {
    Value size = call.tensor("abs");
    Value angle = call.tensor("angle");
    return Arg.of(
        complex(
            t,
            t.multiply(size, t.unary("stablehlo.cosine", angle)),
            t.multiply(size, t.unary("stablehlo.sine", angle))));
  }

  private static Arg fromPairs(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int last = Tensors.rank(self) - 1;
    if (last < 0 || Tensors.dims(self)[last] != 2) {
      throw call.error(self.type() + " does not end with pairs");
    }
    long[] dims = Tensors.without(Tensors.dims(self), last);
    return Arg.of(
        t.builder()
            .complex(
                t.reshape(t.slice(self, last, 0, 1, 1), dims),
                t.reshape(t.slice(self, last, 1, 2, 1), dims)));
  }

  private static Arg toPairs(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    return Arg.of(
        t.builder()
            .concatenate(
                ImmutableList.of(
                    Shapes.withOne(t, t.builder().real(self), rank),
                    Shapes.withOne(t, t.builder().imag(self), rank)),
                rank));
  }

  private static Arg conjugate(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    if (!Tensors.element(self).isComplex()) {
      return call.arg("self");
    }
    return Arg.of(t.builder().complex(t.builder().real(self), t.negate(t.builder().imag(self))));
  }
}
