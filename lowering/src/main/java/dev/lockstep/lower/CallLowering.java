package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;

/**
 * Writes one torch.distributed call as XLA ops. Stateless; one file a call.
 *
 * <p>The text that is written is the same on every rank: nothing of a rank's own number is in it.
 */
interface CallLowering {
  /** Returns the names of the custom calls that this lowers. */
  ImmutableList<String> targets();

  /** Returns the config entries that the call may have beside {@code groups}. */
  ImmutableSet<String> entries();

  /**
   * Writes the ops and returns one value for each result of the call.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if the call is wrong
   */
  ImmutableList<Value> lower(C10dCall call, CallGroups groups, Scope scope);
}
