package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkElementIndex;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.torch_index_select}: picks slices by index. */
public final class TorchIndexSelect {
  /** The dimension to pick from. */
  public static final AttrKey<Long> DIM = AttrKeys.integer("dim", "");

  /** How many leading dimensions both operands share. */
  public static final AttrKey<Long> BATCH_DIMS = AttrKeys.integer("batch_dims", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.torch_index_select")
          .summary("Picks slices by index")
          .attributes(DIM, BATCH_DIMS)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .local(TorchIndexSelect::eval)
          .build();

  private TorchIndexSelect() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    Literal index = (Literal) operands.get(1);
    int dim = Math.toIntExact(DIM.get(operation));
    int batch = Math.toIntExact(BATCH_DIMS.get(operation));
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    dims.addAll(operand.dims().subArray(0, dim));
    dims.addAll(index.dims().subArray(batch, index.type().rank()));
    dims.addAll(operand.dims().subArray(dim + 1, operand.type().rank()));
    LiteralBuilder out = new LiteralBuilder(TensorType.of(operand.element(), dims.build()));
    int run = Math.toIntExact(product(operand.dims(), dim + 1, operand.type().rank()));
    int size = Math.toIntExact(operand.dims().get(dim));
    int picks = Math.toIntExact(product(index.dims(), batch, index.type().rank()));
    int rows = Math.toIntExact(product(operand.dims(), 0, dim));
    int rowsOfBatch = Math.toIntExact(product(operand.dims(), batch, dim));
    int at = 0;
    for (int row = 0; row < rows; row++) {
      for (int pick = 0; pick < picks; pick++) {
        long from = index.getLong(row / rowsOfBatch * picks + pick);
        checkElementIndex(Math.toIntExact(from), size);
        out.copyRange(at, operand, (int) (row * (long) size + from) * run, run);
        at += run;
      }
    }
    return ImmutableList.of(out.build());
  }

  private static long product(ImmutableLongArray dims, int from, int to) {
    long product = 1;
    for (int d = from; d < to; d++) {
      product *= dims.get(d);
    }
    return product;
  }
}
