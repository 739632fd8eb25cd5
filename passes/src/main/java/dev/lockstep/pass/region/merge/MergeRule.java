package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.region.align.AlignedOp;

/** Writes operations that differ from rank to rank as operations that do not. Stateless. */
public interface MergeRule {
  /** Returns whether this rule is for {@code operation}; it may still refuse it. */
  boolean applies(AlignedOp operation, BlockMerge merge);

  /**
   * Returns what stands for the results of {@code operation}, built with {@link
   * BlockMerge#builder}.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if it cannot be written for all ranks; the
   *     merge goes on to find more
   */
  ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge);
}
