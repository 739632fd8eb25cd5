package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Note;
import dev.lockstep.hlo.diag.Severity;
import dev.lockstep.hlo.ir.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Says who waits where and for whom when no device can move. */
final class Deadlock {

  /** Strands that wait for the same in the same place are told together. */
  private record Wait(OpPlan at, Operation started, String awaited, String stage) {
    /** Returns the op, and which of several programs it stands in. */
    String place() {
      return at.name() + (stage.isEmpty() ? "" : " of " + stage);
    }
  }

  private Deadlock() {}

  /**
   * Where one strand waits.
   *
   * @param place the op, and which of several programs it stands in
   * @param awaited what it waits for, in words
   * @param missing the devices that it waits for
   */
  record Waiting(
      Operation operation, String place, String awaited, ImmutableList<Integer> missing) {}

  /** Returns where all strands wait that do, in order; one at least. */
  static ImmutableList<Waiting> waits(List<Itinerary> mains, List<Fiber> started) {
    List<Fiber> fibers = new ArrayList<>();
    for (Itinerary main : mains) {
      Fiber fiber = main.current();
      if (fiber != null) {
        fibers.add(fiber);
      }
    }
    fibers.addAll(started);
    ImmutableList.Builder<Waiting> out = ImmutableList.builder();
    for (Fiber fiber : fibers) {
      Pending pending = fiber.waiting();
      OpPlan at = fiber.waitingAt();
      if (pending != null && at != null) {
        Wait wait = new Wait(at, pending.operation(), pending.awaited(), fiber.stage());
        out.add(new Waiting(at.operation, wait.place(), wait.awaited(), pending.missing()));
      }
    }
    return out.build();
  }

  /** Returns the report over what all devices run, of which one strand at least waits. */
  static DiagnosticException report(List<Itinerary> mains, List<Fiber> started) {
    Map<Wait, List<Integer>> waits = new LinkedHashMap<>();
    TreeSet<Integer> waiting = new TreeSet<>();
    TreeSet<Integer> finished = new TreeSet<>();
    TreeSet<Integer> missing = new TreeSet<>();
    List<Fiber> fibers = new ArrayList<>();
    for (Itinerary main : mains) {
      Fiber fiber = main.current();
      if (fiber == null) {
        finished.addAll(main.devices().asList());
      } else {
        fibers.add(fiber);
      }
    }
    fibers.addAll(started);
    for (Fiber fiber : fibers) {
      Pending pending = fiber.waiting();
      OpPlan at = fiber.waitingAt();
      if (pending == null || at == null) {
        finished.addAll(fiber.devices().asList());
        continue;
      }
      waiting.addAll(fiber.devices().asList());
      missing.addAll(pending.missing());
      waits
          .computeIfAbsent(
              new Wait(at, pending.operation(), pending.awaited(), fiber.stage()),
              key -> new ArrayList<>())
          .addAll(fiber.devices().asList());
    }
    finished.removeAll(waiting);
    finished.retainAll(missing);
    List<Note> notes = new ArrayList<>();
    waits.forEach((wait, devices) -> tell(wait, devices, notes));
    if (!finished.isEmpty()) {
      notes.add(
          new Note(
              Wording.devices(ImmutableList.copyOf(finished))
                  + (finished.size() == 1 ? " has" : " have")
                  + " finished",
              Location.UNKNOWN));
    }
    Map.Entry<Wait, List<Integer>> first = waits.entrySet().iterator().next();
    return new DiagnosticException(
        new Diagnostic(
            Severity.ERROR,
            "deadlock",
            String.format(
                "no device can move: %s at this %s, and %d more %s",
                Wording.devices(first.getValue()),
                first.getKey().place(),
                waiting.size() - first.getValue().size(),
                waiting.size() - first.getValue().size() == 1 ? "waits" : "wait"),
            first.getKey().at().operation.location(),
            ImmutableList.copyOf(notes)));
  }

  private static void tell(Wait wait, List<Integer> devices, List<Note> notes) {
    notes.add(
        new Note(
            String.format(
                "%s %s in %s for %s",
                Wording.devices(devices),
                devices.size() == 1 ? "waits" : "wait",
                wait.place(),
                wait.awaited()),
            wait.at().operation.location()));
    if (wait.at().operation != wait.started()) {
      notes.add(new Note("it was started here", wait.started().location()));
    }
  }
}
