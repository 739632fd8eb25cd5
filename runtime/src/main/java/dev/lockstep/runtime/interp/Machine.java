package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.kernel.GeneratorState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of a program on a grid: all strands of all devices, and what is between devices. */
final class Machine {
  private final Program program;
  private final DeviceGrid grid;
  private final Assembly meetings;
  private final Post mail;
  private final @Nullable Far far;
  private final HostSide host;
  private final Crossings crossings;
  private final Map<Module, PlanSet> plans = new IdentityHashMap<>();
  private final Map<Datum.Future, Pending> futures = new IdentityHashMap<>();
  private final Map<Integer, GeneratorState> generators;
  private final List<Itinerary> mains = new ArrayList<>();

  /** Strands that programs have started and that have not ended. */
  private final List<Fiber> fibers = new ArrayList<>();

  private final List<Fiber> started = new ArrayList<>();

  Machine(Program program, DeviceGrid grid, InterpreterOptions options, HostSide host) {
    this(program, grid, options, host, null);
  }

  /**
   * Creates a run.
   *
   * @param far where the other devices are; null when all are here
   */
  Machine(
      Program program,
      DeviceGrid grid,
      InterpreterOptions options,
      HostSide host,
      @Nullable Far far) {
    this.program = program;
    this.grid = grid;
    this.host = host;
    this.far = far;
    Holder holder = new Holder(grid, this);
    this.meetings = far == null ? new Meetings(program.isOneText(), holder) : far.assembly(holder);
    this.mail = far == null ? new Mail(grid, options.rendezvous()) : far.post();
    this.generators = far == null ? new HashMap<>() : far.generators();
    this.crossings = new Crossings(grid, options.warnings());
  }

  /** Runs all devices to their ends. */
  ImmutableList<ImmutableList<Datum>> run(List<ImmutableList<Datum>> arguments) {
    EntryLayout layout = EntryLayout.of(program, grid);
    if (layout.isGlobal()) {
      return runShared(layout, arguments);
    }
    for (int device = 0; device < grid.size(); device++) {
      mains.add(new Itinerary(this, program, ImmutableIntArray.of(device), arguments.get(device)));
    }
    finish();
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (Itinerary main : mains) {
      out.add(main.results());
    }
    return out.build();
  }

  /** Runs a program over global arrays: one strand a replica. */
  private ImmutableList<ImmutableList<Datum>> runShared(
      EntryLayout layout, List<ImmutableList<Datum>> arguments) {
    for (int replica = 0; replica < grid.replicas(); replica++) {
      ImmutableIntArray.Builder devices = ImmutableIntArray.builder(grid.partitions());
      for (int partition = 0; partition < grid.partitions(); partition++) {
        devices.add(grid.device(replica, partition));
      }
      int first = grid.device(replica, 0);
      mains.add(
          new Itinerary(
              this,
              program,
              devices.build(),
              layout.join(arguments.subList(first, first + grid.partitions()))));
    }
    finish();
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (Itinerary main : mains) {
      out.addAll(layout.cut(main.results()));
    }
    return out.build();
  }

  /** Runs one device, whose peers are far, to its end. */
  ImmutableList<Datum> runOne(int device, ImmutableList<Datum> arguments) {
    Itinerary main = new Itinerary(this, program, ImmutableIntArray.of(device), arguments);
    mains.add(main);
    finish();
    return main.results();
  }

  private void finish() {
    while (advance()) {}
    while (isStuck()) {
      if (far == null) {
        throw Deadlock.report(mains, fibers);
      }
      far.await(Deadlock.waits(mains, fibers));
      while (advance()) {}
    }
    reportUnreceived();
  }

  private boolean isStuck() {
    return mains.stream().anyMatch(main -> main.current() != null)
        || fibers.stream().anyMatch(fiber -> !fiber.isFinished());
  }

  /** Lets every strand move as far as it can, in order; returns whether any moved. */
  private boolean advance() {
    boolean moved = false;
    for (Itinerary main : mains) {
      moved |= main.run();
      takeStarted();
    }
    for (int i = 0; i < fibers.size(); i++) {
      moved |= fibers.get(i).run();
      takeStarted();
    }
    fibers.removeIf(Fiber::isFinished);
    return moved;
  }

  private void takeStarted() {
    fibers.addAll(started);
    started.clear();
  }

  private void reportUnreceived() {
    ImmutableList.Builder<Diagnostic> out = ImmutableList.builder();
    for (Pending letter : mail.unreceived()) {
      out.add(
          Diagnostic.error(
              "unmatched-send",
              "the program has ended and this still waits for " + letter.awaited(),
              letter.operation().location()));
    }
    ImmutableList<Diagnostic> all = out.build();
    if (!all.isEmpty()) {
      throw new DiagnosticException(all);
    }
  }

  PlanSet plans(Module module) {
    return plans.computeIfAbsent(module, PlanSet::new);
  }

  Post mail() {
    return mail;
  }

  Crossings crossings() {
    return crossings;
  }

  HostSide host() {
    return host;
  }

  /**
   * Adds a strand, which runs at once as far as it can: collectives within join their groups in
   * program order.
   */
  Fiber spawn(Fiber fiber) {
    fiber.run();
    started.add(fiber);
    return fiber;
  }

  /** Returns a future whose results {@code pending} gives. */
  Datum.Future future(Pending pending) {
    // Equal to other futures, but looked up by identity.
    Datum.Future future = new Datum.Future(ImmutableList.of());
    futures.put(future, pending);
    return future;
  }

  /** Returns what a done operation waits for. */
  Pending pending(Datum started, OpPlan plan) {
    if (!(started instanceof Datum.Future)) {
      throw DiagnosticException.error(
          "not-started",
          plan.name() + " gets something that no start operation gave",
          plan.operation.location());
    }
    Pending pending = futures.get(started);
    return pending == null
        ? new Pending.Ready(plan.operation, ((Datum.Future) started).results())
        : pending;
  }

  /** Returns what {@code device} waits for at the collective {@code plan}. */
  Pending meet(
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands) {
    return meetings.arrive(device, plan, captured, operands);
  }

  /** Returns the results of an operation that needs no other device. */
  ImmutableList<Datum> evaluate(
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands) {
    Quantized quantized = plan.quantized;
    Semantics.BodyRunner bodies = bodies(device, plan, captured);
    if (quantized == null) {
      return evaluate(device, plan, plan.operation, operands, bodies);
    }
    return quantized.results(
        evaluate(
            device,
            plan,
            quantized.plain(),
            quantized.operands(operands),
            quantized.bodies(bodies)));
  }

  private ImmutableList<Datum> evaluate(
      int device,
      OpPlan plan,
      Operation operation,
      ImmutableList<Datum> operands,
      Semantics.BodyRunner bodies) {
    Semantics semantics = plan.semantics;
    try {
      if (semantics instanceof Semantics.Local) {
        return ((Semantics.Local) semantics).eval(operation, operands);
      }
      if (semantics instanceof Semantics.Regional) {
        return ((Semantics.Regional) semantics).eval(operation, operands, bodies);
      }
      if (semantics instanceof Semantics.PerDevice) {
        return ((Semantics.PerDevice) semantics).eval(operation, operands, device, grid);
      }
      if (semantics instanceof Semantics.Stateful) {
        GeneratorState state = generators.computeIfAbsent(device, GeneratorState::new);
        return ((Semantics.Stateful) semantics).eval(operation, operands, state);
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw failed(plan, e);
    } catch (ClassCastException | IndexOutOfBoundsException | NullPointerException e) {
      throw new CompilerBug(plan.name() + " at " + operation.location(), e);
    }
    throw DiagnosticException.error(
        "unsupported-op",
        plan.name()
            + " cannot be run here: "
            + (semantics instanceof Semantics.Unsupported
                ? ((Semantics.Unsupported) semantics).reason()
                : "no meaning is known"),
        operation.location());
  }

  static DiagnosticException failed(OpPlan plan, RuntimeException cause) {
    return DiagnosticException.error(
        "evaluation",
        plan.name() + " cannot be computed: " + cause.getMessage(),
        plan.operation.location());
  }

  /** Returns a runner for the bodies of an operation whose bodies do not communicate. */
  Semantics.BodyRunner bodies(
      int device, OpPlan plan, ImmutableList<ImmutableList<Datum>> captured) {
    return new Semantics.BodyRunner() {
      @Override
      public ImmutableList<Datum> run(int index, ImmutableList<Datum> arguments) {
        ImmutableList<Datum> outer =
            index < captured.size() ? captured.get(index) : ImmutableList.of();
        Fiber fiber =
            new Fiber(Machine.this, device, plan.body(index), arguments, outer, plan.operation, "");
        fiber.run();
        if (!fiber.isFinished()) {
          throw DiagnosticException.error(
              "body-communicates",
              "a body of " + plan.name() + " waits for other devices",
              plan.operation.location());
        }
        return fiber.results();
      }

      @Override
      public Block body(int index) {
        return plan.body(index).block();
      }
    };
  }
}
