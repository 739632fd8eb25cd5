package dev.lockstep.pass.canonical.fold;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import org.jspecify.annotations.Nullable;

/** One theme of simplifications. */
public interface FoldRule {
  /**
   * Returns values that stand for the results of {@code operation}, one a result, or null when the
   * rule does not apply.
   *
   * @param operation has no effects, and its operands are simplified already
   * @param facts what is known of its operands
   * @param builder builds in the place of {@code operation}
   */
  @Nullable ImmutableList<Value> apply(Operation operation, Facts facts, OpBuilder builder);
}
