package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/**
 * {@code all_to_all_single}. Even: all-to-all of the rows. Uneven: every block is as long as the
 * longest one, and each rank cuts its blocks out and puts them together by offsets from a table
 * that all ranks share. What stands in a block behind its own rows is the sender's next block, not
 * zeros; the receiver overwrites it with the block that follows and clears it at the end.
 */
final class AllToAllSingleLowering implements CallLowering {
  @Override
  public ImmutableList<String> targets() {
    return ImmutableList.of("_c10d_functional.all_to_all_single");
  }

  @Override
  public ImmutableSet<String> entries() {
    return ImmutableSet.of("counts", "send_counts", "recv_counts");
  }

  @Override
  public ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope) {
    call.expect(1, 1);
    call.expectStatic(call.type(0));
    int size = groups.uniformSize(call.config());
    if (!call.config().has("counts") && !call.config().has("send_counts")) {
      return scope.keepOutside(call, groups, ImmutableList.of(even(call, groups, scope)));
    }
    return scope.keepOutside(
        call, groups, ImmutableList.of(uneven(call, groups, Counts.of(call, groups, size), scope)));
  }

  private static Value even(C10dCall call, CallGroups groups, Scope scope) {
    TensorType type = call.type(0);
    int size = groups.uniformSize(call.config());
    call.expectResult(0, type);
    if (type.rank() == 0 && size > 1 || Rows.count(type) % size != 0) {
      throw call.error(
          "c10d-type",
          "operand is "
              + type
              + "; its first dimension must be a multiple of "
              + size
              + ", or the call needs counts");
    }
    if (type.rank() == 0) {
      return call.operands().get(0);
    }
    return scope
        .collectives()
        .allToAll(call.operands().get(0), groups.completed(true, call.config()));
  }

  private static Value uneven(C10dCall call, CallGroups groups, Counts counts, Scope scope) {
    Emitter emit = scope.emit();
    RankValues ranks = scope.ranks();
    int size = groups.uniformSize(call.config());
    Value operand = Rows.ofScalar(call.operands().get(0), emit);
    TensorType type = Emitter.type(operand);
    long received = counts.maxReceived();
    call.expectRows(call.type(0), counts.maxSent(), "operand");
    call.expectRows(call.results().get(0), received, "result");
    TensorType result = Rows.withRows(type, received);
    long block = counts.max();
    if (block == 0) {
      return emit.reshape(emit.zeros(result), call.results().get(0).dims());
    }
    // A block that starts near the end must not be clamped back over the rows before it.
    Value padded = emit.padRows(operand, counts.maxSent() + block);
    Value starts = ranks.row(counts.sendOffsets());
    ImmutableList.Builder<Value> blocks = ImmutableList.builder();
    for (int i = 0; i < size; i++) {
      blocks.add(emit.rowsAt(padded, ranks.entry(starts, i), block));
    }
    Value exchanged =
        scope
            .collectives()
            .allToAll(emit.concatenate(blocks.build()), groups.completed(true, call.config()));
    Value places = ranks.row(counts.receiveOffsets());
    Value joined = emit.zeros(Rows.withRows(type, received + block));
    int i = 0;
    for (Value part : ranks.split(exchanged, size, block)) {
      joined = emit.withRowsAt(joined, part, ranks.entry(places, i++));
    }
    Value kept = emit.rows(joined, 0, received);
    Value valid = ranks.number(counts.received());
    return emit.reshape(ranks.keepRowsBelow(kept, valid), call.results().get(0).dims());
  }

  /** How many rows each member of each group sends to each other. */
  private static final class Counts {
    private final CallGroups groups;
    private final int size;
    private final long[][][] rows;

    private Counts(CallGroups groups, int size, long[][][] rows) {
      this.groups = groups;
      this.size = size;
      this.rows = rows;
    }

    static Counts of(C10dCall call, CallGroups groups, int size) {
      int groupCount = groups.groups().size();
      long[][][] rows = new long[groupCount][size][size];
      if (!call.config().has("counts")) {
        fillFromOneRank(call, rows);
      } else {
        fillFromTable(call, rows);
      }
      return new Counts(groups, size, rows);
    }

    /** One text for all ranks with one rank's numbers: right only where all ranks have the same. */
    private static void fillFromOneRank(C10dCall call, long[][][] rows) {
      ImmutableLongArray send = call.config().longs("send_counts");
      ImmutableLongArray receive = call.config().longs("recv_counts");
      int size = rows[0].length;
      for (int i = 0; i < size; i++) {
        if (send.length() != size || receive.length() != size) {
          throw call.error(
              "c10d-counts",
              "send_counts has "
                  + send.length()
                  + " entries and recv_counts "
                  + receive.length()
                  + ", the group has "
                  + size
                  + " ranks");
        }
        if (send.get(i) != send.get(0) || receive.get(i) != send.get(0)) {
          throw call.error(
              "c10d-counts",
              "send_counts and recv_counts are of one rank's program; in one text for all ranks"
                  + " give counts, or pass all ranks' programs with --ranks");
        }
        for (long[][] group : rows) {
          for (long[] sender : group) {
            sender[i] = send.get(i);
          }
        }
      }
    }

    private static void fillFromTable(C10dCall call, long[][][] rows) {
      Literal table = call.config().table("counts");
      int size = rows[0].length;
      int rank = table.type().rank();
      boolean all = rank == 3;
      if (rank != 2 && rank != 3
          || table.type().dim(rank - 1) != size
          || table.type().dim(rank - 2) != size
          || all && table.type().dim(0) != rows.length) {
        throw call.error(
            "c10d-counts",
            "counts is "
                + table.type()
                + ", expected ["
                + size
                + ", "
                + size
                + "] or ["
                + rows.length
                + ", "
                + size
                + ", "
                + size
                + "]");
      }
      for (int g = 0; g < rows.length; g++) {
        for (int i = 0; i < size; i++) {
          for (int j = 0; j < size; j++) {
            long count = table.getLong(((all ? g : 0) * size + i) * size + j);
            if (count < 0) {
              throw call.error("c10d-counts", "counts has a negative entry, " + count);
            }
            rows[g][i][j] = count;
          }
        }
      }
    }

    long max() {
      long max = 0;
      for (long[][] group : rows) {
        for (long[] sender : group) {
          for (long count : sender) {
            max = Math.max(max, count);
          }
        }
      }
      return max;
    }

    long maxSent() {
      long max = 0;
      for (long[][] group : rows) {
        for (long[] sender : group) {
          max = Math.max(max, Arrays.stream(sender).sum());
        }
      }
      return max;
    }

    long maxReceived() {
      long max = 0;
      for (long entry : received()) {
        max = Math.max(max, entry);
      }
      return max;
    }

    /** Returns the rows that each rank gets in all. */
    long[] received() {
      long[] out = new long[groups.grid().size()];
      for (int r = 0; r < out.length; r++) {
        int group = groups.groupOf(r);
        for (int i = 0; group >= 0 && i < size; i++) {
          out[r] += rows[group][i][groups.indexOf(r)];
        }
      }
      return out;
    }

    /** Returns for each rank and receiver where that receiver's rows start in the operand. */
    long[][] sendOffsets() {
      long[][] out = new long[groups.grid().size()][size];
      for (int r = 0; r < out.length; r++) {
        for (int j = 1; groups.groupOf(r) >= 0 && j < size; j++) {
          out[r][j] = out[r][j - 1] + rows[groups.groupOf(r)][groups.indexOf(r)][j - 1];
        }
      }
      return out;
    }

    /** Returns for each rank and sender where that sender's rows start in the result. */
    long[][] receiveOffsets() {
      long[][] out = new long[groups.grid().size()][size];
      for (int r = 0; r < out.length; r++) {
        for (int i = 1; groups.groupOf(r) >= 0 && i < size; i++) {
          out[r][i] = out[r][i - 1] + rows[groups.groupOf(r)][i - 1][groups.indexOf(r)];
        }
      }
      return out;
    }
  }
}
