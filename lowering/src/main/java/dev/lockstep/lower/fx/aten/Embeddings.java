package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;

/** Look-up in tables of rows. */
final class Embeddings {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool"
                  + " scale_grad_by_freq=False, bool sparse=False) -> Tensor",
              Embeddings::embedding),
          AtenOp.of(
              "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights,"
                  + " SymInt padding_idx, bool scale_grad_by_freq) -> Tensor",
              Embeddings::backward),
          AtenOp.of("one_hot(Tensor self, int num_classes=-1) -> Tensor", Embeddings::oneHot));

  private Embeddings() {}

  private static Arg embedding(AtenCall call, Tensors t) {
    Value weight = call.tensor("weight");
    Value indices = call.tensor("indices");
    if (Tensors.rank(weight) != 2 || !Tensors.element(indices).isInteger()) {
      throw call.error(
          "takes a table of rows and integers, got " + weight.type() + " and " + indices.type());
    }
    return Arg.of(Gathers.rows(t, weight, Shapes.withOne(t, indices, Tensors.rank(indices))));
  }

  private static Arg backward(AtenCall call, Tensors t) {
    if (call.flag("scale_grad_by_freq")) {
      throw call.unsupported("scale_grad_by_freq");
    }
    Value grad = call.tensor("grad_output");
    Value indices = call.tensor("indices");
    long width = Tensors.dims(grad)[Tensors.rank(grad) - 1];
    Value wide = t.wide(grad);
    Value zeros = t.full(Tensors.type(wide).withDims(call.integer("num_weights"), width), 0.0);
    long padding = call.integer("padding_idx");
    Value kept = indices;
    if (padding >= 0) {
      // No row is called -1: what belongs to the padding goes nowhere.
      Value isPadding = t.compare("EQ", indices, t.full(Tensors.type(indices), padding));
      kept = t.select(isPadding, t.like(indices, -1), indices);
    }
    Value summed =
        Gathers.scatter(t, zeros, Shapes.withOne(t, kept, Tensors.rank(indices)), wide, t::add);
    return Arg.of(t.convert(summed, Tensors.element(grad)));
  }

  private static Arg oneHot(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long classes = call.integer("num_classes");
    if (classes < 0) {
      throw call.unsupported("num_classes depends on the values; give a number");
    }
    Value numbers = t.iota(Tensors.type(self).withDims(classes), 0);
    Value equal = t.compare("EQ", Shapes.withOne(t, self, Tensors.rank(self)), numbers);
    return Arg.of(t.convert(equal, ElementType.I64));
  }
}
