package dev.lockstep.pass.region.diff;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import org.jspecify.annotations.Nullable;

/**
 * One place where a program differs from the reference, which is what most ranks run.
 *
 * @param kind in what
 * @param what what differs, {@code low padding}; empty where the kind says it all
 * @param reference the operation of the reference, null when it has none
 * @param referenceLocation the place in the reference
 * @param referenceText what the reference has
 * @param other the operation of the other program, null when it has none
 * @param otherLocation the place in the other program
 * @param otherText what the other has
 * @param numbers the numbers on both sides where what differs are as many integers
 */
public record Difference(
    DifferenceKind kind,
    String what,
    @Nullable Operation reference,
    Location referenceLocation,
    String referenceText,
    @Nullable Operation other,
    Location otherLocation,
    String otherText,
    @Nullable Numbers numbers) {

  /** What differs, as integers of both sides. */
  public record Numbers(ImmutableLongArray reference, ImmutableLongArray other) {}
}
