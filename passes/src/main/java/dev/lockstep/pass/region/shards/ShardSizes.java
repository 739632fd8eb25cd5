package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.pass.region.align.AlignedBlock;
import dev.lockstep.pass.region.align.AlignedFunction;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.align.Alignment;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.merge.Sizes;
import java.util.LinkedHashMap;
import java.util.Map;

/** The sizes of one text for ranks whose shards are uneven. */
public final class ShardSizes {
  private ShardSizes() {}

  /**
   * Returns the sizes for all ranks.
   *
   * <p>A rank that gathers uneven shards writes the result as if all members held as much as it
   * does itself; what it means is the sum of what they hold. Reduce-scatters likewise.
   */
  public static Sizes of(Alignment alignment) {
    Map<ImmutableLongArray, Long> sums = new LinkedHashMap<>();
    for (AlignedFunction function : alignment.functions()) {
      collect(function.body(), alignment.classes(), sums);
    }
    return sums.isEmpty() ? Sizes.PLAIN : new Sizes(ImmutableMap.copyOf(sums));
  }

  private static void collect(
      AlignedBlock block, ProgramClasses classes, Map<ImmutableLongArray, Long> sums) {
    for (AlignedOp operation : block.operations()) {
      operation.regions().forEach(region -> collect(region, classes, sums));
      boolean gathers = operation.is(AllGather.DEF);
      if (!gathers && !operation.is(ReduceScatter.DEF)) {
        continue;
      }
      int dim =
          Math.toIntExact(
              gathers
                  ? AllGather.DIMENSION.get(operation.base())
                  : ReduceScatter.DIMENSION.get(operation.base()));
      for (int i = 0; i < operation.operands().size() && i < operation.results().size(); i++) {
        AlignedValue part = gathers ? operation.operand(i) : operation.results().get(i);
        AlignedValue whole = gathers ? operation.results().get(i) : operation.operand(i);
        if (!part.isTensor() || !whole.isTensor() || Sizes.isEqual(part.sizes(dim))) {
          continue;
        }
        long sum = ShardMembers.sum(operation, part.sizes(dim), classes);
        if (sum >= 0) {
          sums.put(whole.sizes(dim), sum);
        }
      }
    }
  }
}
