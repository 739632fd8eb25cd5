package dev.lockstep.hlo.op.elementwise;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.data.Movement;
import dev.lockstep.hlo.type.TensorType;

/**
 * CHLO's ops that broadcast their operands to a common shape first: trailing dimensions are matched
 * as in numpy, or the operand of lower rank goes where {@code broadcast_dimensions} says.
 */
final class Broadcasting implements Semantics.Local {
  private final OpDef inner;

  Broadcasting(OpDef inner) {
    this.inner = inner;
  }

  @Override
  public ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    int rank = 0;
    for (Datum operand : operands) {
      rank = Math.max(rank, ((Literal) operand).type().rank());
    }
    Attribute attribute = operation.attribute("broadcast_dimensions");
    ImmutableLongArray given = attribute == null ? null : AttrKeys.asLongs(attribute);
    long[] dims = new long[rank];
    java.util.Arrays.fill(dims, 1);
    long[][] places = new long[operands.size()][];
    for (int i = 0; i < places.length; i++) {
      TensorType type = ((Literal) operands.get(i)).type();
      places[i] = places(type.rank(), rank, given);
      for (int d = 0; d < type.rank(); d++) {
        int at = (int) places[i][d];
        checkArgument(
            dims[at] == 1 || type.dim(d) == 1 || dims[at] == type.dim(d),
            "operands cannot be broadcast to one shape");
        dims[at] = dims[at] == 1 ? type.dim(d) : dims[at];
      }
    }
    ImmutableList.Builder<Datum> spread = ImmutableList.builder();
    for (int i = 0; i < places.length; i++) {
      spread.add(
          Movement.broadcast(
              (Literal) operands.get(i),
              ImmutableLongArray.copyOf(dims),
              ImmutableLongArray.copyOf(places[i])));
    }
    return ((Semantics.Local) inner.semantics()).eval(operation, spread.build());
  }

  /** Requires that both operands have elements of one type. */
  static void checkElements(TensorRule.Case it) {
    it.require(
        it.sameElements(it.operand(0), it.operand(1)),
        "operands have elements of types %s and %s",
        it.operand(0).element(),
        it.operand(1).element());
  }

  /** Requires that the operands can be broadcast to the shape of the result. */
  static void check(TensorRule.Case it) {
    int rank = 0;
    for (int i = 0; i < it.operands(); i++) {
      rank = Math.max(rank, it.operand(i).rank());
    }
    Attribute attribute = it.operation().attribute("broadcast_dimensions");
    ImmutableLongArray given = attribute == null ? null : AttrKeys.asLongs(attribute);
    long[] dims = new long[rank];
    java.util.Arrays.fill(dims, 1);
    for (int i = 0; i < it.operands(); i++) {
      TensorType type = it.operand(i);
      if (given != null && type.rank() < rank && !isPlaces(it, given, type, rank)) {
        return;
      }
      long[] places = places(type.rank(), rank, given);
      for (int d = 0; d < type.rank(); d++) {
        int at = (int) places[d];
        if (!it.require(
            dims[at] == 1 || type.dim(d) == 1 || TensorRule.agree(dims[at], type.dim(d)),
            "operand %d of type %s cannot be broadcast to the shape of the others",
            i,
            type)) {
          return;
        }
        dims[at] = dims[at] == 1 || dims[at] == TensorType.DYNAMIC ? type.dim(d) : dims[at];
      }
    }
    TensorType wanted = TensorType.of(it.result().element(), dims);
    it.require(
        TensorRule.agreeInShape(wanted, it.result()),
        "the result has type %s but its shape must be that of %s",
        it.result(),
        wanted);
  }

  private static boolean isPlaces(
      TensorRule.Case it, ImmutableLongArray given, TensorType type, int rank) {
    return it.require(
        given.length() == type.rank() && given.stream().allMatch(d -> d >= 0 && d < rank),
        "broadcast_dimensions %s are not those of %s in a result of rank %d",
        given,
        type,
        rank);
  }

  private static long[] places(
      int from, int rank, @org.jspecify.annotations.Nullable ImmutableLongArray given) {
    long[] out = new long[from];
    for (int d = 0; d < from; d++) {
      out[d] = from < rank && given != null ? given.get(d) : rank - from + d;
    }
    return out;
  }
}
