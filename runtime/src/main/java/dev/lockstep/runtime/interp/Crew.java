package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.Semantics;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices that a strand stands for, and what they do at an operation: one thing for all where
 * they share its operands, else each its own.
 */
final class Crew {
  private final Machine machine;
  private final ImmutableIntArray devices;
  private final String stage;

  /**
   * Creates a crew.
   *
   * @param stage what diagnostics call the program that it runs; empty when there is only one
   */
  Crew(Machine machine, ImmutableIntArray devices, String stage) {
    this.machine = machine;
    this.devices = devices;
    this.stage = stage;
  }

  Machine machine() {
    return machine;
  }

  String stage() {
    return stage;
  }

  /** Returns a crew of some of the devices. */
  Crew of(ImmutableIntArray some) {
    return new Crew(machine, some, stage);
  }

  ImmutableIntArray devices() {
    return devices;
  }

  private boolean isOne() {
    return devices.length() == 1;
  }

  private interface OnePart {
    Pending of(int part);
  }

  /** Returns what all devices wait for, each for its own. */
  private Pending each(OpPlan plan, OnePart one) {
    if (isOne()) {
      return one.of(0);
    }
    ImmutableList.Builder<Pending> all = ImmutableList.builder();
    for (int part = 0; part < devices.length(); part++) {
      all.add(one.of(part));
    }
    return new Together(plan.operation, all.build(), Spread::joinLists);
  }

  private ImmutableList<Datum> part(ImmutableList<Datum> values, int part) {
    return isOne() ? values : Spread.of(values, part);
  }

  private ImmutableList<ImmutableList<Datum>> parts(
      ImmutableList<ImmutableList<Datum>> lists, int part) {
    return isOne() || lists.isEmpty()
        ? lists
        : lists.stream()
            .map(list -> Spread.of(list, part))
            .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<ImmutableList<Datum>> captured(Frame frame, OpPlan plan) {
    if (plan.captures.length == 0) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int[] slots : plan.captures) {
      out.add(frame.read(slots));
    }
    return out.build();
  }

  /** Returns the results of an operation that needs no other device. */
  ImmutableList<Datum> evaluate(Frame frame, OpPlan plan, ImmutableList<Datum> operands) {
    ImmutableList<ImmutableList<Datum>> captured = captured(frame, plan);
    if (isOne()
        || !plan.dependsOnDevice
            && !Spread.isSplit(operands)
            && captured.stream().noneMatch(Spread::isSplit)) {
      return machine.evaluate(devices.get(0), plan, captured, operands);
    }
    List<ImmutableList<Datum>> each = new ArrayList<>();
    for (int part = 0; part < devices.length(); part++) {
      each.add(
          machine.evaluate(devices.get(part), plan, parts(captured, part), part(operands, part)));
    }
    return Spread.joinLists(each);
  }

  /** Returns what the devices wait for at a collective. */
  Pending meet(Frame frame, OpPlan plan, ImmutableList<Datum> operands) {
    ImmutableList<ImmutableList<Datum>> captured = captured(frame, plan);
    return each(
        plan,
        part -> machine.meet(devices.get(part), plan, parts(captured, part), part(operands, part)));
  }

  Pending send(OpPlan plan, ImmutableList<Datum> operands) {
    return each(
        plan, part -> machine.mail().send(devices.get(part), plan.operation, part(operands, part)));
  }

  Pending receive(OpPlan plan) {
    return each(plan, part -> machine.mail().receive(devices.get(part), plan.operation));
  }

  /** Returns whether devices that share values may go different ways here. */
  boolean goesApart(
      Semantics.Control kind, Frame frame, OpPlan plan, ImmutableList<Datum> operands) {
    return switch (kind) {
      case WHILE, IF, CASE, CONDITIONAL ->
          !isOne()
              && (Spread.isSplit(operands)
                  || captured(frame, plan).stream().anyMatch(Spread::isSplit));
      default -> false;
    };
  }

  /** Runs one operation as strands of their own, one a device. */
  Pending apart(Frame frame, OpPlan plan) {
    return each(
        plan,
        part ->
            machine.spawn(
                new Fiber(
                    of(ImmutableIntArray.of(devices.get(part))),
                    frame.alone(part),
                    plan.operation)));
  }
}
