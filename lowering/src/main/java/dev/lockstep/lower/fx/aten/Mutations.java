package dev.lockstep.lower.fx.aten;

import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Value;

/** Decides whether a tensor of the graph may be written to, and does it. */
public interface Mutations {
  /**
   * Makes {@code value} what {@code tensor} holds from here on.
   *
   * @param operator what writes, for the message
   * @throws dev.lockstep.hlo.diag.DiagnosticException when others would have to see the change
   */
  void write(Arg.Tensor tensor, Value value, String operator, Location location);
}
