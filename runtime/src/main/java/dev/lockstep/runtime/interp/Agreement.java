package dev.lockstep.runtime.interp;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import org.jspecify.annotations.Nullable;

/**
 * Whether two devices that run different texts have come to the same collective.
 *
 * <p>The op, the types of operands and results, the order of the members, the reducer's operations
 * and the op's own attributes must agree. Channel numbers need not: ranks that take part in
 * different groups count them differently, and the order within the group decides.
 */
final class Agreement {
  private Agreement() {}

  /**
   * A device at a collective.
   *
   * @param members the members of the group in the order of its text
   */
  record Side(int device, CallDescription call, ImmutableIntArray members) {}

  /**
   * Checks the {@code number}-th collective (from 0) of a group.
   *
   * @throws DiagnosticException that names both places when they differ
   */
  static void check(Side first, Side second, int number) {
    if (first.call() == second.call() && first.members().equals(second.members())) {
      return;
    }
    String difference = difference(first, second);
    if (difference == null) {
      return;
    }
    throw new DiagnosticException(
        Diagnostic.error(
                "collective-mismatch",
                String.format(
                    "collective number %d of the group %s differs: %s",
                    number + 1, Wording.sorted(second.members()), difference),
                second.call().place().get())
            .withNote(
                String.format("device %d is at this %s", first.device(), first.call().name()),
                first.call().place().get()));
  }

  private static @Nullable String difference(Side first, Side second) {
    CallDescription there = first.call();
    CallDescription here = second.call();
    if (!here.op().equals(there.op())) {
      return sides(second, here.name(), first, there.name());
    }
    if (!first.members().equals(second.members())) {
      return "members are " + sides(second, second.members(), first, first.members());
    }
    if (!here.operands().equals(there.operands())) {
      return "operands are " + sides(second, here.operands(), first, there.operands());
    }
    if (!here.results().equals(there.results())) {
      return "results are " + sides(second, here.results(), first, there.results());
    }
    int attributes = Math.min(here.attributes().size(), there.attributes().size());
    for (int i = 0; i < attributes; i++) {
      CallDescription.Property a = here.attributes().get(i);
      CallDescription.Property b = there.attributes().get(i);
      if (!a.value().equals(b.value())) {
        return a.name().startsWith("channel_")
            ? "only one of them has " + a.name()
            : a.name() + " is " + sides(second, said(a), first, said(b));
      }
    }
    return here.reduction().equals(there.reduction())
        ? null
        : "reduction is " + sides(second, here.reduction(), first, there.reduction());
  }

  private static @Nullable String said(CallDescription.Property attribute) {
    return attribute.value().isEmpty() ? null : attribute.value();
  }

  private static String sides(
      Side second, @Nullable Object here, Side first, @Nullable Object there) {
    return String.format(
        "%s on device %d, %s on device %d", here, second.device(), there, first.device());
  }
}
