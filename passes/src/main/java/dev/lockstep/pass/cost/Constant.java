package dev.lockstep.pass.cost;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * A number that the model takes from outside.
 *
 * @param value the number, not negative
 * @param unit its unit
 * @param source where it comes from: a data sheet, a measurement, or a stated assumption
 */
public record Constant(double value, String unit, String source) {
  /** Checks that all is there. */
  public Constant {
    checkArgument(value >= 0 && value < Double.POSITIVE_INFINITY, "%s is no constant", value);
    requireNonNull(unit);
    checkArgument(!source.isBlank(), "a constant needs a source");
  }
}
