package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of plans. What flows between segments is known here by its native address alone: nobody
 * else sees it, and the run holds client and executables open.
 */
final class PlanRun {
  /** Launches that may be under way; more would only take memory. */
  private static final int UNDER_WAY = 64;

  private final PjrtPlans plans;
  private final PlanSchedule schedule;
  private final long api;

  /** Addresses of values that are there; 0 for others. */
  private final long[] values;

  private final @Nullable PjrtBuffer[] given;
  private final List<PjrtHandle> held = new ArrayList<>();
  private final List<PjrtBuffer> taken = new ArrayList<>();
  private long[] events = new long[64];
  private int eventCount;

  PlanRun(PjrtPlans plans, List<? extends List<PjrtBuffer>> arguments) {
    this.plans = plans;
    this.schedule = plans.schedule();
    this.api = plans.client().plugin().address();
    this.values = new long[schedule.values()];
    this.given = new PjrtBuffer[schedule.values()];
    for (int rank = 0; rank < arguments.size(); rank++) {
      ImmutableIntArray numbers = schedule.arguments().get(rank);
      for (int i = 0; i < numbers.length(); i++) {
        given[numbers.get(i)] = arguments.get(rank).get(i);
      }
    }
  }

  ImmutableList<ImmutableList<PjrtBuffer>> run() {
    boolean began = false;
    try {
      hold();
      began = true;
      for (int number = 0; number < schedule.launches().size(); number++) {
        launch(number);
      }
      await();
      return results();
    } catch (RuntimeException e) {
      abandon();
      throw e;
    } finally {
      held.forEach(PjrtHandle::release);
      for (PjrtBuffer buffer : taken) {
        if (began) {
          buffer.consume();
        } else {
          buffer.giveBack();
        }
      }
    }
  }

  /** As a launch of one executable does: what goes is taken first and waited for last. */
  private void hold() {
    for (int value = 0; value < given.length; value++) {
      PjrtBuffer buffer = given[value];
      if (buffer != null && plans.isDonated(value)) {
        values[value] = buffer.take("was donated to a run of plans");
        taken.add(buffer);
      }
    }
    for (int value = 0; value < given.length; value++) {
      PjrtBuffer buffer = given[value];
      if (buffer != null && !plans.isDonated(value)) {
        values[value] = buffer.acquire();
        held.add(buffer);
      }
    }
    for (PjrtExecutable executable : plans.executables()) {
      executable.acquire();
      held.add(executable);
    }
    taken.forEach(PjrtHandle::awaitUsers);
  }

  private void launch(int number) {
    PlannedLaunch launch = schedule.launches().get(number);
    PjrtExecutable executable = plans.executables().get(number);
    int devices = launch.ranks().length();
    if (eventCount > UNDER_WAY * devices) {
      await();
    }
    long[] inputs = new long[launch.inputs().length()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = values[launch.inputs().get(i)];
    }
    long[] out = new long[launch.outputs().length() + devices];
    try {
      PjrtNative.launch(
          api,
          executable.takenAddress(),
          inputs,
          devices,
          executable.outputCount(),
          launch.keep().toArray(),
          PjrtExecutable.nextLaunch(),
          devices == 1 ? plans.client().devices().get(launch.ranks().get(0)).address() : 0,
          false,
          out);
    } catch (PjrtException e) {
      throw PjrtPlans.in(launch, e);
    }
    for (int i = 0; i < launch.outputs().length(); i++) {
      values[launch.outputs().get(i)] = out[i];
    }
    if (events.length < eventCount + devices) {
      events = Arrays.copyOf(events, 2 * (eventCount + devices));
    }
    System.arraycopy(out, launch.outputs().length(), events, eventCount, devices);
    eventCount += devices;
    destroy(plans.dead(number));
  }

  private void destroy(ImmutableIntArray gone) {
    if (gone.isEmpty()) {
      return;
    }
    long[] addresses = new long[gone.length()];
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = values[gone.get(i)];
      values[gone.get(i)] = 0;
    }
    PjrtNative.destroyAll(api, PjrtNative.BUFFER_DESTROY, addresses, addresses.length);
  }

  private void await() {
    int count = eventCount;
    eventCount = 0;
    PjrtNative.await(api, events, count);
  }

  private ImmutableList<ImmutableList<PjrtBuffer>> results() {
    @Nullable PjrtBuffer[] made = given.clone();
    ImmutableList.Builder<ImmutableList<PjrtBuffer>> out = ImmutableList.builder();
    for (int rank = 0; rank < schedule.results().size(); rank++) {
      ImmutableList.Builder<PjrtBuffer> own = ImmutableList.builder();
      for (int value : schedule.results().get(rank).asList()) {
        PjrtBuffer buffer = made[value];
        if (buffer == null) {
          buffer = plans.client().buffer(values[value], plans.client().devices().get(rank));
          made[value] = buffer;
        }
        own.add(buffer);
      }
      out.add(own.build());
    }
    return out.build();
  }

  /** Gives back what a run that failed leaves behind, after everything under way has ended. */
  private void abandon() {
    try {
      await();
    } catch (PjrtException e) {
      // The first failure is told.
    }
    long[] left = new long[values.length];
    int count = 0;
    for (int value = 0; value < values.length; value++) {
      if (given[value] == null && values[value] != 0) {
        left[count++] = values[value];
      }
    }
    PjrtNative.destroyAll(api, PjrtNative.BUFFER_DESTROY, left, count);
  }
}
