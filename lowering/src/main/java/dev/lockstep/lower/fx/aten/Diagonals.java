package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/** Diagonals and triangles of matrices. */
final class Diagonals {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.view(
              "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
              Diagonals::diagonal),
          AtenOp.of(
              "diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
              Diagonals::diagonal),
          AtenOp.of(
              "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
              Diagonals::diagEmbed),
          AtenOp.of("diag(Tensor self, int diagonal=0) -> Tensor", Diagonals::diag),
          AtenOp.of("trace(Tensor self) -> Tensor", Diagonals::trace),
          AtenOp.of(
              "tril(Tensor self, SymInt diagonal=0) -> Tensor",
              (call, t) -> triangle(call, t, "LE")),
          AtenOp.of(
              "triu(Tensor self, SymInt diagonal=0) -> Tensor",
              (call, t) -> triangle(call, t, "GE")));

  private Diagonals() {}

  private static Arg diagonal(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    return Arg.of(
        diagonal(t, self, call.dim("dim1", rank), call.dim("dim2", rank), call.integer("offset")));
  }

  private static Value diagonal(Tensors t, Value value, int first, int second, long offset) {
    long rows = Tensors.dims(value)[first];
    long columns = Tensors.dims(value)[second];
    long count =
        Math.max(
            0, offset >= 0 ? Math.min(rows, columns - offset) : Math.min(rows + offset, columns));
    long[] order = new long[Tensors.rank(value)];
    order[0] = first;
    order[1] = second;
    for (int i = 0, at = 2; i < order.length; i++) {
      if (i != first && i != second) {
        order[at++] = i;
      }
    }
    TensorType type = TensorType.of(ElementType.I64, count);
    Value numbers = t.iota(type, 0);
    Value row = t.add(numbers, t.full(type, Math.max(0, -offset)));
    Value column = t.add(numbers, t.full(type, Math.max(0, offset)));
    Value places =
        t.builder()
            .concatenate(
                ImmutableList.of(Shapes.withOne(t, row, 1), Shapes.withOne(t, column, 1)), 1);
    Value taken = Gathers.rows(t, t.transpose(value, order), places);
    // The diagonal is the last dimension of the result.
    long[] back = new long[Tensors.rank(taken)];
    Arrays.setAll(back, i -> (i + 1) % back.length);
    return t.transpose(taken, back);
  }

  private static Arg diagEmbed(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self) + 1;
    int first = call.dim("dim1", rank);
    int second = call.dim("dim2", rank);
    return Arg.of(embedded(t, self, first, second, call.integer("offset")));
  }

  private static Value embedded(Tensors t, Value value, int first, int second, long offset) {
    int rank = Tensors.rank(value) + 1;
    long count = Tensors.dims(value)[rank - 2];
    long size = count + Math.abs(offset);
    long[] dims = Arrays.copyOf(Tensors.dims(value), rank);
    dims[rank - 2] = size;
    dims[rank - 1] = size;
    TensorType type = Tensors.type(value).withDims(dims);
    // Padded, so that rows count like the diagonal's elements.
    long[] low = new long[rank - 1];
    long[] high = new long[rank - 1];
    low[rank - 2] = Math.max(0, -offset);
    high[rank - 2] = Math.max(0, offset);
    Value zero = t.full(TensorType.of(type.element()), 0.0);
    Value rows = t.builder().pad(value, zero, low, high);
    Value all = t.broadcast(Shapes.withOne(t, rows, rank - 1), dims);
    TensorType numbers = type.withElement(ElementType.I64);
    Value apart = t.subtract(t.iota(numbers, rank - 1), t.iota(numbers, rank - 2));
    Value on = t.compare("EQ", apart, t.full(numbers, offset));
    Value out = t.select(on, all, t.full(type, 0.0));
    long[] order = new long[rank];
    int at = 0;
    for (int i = 0; i < rank; i++) {
      order[i] = i == first ? rank - 2 : i == second ? rank - 1 : at++;
    }
    return t.transpose(out, order);
  }

  private static Arg diag(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long offset = call.integer("diagonal");
    return Arg.of(
        Tensors.rank(self) == 1
            ? embedded(t, self, 0, 1, offset)
            : diagonal(t, self, 0, 1, offset));
  }

  private static Arg trace(AtenCall call, Tensors t) {
    Value on = diagonal(t, call.tensor("self"), 0, 1, 0);
    boolean whole = Tensors.element(on).isInteger();
    return Arg.of(Reductions.total(t, whole ? t.convert(on, ElementType.I64) : on, 0));
  }

  private static Arg triangle(AtenCall call, Tensors t, String direction) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    TensorType numbers = Tensors.type(self).withElement(ElementType.I64);
    Value apart = t.subtract(t.iota(numbers, rank - 1), t.iota(numbers, rank - 2));
    Value kept = t.compare(direction, apart, t.full(numbers, call.integer("diagonal")));
    return Arg.of(t.select(kept, self, t.full(Tensors.type(self), 0L)));
  }
}
