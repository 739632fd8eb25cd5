package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.Flattening;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The plans of all ranks on the devices of one client; rank {@code r} is device {@code r} in the
 * client's order.
 *
 * <p>Every segment is compiled once. Values go from segment to segment on the device, and are freed
 * with their last use. What the launches are and in which order they come is decided before the
 * first ({@link PlanSchedule}); a run then puts them on their way one after the other without
 * waiting, since the plugin makes each wait for what it needs, and waits for all at the end.
 */
public final class PjrtPlans {
  private final PjrtClient client;
  private final ImmutableList<ExecutionPlan> plans;
  private final DeviceGrid grid;
  private final PlanSchedule schedule;
  private final ImmutableList<PjrtExecutable> executables;
  private final ImmutableList<ImmutableIntArray> dead;
  private final boolean[] isDonated;

  private PjrtPlans(
      PjrtClient client,
      List<ExecutionPlan> plans,
      DeviceGrid grid,
      PlanSchedule schedule,
      ImmutableList<PjrtExecutable> executables) {
    this.client = client;
    this.plans = ImmutableList.copyOf(plans);
    this.grid = grid;
    this.schedule = schedule;
    this.executables = executables;
    this.isDonated = new boolean[schedule.values()];
    for (PlannedLaunch launch : schedule.launches()) {
      for (int i = 0; i < launch.inputs().length(); i++) {
        isDonated[launch.inputs().get(i)] |= launch.isDonated(i);
      }
    }
    this.dead = dead(schedule);
  }

  /**
   * Compiles plans: one for all ranks, or one for each.
   *
   * @param grid the ranks; no more than the client has devices
   * @throws DiagnosticException if the plans do not fit each other, before anything reaches the
   *     plugin, or a segment must not reach it
   * @throws PjrtException if the plugin refuses a segment
   */
  public static PjrtPlans compile(
      ExecutableCache cache, List<ExecutionPlan> plans, DeviceGrid grid) {
    PlanSchedule schedule = PlanSchedule.of(plans, grid);
    PjrtClient client = cache.client();
    if (client.devices().size() < grid.size()) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "the plans are for "
              + grid.size()
              + " devices, the client has "
              + client.devices().size());
    }
    ImmutableList.Builder<PjrtExecutable> executables = ImmutableList.builder();
    for (PlannedLaunch launch : schedule.launches()) {
      try {
        executables.add(cache.get(launch.module(), options(client, launch)));
      } catch (PjrtException e) {
        throw in(launch, e);
      }
    }
    return new PjrtPlans(client, plans, grid, schedule, executables.build());
  }

  private static CompileOptions options(PjrtClient client, PlannedLaunch launch) {
    if (launch.ranks().length() == 1) {
      return CompileOptions.portable();
    }
    ImmutableIntArray.Builder ids = ImmutableIntArray.builder();
    launch.ranks().forEach(rank -> ids.add(client.devices().get(rank).id()));
    return CompileOptions.grid(launch.ranks().length(), 1).onDevices(ids.build());
  }

  static PjrtException in(PlannedLaunch launch, PjrtException e) {
    PjrtException out =
        new PjrtException(e.code(), "segment " + launch.name() + ": " + e.getMessage());
    out.initCause(e);
    return out;
  }

  /** Returns, for each launch, the values that nothing needs after it and no caller holds. */
  private static ImmutableList<ImmutableIntArray> dead(PlanSchedule schedule) {
    int[] last = new int[schedule.values()];
    Arrays.fill(last, -1);
    int number = 0;
    for (PlannedLaunch launch : schedule.launches()) {
      int here = number++;
      launch.inputs().forEach(value -> last[value] = here);
      // What nobody takes is dead when it is there.
      launch.outputs().forEach(value -> last[value] = here);
    }
    schedule.results().forEach(of -> of.forEach(value -> last[value] = -1));
    schedule.arguments().forEach(of -> of.forEach(value -> last[value] = -1));
    List<ImmutableIntArray.Builder> out = new ArrayList<>();
    schedule.launches().forEach(launch -> out.add(ImmutableIntArray.builder()));
    for (int value = 0; value < last.length; value++) {
      if (last[value] >= 0) {
        out.get(last[value]).add(value);
      }
    }
    return out.stream()
        .map(ImmutableIntArray.Builder::build)
        .collect(ImmutableList.toImmutableList());
  }

  /** Returns how many launches a run is. */
  public int launches() {
    return schedule.launches().size();
  }

  /**
   * Runs once.
   *
   * @param arguments for each rank, its arguments
   * @return for each rank, its results, in the order of its plan
   * @throws PjrtException if a segment fails
   */
  public ImmutableList<ImmutableList<Datum>> run(List<ImmutableList<Datum>> arguments) {
    List<List<PjrtBuffer>> inputs = upload(arguments);
    try {
      return PjrtRunner.download(execute(inputs));
    } finally {
      inputs.forEach(rank -> rank.forEach(PjrtBuffer::close));
    }
  }

  /** Copies arguments to the devices; the caller closes the buffers. */
  public List<List<PjrtBuffer>> upload(List<ImmutableList<Datum>> arguments) {
    List<List<PjrtBuffer>> out = new ArrayList<>();
    try {
      for (int rank = 0; rank < grid.size(); rank++) {
        ImmutableList<Literal> literals = Flattening.flatten(arguments.get(rank));
        List<PjrtBuffer> own = new ArrayList<>();
        out.add(own);
        checkCount(rank, literals.size());
        for (int i = 0; i < literals.size(); i++) {
          Literal literal = literals.get(i);
          checkType(rank, i, literal.type());
          own.add(client.toDevice(literal, client.devices().get(rank)));
        }
      }
    } catch (RuntimeException e) {
      out.forEach(rank -> rank.forEach(PjrtBuffer::close));
      throw e;
    }
    return out;
  }

  private void checkType(int rank, int argument, TensorType type) {
    PlanValue wanted = plans.get(plans.size() == 1 ? 0 : rank).arguments().get(argument);
    if (!type.isSameShape(wanted.type())) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          String.format(
              "argument %d of rank %d is a %s, must be a %s", argument, rank, type, wanted.type()));
    }
  }

  private void checkCount(int rank, int count) {
    int wanted = schedule.arguments().get(rank).length();
    if (count != wanted) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "rank " + rank + " has " + count + " arguments, its plan takes " + wanted);
    }
  }

  /**
   * Runs once and waits for the end.
   *
   * <p>Arguments that a segment may take over are donated: they are closed once the run has begun.
   *
   * @param arguments for each rank, its arguments, which live on its device
   * @return for each rank, its results, which the caller closes; a result that is an argument is
   *     the caller's buffer
   * @throws PjrtException if the arguments do not fit, or a segment fails
   * @throws IllegalStateException if an argument is closed, or was donated
   */
  public ImmutableList<ImmutableList<PjrtBuffer>> execute(
      List<? extends List<PjrtBuffer>> arguments) {
    if (arguments.size() != grid.size()) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "arguments for " + arguments.size() + " ranks, the plans are for " + grid.size());
    }
    for (int rank = 0; rank < grid.size(); rank++) {
      List<PjrtBuffer> own = arguments.get(rank);
      checkCount(rank, own.size());
      for (int i = 0; i < own.size(); i++) {
        if (!own.get(i).device().equals(client.devices().get(rank))) {
          throw new PjrtException(
              PjrtCode.INVALID_ARGUMENT,
              String.format(
                  "argument %d of rank %d lives on %s, the rank is %s",
                  i, rank, own.get(i).device(), client.devices().get(rank)));
        }
        checkType(rank, i, own.get(i).type());
      }
    }
    return client.use(unused -> new PlanRun(this, arguments).run());
  }

  PjrtClient client() {
    return client;
  }

  PlanSchedule schedule() {
    return schedule;
  }

  ImmutableList<PjrtExecutable> executables() {
    return executables;
  }

  /** Returns the values that end with launch {@code number}. */
  ImmutableIntArray dead(int number) {
    return dead.get(number);
  }

  boolean isDonated(int value) {
    return isDonated[value];
  }
}
