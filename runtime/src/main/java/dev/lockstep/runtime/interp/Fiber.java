package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.TupleType;
import org.jspecify.annotations.Nullable;

/**
 * One strand of execution on one device: a stack of frames. A device has one for its program and
 * one for each asynchronous computation that it started. Runs until it waits or ends.
 */
final class Fiber implements Pending {
  private static final int MAX_DEPTH = 2000;
  private static final AttrKey<Long> INDEX = AttrKeys.integer("index", "index");

  private final Machine machine;
  private final Crew crew;
  private final Operation startedBy;
  private @Nullable Frame top;
  private @Nullable Pending waiting;
  private ImmutableList<Datum> returned = ImmutableList.of();

  /**
   * Creates a strand on one device.
   *
   * @param startedBy the operation that diagnostics name as its start
   * @param stage what diagnostics call the program that it runs; empty when there is only one
   */
  Fiber(
      Machine machine,
      int device,
      BlockPlan plan,
      ImmutableList<Datum> arguments,
      ImmutableList<Datum> captured,
      Operation startedBy,
      String stage) {
    this(machine, ImmutableIntArray.of(device), plan, arguments, captured, startedBy, stage);
  }

  /** Creates a strand that stands for several devices, which share values; see {@link Spread}. */
  Fiber(
      Machine machine,
      ImmutableIntArray devices,
      BlockPlan plan,
      ImmutableList<Datum> arguments,
      ImmutableList<Datum> captured,
      Operation startedBy,
      String stage) {
    this(
        new Crew(machine, devices, stage),
        enter(plan, arguments, captured, null, startedBy),
        startedBy);
  }

  /** Creates a strand that goes on from {@code top}. */
  Fiber(Crew crew, Frame top, Operation startedBy) {
    this.machine = crew.machine();
    this.crew = crew;
    this.startedBy = startedBy;
    this.top = top;
  }

  /** Returns the devices it stands for: one, except in programs over global arrays. */
  ImmutableIntArray devices() {
    return crew.devices();
  }

  /** Returns what diagnostics call the program that it runs; empty when there is only one. */
  String stage() {
    return crew.stage();
  }

  boolean isFinished() {
    return top == null;
  }

  /** Returns what it waits for, or null. */
  @Nullable Pending waiting() {
    return waiting;
  }

  /** Returns the operation at which it waits, or null. */
  @Nullable OpPlan waitingAt() {
    Frame frame = top;
    return waiting == null || frame == null ? null : frame.plan.operations()[frame.position];
  }

  @Override
  public boolean isReady() {
    return isFinished();
  }

  @Override
  public ImmutableList<Datum> results() {
    return returned;
  }

  @Override
  public Operation operation() {
    return startedBy;
  }

  @Override
  public String awaited() {
    Pending inner = waiting;
    return inner == null ? "" : inner.awaited();
  }

  @Override
  public ImmutableList<Integer> missing() {
    Pending inner = waiting;
    return inner == null ? ImmutableList.of() : inner.missing();
  }

  /** Runs until it ends or waits for something that is not there; returns whether it moved. */
  boolean run() {
    boolean moved = false;
    while (true) {
      Frame frame = top;
      if (frame == null) {
        return moved;
      }
      Pending awaited = waiting;
      if (awaited != null) {
        if (!awaited.isReady()) {
          return moved;
        }
        waiting = null;
        finish(frame, frame.plan.operations()[frame.position], awaited.results());
      } else if (frame.position == frame.plan.operations().length) {
        ImmutableList<Datum> results = frame.read(frame.plan.returnSlots());
        top = frame.caller;
        if (top == null) {
          returned = results;
        } else {
          bodyReturned(top, top.plan.operations()[top.position], results);
        }
      } else {
        step(frame, frame.plan.operations()[frame.position]);
      }
      moved = true;
    }
  }

  private static Frame enter(
      BlockPlan plan,
      ImmutableList<Datum> arguments,
      ImmutableList<Datum> captured,
      @Nullable Frame caller,
      Operation by) {
    Fits.arguments(plan.arguments(), arguments, by);
    Frame frame = new Frame(plan, arguments, captured, caller);
    if (frame.depth > MAX_DEPTH) {
      throw DiagnosticException.error(
          "too-deep", "more than " + MAX_DEPTH + " calls are nested", by.location());
    }
    return frame;
  }

  private void push(Frame frame, OpPlan operation, int body, ImmutableList<Datum> arguments) {
    top =
        enter(
            operation.body(body),
            arguments,
            frame.read(operation.captures(body)),
            frame,
            operation.operation);
  }

  private void finish(Frame frame, OpPlan operation, ImmutableList<Datum> results) {
    ImmutableList<Datum> packed = operation.pack(results);
    Fits.results(operation, packed);
    frame.finish(operation, packed);
  }

  private void step(Frame frame, OpPlan plan) {
    ImmutableList<Datum> constant = plan.constant;
    if (constant != null) {
      frame.finish(plan, constant);
      return;
    }
    ImmutableList<Datum> operands = frame.read(plan.operandSlots);
    Semantics semantics = plan.semantics;
    if (semantics instanceof Semantics.Control) {
      control((Semantics.Control) semantics, frame, plan, operands);
    } else if (semantics instanceof Semantics.Collective) {
      await(frame, plan, crew.meet(frame, plan, operands));
    } else {
      ImmutableList<Datum> results = crew.evaluate(frame, plan, operands);
      finish(frame, plan, results);
      if (operands.isEmpty() && plan.operation.def().has(Trait.CONSTANT)) {
        plan.constant = plan.pack(results);
      }
    }
  }

  /** Waits for {@code pending}, or goes on with a future of it where the op only starts. */
  private void await(Frame frame, OpPlan plan, Pending pending) {
    if (plan.operation.def().has(Trait.ASYNC)) {
      finish(frame, plan, ImmutableList.of(machine.future(pending)));
    } else {
      waiting = pending;
    }
  }

  private void control(
      Semantics.Control kind, Frame frame, OpPlan plan, ImmutableList<Datum> operands) {
    if (crew.goesApart(kind, frame, plan, operands)) {
      waiting = crew.apart(frame, plan);
      return;
    }
    switch (kind) {
      case CALL -> push(frame, plan, 0, operands);
      case MANUAL ->
          waiting =
              machine
                  .crossings()
                  .manual(crew, plan, frame.plan.block(), frame.read(plan.captures(0)), operands);
      case TO_PARTS ->
          finish(
              frame,
              plan,
              machine.crossings().toParts(plan, frame.plan.block(), devices(), operands));
      case FROM_PARTS ->
          finish(frame, plan, machine.crossings().fromParts(plan, devices(), operands));
      case WHILE -> {
        frame.carried = operands;
        frame.inCondition = true;
        push(frame, plan, 0, operands);
      }
      case IF, CASE, CONDITIONAL -> branch(frame, plan, operands);
      case FORWARD ->
          finish(
              frame,
              plan,
              operands.size() == plan.resultSlots.length
                  ? operands
                  : operands.subList(0, plan.resultSlots.length));
      case TUPLE -> {
        ImmutableList<Datum> tuple = ImmutableList.of(new Datum.Tuple(operands));
        Fits.results(plan, tuple);
        frame.finish(plan, tuple);
      }
      case GET_TUPLE_ELEMENT -> finish(frame, plan, element(plan.operation, operands.get(0)));
      case AFTER_ALL -> finish(frame, plan, ImmutableList.of(Datum.Token.TOKEN));
      case ASYNC_START -> {
        Fiber started =
            machine.spawn(
                new Fiber(
                    machine,
                    devices(),
                    plan.body(0),
                    operands,
                    frame.read(plan.captures(0)),
                    plan.operation,
                    stage()));
        finish(frame, plan, ImmutableList.of(machine.future(started)));
      }
      case ASYNC_UPDATE -> finish(frame, plan, operands);
      case ASYNC_DONE, SEND_DONE, RECV_DONE -> waiting = machine.pending(operands.get(0), plan);
      case PARAMETER, RETURN ->
          throw DiagnosticException.error(
              "evaluation", plan.name() + " stands where it cannot", plan.operation.location());
      case INFEED -> finish(frame, plan, machine.host().infeed(plan.operation));
      case OUTFEED -> finish(frame, plan, ImmutableList.of(Datum.Token.TOKEN));
      case RUN_PARALLEL ->
          finish(frame, plan, machine.host().runGrid(plan.module(), plan.operation, operands));
      case PROBE -> {
        machine.host().probe(plan.operation, operands.get(0));
        finish(frame, plan, operands);
      }
      case EXPECT_PROBED -> {
        machine.host().expectProbed(plan.operation, operands.get(0));
        finish(frame, plan, ImmutableList.of());
      }
      case PRINT -> {
        machine.host().print(operands.get(0));
        finish(frame, plan, ImmutableList.of());
      }
      case SEND -> {
        Pending sent = crew.send(plan, operands);
        if (isStart(plan.operation)) {
          finish(frame, plan, ImmutableList.of(machine.future(sent)));
        } else {
          waiting = sent;
        }
      }
      case RECV -> {
        Pending received = crew.receive(plan);
        if (isStart(plan.operation)) {
          finish(frame, plan, ImmutableList.of(machine.future(received)));
        } else {
          waiting = received;
        }
      }
    }
  }

  /** Returns whether the operation only starts: HLO's forms give a tuple for their done. */
  private static boolean isStart(Operation operation) {
    return operation.results().size() == 1
        && operation.results().get(0).type() instanceof TupleType;
  }

  private static ImmutableList<Datum> element(Operation operation, Datum tuple) {
    if (tuple instanceof Datum.Future) {
      // A part of what a start operation gives; only its done operation looks inside.
      return ImmutableList.of(tuple);
    }
    return ImmutableList.of(
        ((Datum.Tuple) tuple).elements().get(Math.toIntExact(INDEX.get(operation))));
  }

  private void branch(Frame frame, OpPlan plan, ImmutableList<Datum> operands) {
    Literal selector = (Literal) operands.get(0);
    int last = plan.bodyCount() - 1;
    int index;
    if (selector.element().isBool()) {
      index = selector.getBoolean(0) ? 0 : 1;
    } else {
      long chosen = selector.getLong(0);
      index = chosen < 0 || chosen > last ? last : (int) chosen;
    }
    push(
        frame,
        plan,
        index,
        operands.size() == 1 ? ImmutableList.of() : ImmutableList.of(operands.get(1 + index)));
  }

  private void bodyReturned(Frame frame, OpPlan plan, ImmutableList<Datum> results) {
    if (plan.semantics != Semantics.Control.WHILE) {
      finish(frame, plan, results);
    } else if (!frame.inCondition) {
      frame.carried = results;
      frame.inCondition = true;
      push(frame, plan, 0, results);
    } else if (results.get(0) instanceof Datum.Split) {
      throw Crossings.apart(plan);
    } else if (((Literal) results.get(0)).getBoolean(0)) {
      frame.inCondition = false;
      push(frame, plan, 1, frame.carried);
    } else {
      finish(frame, plan, frame.carried);
    }
  }
}
