package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far one device is with what it runs: one program, or the stages of a track. */
final class Itinerary {
  private final Machine machine;
  private final ImmutableIntArray devices;
  private final @Nullable Track track;
  private final List<Literal> values = new ArrayList<>();
  private @Nullable Fiber current;
  private int next;
  private ImmutableList<Datum> results = ImmutableList.of();

  /** Starts {@code devices}, which share values when they are several, with {@code program}. */
  Itinerary(
      Machine machine, Program program, ImmutableIntArray devices, ImmutableList<Datum> arguments) {
    this.machine = machine;
    this.devices = devices;
    int device = devices.get(0);
    this.track = program.track(device);
    if (track == null) {
      Function entry = program.entry(device);
      current =
          new Fiber(
              machine,
              devices,
              machine.plans(program.module(device)).plan(entry.body()),
              arguments,
              ImmutableList.of(),
              entry.operation(),
              "");
    } else {
      arguments.forEach(argument -> values.add((Literal) argument));
      startStages(track);
    }
  }

  /** Starts the next stage, and ends when there is none. */
  private void startStages(Track all) {
    if (next == all.stages().size()) {
      current = null;
      ImmutableList.Builder<Datum> given = ImmutableList.builder();
      all.results().stream().forEach(number -> given.add(values.get(number)));
      results = given.build();
      return;
    }
    Stage stage = all.stages().get(next++);
    Function entry = stage.module().requireEntry();
    ImmutableIntArray inputs = stage.inputs();
    current =
        new Fiber(
            machine,
            devices,
            machine.plans(stage.module()).plan(entry.body()),
            Flattening.pack(
                entry, devices.get(0), (index, of, type) -> values.get(inputs.get(index))),
            ImmutableList.of(),
            entry.operation(),
            stage.name());
  }

  ImmutableIntArray devices() {
    return devices;
  }

  /** Returns the strand that runs now; null when all have ended. */
  @Nullable Fiber current() {
    return current;
  }

  /** Runs until it ends or waits; returns whether it moved. */
  boolean run() {
    boolean moved = false;
    for (Fiber fiber = current; fiber != null; fiber = current) {
      moved |= fiber.run();
      if (!fiber.isFinished()) {
        return moved;
      }
      if (track == null) {
        results = fiber.results();
        current = null;
      } else {
        values.addAll(Flattening.flatten(fiber.results()));
        startStages(track);
      }
    }
    return moved;
  }

  /** Returns what the device gives, once all has ended. */
  ImmutableList<Datum> results() {
    return results;
  }
}
