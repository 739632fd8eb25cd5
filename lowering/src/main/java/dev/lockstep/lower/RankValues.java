package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Numbers and facts that differ from rank to rank, written so that the text is the same on every
 * rank: arithmetic on the rank where a formula fits, else a constant table indexed by the rank.
 */
final class RankValues {
  private final Emitter emit;
  private final DeviceGrid grid;
  private @Nullable Value rank;

  RankValues(Emitter emit, DeviceGrid grid) {
    this.emit = emit;
    this.grid = grid;
  }

  /** Returns the rank, a ui32 scalar; written once a block. */
  Value rank() {
    Value known = rank;
    if (known != null) {
      return known;
    }
    Value made;
    if (grid.partitions() == 1) {
      made = emit.build().replicaId();
    } else if (grid.replicas() == 1) {
      made = emit.build().partitionId();
    } else {
      Value major = emit.build().multiply(emit.build().replicaId(), number(grid.partitions()));
      made = emit.build().add(major, emit.build().partitionId());
    }
    rank = made;
    return made;
  }

  private Value number(long value) {
    return emit.constant(Literal.scalar(ElementType.UI32, value));
  }

  /**
   * Returns the entry of {@code byRank}, not negative, that belongs to the rank: a ui32 scalar.
   *
   * <p>{@code (rank / stride) % modulus} covers groups that are rows or columns of the ranks.
   */
  Value number(long[] byRank) {
    if (isConstant(byRank)) {
      return number(byRank[0]);
    }
    int n = byRank.length;
    long modulus = 0;
    for (long entry : byRank) {
      modulus = Math.max(modulus, entry + 1);
    }
    for (int stride = 1; stride < n; stride++) {
      if (fits(byRank, stride, modulus)) {
        Value quotient = stride == 1 ? rank() : emit.build().divide(rank(), number(stride));
        return (long) stride * modulus >= n
            ? quotient
            : emit.build().remainder(quotient, number(modulus));
      }
    }
    LiteralBuilder table = new LiteralBuilder(TensorType.of(ElementType.UI32, n));
    for (int i = 0; i < n; i++) {
      table.setLong(i, byRank[i]);
    }
    return lookUp(table.build());
  }

  private static boolean fits(long[] byRank, int stride, long modulus) {
    for (int r = 0; r < byRank.length; r++) {
      if (byRank[r] != (r / stride) % modulus) {
        return false;
      }
    }
    return true;
  }

  private static boolean isConstant(long[] byRank) {
    for (long entry : byRank) {
      if (entry != byRank[0]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the element of {@code table} [ranks] that belongs to the rank: a scalar. */
  private Value lookUp(Literal table) {
    Value one = emit.rowsAt(emit.constant(table), rank(), 1);
    return emit.reshape(one, ImmutableLongArray.of());
  }

  /** Returns the row of a table [ranks, columns] that belongs to the rank: ui32 [columns]. */
  Value row(long[][] byRank) {
    int columns = byRank[0].length;
    LiteralBuilder table =
        new LiteralBuilder(TensorType.of(ElementType.UI32, byRank.length, columns));
    for (int r = 0; r < byRank.length; r++) {
      for (int c = 0; c < columns; c++) {
        table.setLong(r * columns + c, byRank[r][c]);
      }
    }
    Value one = emit.rowsAt(emit.constant(table.build()), rank(), 1);
    return emit.reshape(one, ImmutableLongArray.of(columns));
  }

  /** Returns the entry of {@code row} at {@code column}: a scalar. */
  Value entry(Value row, int column) {
    return emit.reshape(emit.rows(row, column, column + 1), ImmutableLongArray.of());
  }

  /** Returns {@code ifTrue} on the ranks that {@code byRank} says, {@code ifFalse} on others. */
  Value choose(boolean[] byRank, Value ifTrue, Value ifFalse) {
    int count = 0;
    int last = -1;
    int gap = -1;
    for (int r = 0; r < byRank.length; r++) {
      if (byRank[r]) {
        count++;
        last = r;
      } else {
        gap = r;
      }
    }
    if (count == byRank.length) {
      return ifTrue;
    }
    if (count == 0) {
      return ifFalse;
    }
    if (count == 1) {
      return emit.select(emit.compare("EQ", rank(), number(last)), ifTrue, ifFalse);
    }
    if (count == byRank.length - 1) {
      return emit.select(emit.compare("EQ", rank(), number(gap)), ifFalse, ifTrue);
    }
    LiteralBuilder table = new LiteralBuilder(TensorType.of(ElementType.I1, byRank.length));
    for (int r = 0; r < byRank.length; r++) {
      table.setBoolean(r, byRank[r]);
    }
    return emit.select(lookUp(table.build()), ifTrue, ifFalse);
  }

  /** Returns the entry of {@code byRank} that belongs to the rank, as a scalar of {@code type}. */
  Value numberAs(long[] byRank, ElementType type) {
    if (isConstant(byRank)) {
      return emit.constant(Literal.scalar(type, byRank[0]));
    }
    LiteralBuilder table = new LiteralBuilder(TensorType.of(type, byRank.length));
    for (int r = 0; r < byRank.length; r++) {
      table.setLong(r, byRank[r]);
    }
    return lookUp(table.build());
  }

  /** Returns rows of {@code value} under a mask: those below {@code limit}, else zeros. */
  Value keepRowsBelow(Value value, Value limit) {
    TensorType type = Emitter.type(value);
    TensorType numbers = TensorType.of(ElementType.UI32, type.dims());
    Value below = emit.compare("LT", emit.rowNumbers(numbers), emit.broadcast(limit, numbers));
    return emit.select(below, value, emit.zeros(type));
  }

  /** Returns the parts of {@code value}, {@code rows} rows each. */
  ImmutableList<Value> split(Value value, int parts, long rows) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (int i = 0; i < parts; i++) {
      out.add(emit.rows(value, i * rows, (i + 1) * rows));
    }
    return out.build();
  }
}
