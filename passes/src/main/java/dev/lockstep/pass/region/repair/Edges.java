package dev.lockstep.pass.region.repair;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.merge.BlockMerge;
import java.util.ArrayList;
import java.util.List;

/** Lists of numbers, one a dimension, that differ between ranks. */
final class Edges {
  /** What positions are counted in, in tables that shift data. */
  static final ElementType INDEX = ElementType.I32;

  private Edges() {}

  /** Returns for each class the entry of {@code key} for dimension {@code dim}. */
  static long[] of(AlignedOp operation, AttrKey<ImmutableLongArray> key, int dim) {
    long[] out = new long[operation.operations().size()];
    for (int k = 0; k < out.length; k++) {
      Operation each = operation.operations().get(k);
      out[k] = key.get(each).get(dim);
    }
    return out;
  }

  /** Returns whether all are the same. */
  static boolean isEqual(long[] byClass) {
    for (long each : byClass) {
      if (each != byClass[0]) {
        return false;
      }
    }
    return true;
  }

  static long max(long[] byClass) {
    long out = byClass[0];
    for (long each : byClass) {
      out = Math.max(out, each);
    }
    return out;
  }

  static long min(long[] byClass) {
    long out = byClass[0];
    for (long each : byClass) {
      out = Math.min(out, each);
    }
    return out;
  }

  /** Returns one scalar a dimension: the entry of {@code byClass} that belongs to the rank. */
  static List<Value> starts(List<long[]> byClass, BlockMerge merge) {
    List<Value> out = new ArrayList<>();
    byClass.forEach(each -> out.add(merge.tables().number(each, INDEX, merge.builder())));
    return out;
  }
}
