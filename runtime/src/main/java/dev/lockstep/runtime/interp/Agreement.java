package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.Type;
import java.util.Objects;
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
   * Checks the {@code number}-th collective (from 0) of a group.
   *
   * @throws DiagnosticException that names both places when they differ
   */
  static void check(Meeting.Arrival first, Meeting.Arrival second, int number) {
    Operation there = first.plan().operation;
    Operation here = second.plan().operation;
    if (there == here) {
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
                here.location())
            .withNote(
                String.format("device %d is at this %s", first.device(), first.plan().name()),
                there.location()));
  }

  private static @Nullable String difference(Meeting.Arrival first, Meeting.Arrival second) {
    Operation there = first.plan().operation;
    Operation here = second.plan().operation;
    if (here.def() != there.def()) {
      return sides(second, second.plan().name(), first, first.plan().name());
    }
    if (!first.members().equals(second.members())) {
      return "members are " + sides(second, second.members(), first, first.members());
    }
    String types = types("operands", second, here.operandTypes(), first, there.operandTypes());
    if (types == null) {
      types = types("results", second, here.resultTypes(), first, there.resultTypes());
    }
    if (types != null) {
      return types;
    }
    for (AttrKey<?> key : here.def().attributes()) {
      if (isNumberOnly(key)) {
        if ((key.raw(here) == null) != (key.raw(there) == null)) {
          return "only one of them has " + key.mlirName();
        }
        continue;
      }
      Object a = key.find(here);
      Object b = key.find(there);
      if (!Objects.equals(a, b) && !groupsKey(a, b)) {
        return key.mlirName() + " is " + sides(second, a, first, b);
      }
    }
    String hereFolds = reducer(second);
    String thereFolds = reducer(first);
    return hereFolds.equals(thereFolds)
        ? null
        : "reduction is " + sides(second, hereFolds, first, thereFolds);
  }

  /** Returns the operations of the reducer in order; empty when the op has none. */
  private static String reducer(Meeting.Arrival arrival) {
    StringBuilder out = new StringBuilder();
    for (Block body : Bodies.of(arrival.plan().operation, arrival.plan().module())) {
      for (Operation operation : body.operations()) {
        if (!operation.is(BuiltinOps.PARAMETER) && !operation.def().isTerminator()) {
          out.append(out.length() == 0 ? "" : ", ").append(operation.def().shortName());
        }
      }
    }
    return out.toString();
  }

  /** Groups are compared as what they mean, which the members are. */
  private static boolean groupsKey(@Nullable Object a, @Nullable Object b) {
    return a instanceof dev.lockstep.hlo.grid.ReplicaGroups
        || b instanceof dev.lockstep.hlo.grid.ReplicaGroups;
  }

  private static boolean isNumberOnly(AttrKey<?> key) {
    return key.mlirName().startsWith("channel_") || key.hloName().startsWith("channel_");
  }

  private static @Nullable String types(
      String what,
      Meeting.Arrival second,
      ImmutableList<Type> here,
      Meeting.Arrival first,
      ImmutableList<Type> there) {
    boolean same = here.size() == there.size();
    for (int i = 0; same && i < here.size(); i++) {
      same = here.get(i).isSameShape(there.get(i));
    }
    return same ? null : what + " are " + sides(second, here, first, there);
  }

  private static String sides(
      Meeting.Arrival second,
      @Nullable Object here,
      Meeting.Arrival first,
      @Nullable Object there) {
    return String.format(
        "%s on device %d, %s on device %d", here, second.device(), there, first.device());
  }
}
