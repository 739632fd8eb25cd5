package dev.lockstep.hlo.build;

import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;

/**
 * Builds operations one after the other, in the syntax of the module that is being rewritten, with
 * that syntax's attribute names and forms, fresh names and inferred result types.
 *
 * <p>Its layers are {@link BuilderCore} for attributes, results and places, {@link
 * ArithmeticBuilder}, {@link DataBuilder} for data movement, and {@link CollectiveBuilder} for
 * communication; users hold an {@code OpBuilder} and see all of them as one.
 *
 * <p>What the two syntaxes do differently stays inside: several results are a tuple and
 * get-tuple-elements in HLO, reducers are regions in StableHLO and shared computations in HLO.
 */
public final class OpBuilder extends CollectiveBuilder {

  /** Creates a builder without operations. */
  public OpBuilder(BuildScope scope) {
    super(scope);
  }

  /** Sets whose place in the source the next operations have, and returns this builder. */
  public OpBuilder at(Operation from) {
    place(from);
    return this;
  }

  /** Sets the place in the source that the next operations have, and returns this builder. */
  public OpBuilder at(Location place) {
    place(place);
    return this;
  }
}
