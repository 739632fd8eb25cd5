package dev.lockstep.runtime.pjrt;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.plan.Segment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The plans of all ranks as launches of one client, in an order in which none waits for one that
 * comes later. It is made before anything runs: plans that do not fit each other are refused here,
 * and a plugin never sees a collective of which a member is missing.
 *
 * <ul>
 *   <li>A segment that communicates is launched once its ranks and all their partners have come to
 *       it, on exactly these.
 *   <li>A segment that all ranks run and that communicates with nobody is launched on all.
 *   <li>Any other runs on one device for each rank.
 * </ul>
 *
 * @param launches the launches in order
 * @param values how many values there are; each rank's arguments come first among its own
 * @param arguments numbers of the arguments of each rank
 * @param results numbers of the results of each rank
 */
record PlanSchedule(
    ImmutableList<PlannedLaunch> launches,
    int values,
    ImmutableList<ImmutableIntArray> arguments,
    ImmutableList<ImmutableIntArray> results) {

  /** The code of refusals. */
  static final String STALL = "pjrt-stall";

  /**
   * Returns the schedule of {@code plans}: one for all ranks, or one for each.
   *
   * @throws DiagnosticException if the ranks do not come to their collectives together
   */
  static PlanSchedule of(List<ExecutionPlan> plans, DeviceGrid grid) {
    return new Maker(plans, grid).make();
  }

  /** Where each rank is. */
  private static final class Maker {
    private final List<ExecutionPlan> plans;
    private final DeviceGrid grid;
    private final int[] next;
    private final List<Map<String, Integer>> numbers = new ArrayList<>();
    private final Map<Module, Partners> partners = new IdentityHashMap<>();
    private final Map<Segment, Integer> users = new IdentityHashMap<>();
    private final Map<List<Object>, Module> texts = new HashMap<>();
    private final ImmutableList.Builder<PlannedLaunch> out = ImmutableList.builder();
    private int values;

    Maker(List<ExecutionPlan> plans, DeviceGrid grid) {
      this.plans = plans;
      this.grid = grid;
      this.next = new int[grid.size()];
    }

    PlanSchedule make() {
      ImmutableList.Builder<ImmutableIntArray> arguments = ImmutableList.builder();
      for (int rank = 0; rank < grid.size(); rank++) {
        Map<String, Integer> own = new HashMap<>();
        ImmutableIntArray.Builder given = ImmutableIntArray.builder();
        for (PlanValue argument : plan(rank).arguments()) {
          given.add(values);
          own.put(argument.name(), values++);
        }
        numbers.add(own);
        arguments.add(given.build());
        plan(rank).steps().stream()
            .map(PlanStep::segment)
            .distinct()
            .forEach(segment -> users.merge(segment, 1, Integer::sum));
      }
      while (!isDone()) {
        if (!meet() && !together() && !alone(true) && !alone(false)) {
          throw stall();
        }
      }
      ImmutableList.Builder<ImmutableIntArray> results = ImmutableList.builder();
      for (int rank = 0; rank < grid.size(); rank++) {
        results.add(numbers(rank, plan(rank).results()));
      }
      return new PlanSchedule(out.build(), values, arguments.build(), results.build());
    }

    private ExecutionPlan plan(int rank) {
      return plans.get(plans.size() == 1 ? 0 : rank);
    }

    private boolean isDone() {
      for (int rank = 0; rank < grid.size(); rank++) {
        if (step(rank) != null) {
          return false;
        }
      }
      return true;
    }

    private @Nullable PlanStep step(int rank) {
      List<PlanStep> steps = plan(rank).steps();
      return next[rank] < steps.size() ? steps.get(next[rank]) : null;
    }

    private static boolean communicates(@Nullable PlanStep step) {
      return step != null && step.segment().communicates();
    }

    /** Returns the ranks that must run the segment that {@code rank} has come to together. */
    private ImmutableIntArray partners(int rank) {
      Module module = requireNonNull(step(rank)).segment().module();
      Partners found = partners.get(module);
      if (found == null) {
        try {
          found = Partners.of(module, grid);
        } catch (IllegalArgumentException e) {
          throw DiagnosticException.error(
              "collective-groups", String.valueOf(e.getMessage()), module.location());
        }
        partners.put(module, found);
      }
      return found.with(rank);
    }

    /** Launches segments whose ranks are all there; of one segment all that can go at once. */
    private boolean meet() {
      for (int rank = 0; rank < grid.size(); rank++) {
        if (!communicates(step(rank))) {
          continue;
        }
        ImmutableIntArray first = partners(rank);
        if (first.get(0) != rank || !isComplete(first)) {
          continue;
        }
        TreeSet<Integer> ranks = new TreeSet<>(first.asList());
        if (isOneSegment(first)) {
          Segment segment = requireNonNull(step(rank)).segment();
          for (int other = rank + 1; other < grid.size(); other++) {
            if (isAt(other, segment) && !ranks.contains(other)) {
              ImmutableIntArray more = partners(other);
              if (isComplete(more) && isOneSegment(more)) {
                ranks.addAll(more.asList());
              }
            }
          }
        }
        launch(ImmutableIntArray.copyOf(ranks));
        return true;
      }
      return false;
    }

    private boolean isAt(int rank, Segment segment) {
      PlanStep step = step(rank);
      return step != null && step.segment() == segment;
    }

    private boolean isComplete(ImmutableIntArray ranks) {
      for (int rank : ranks.asList()) {
        if (!communicates(step(rank)) || !partners(rank).equals(ranks)) {
          return false;
        }
      }
      return true;
    }

    private boolean isOneSegment(ImmutableIntArray ranks) {
      Segment segment = requireNonNull(step(ranks.get(0))).segment();
      return ranks.stream().allMatch(rank -> isAt(rank, segment));
    }

    /** Launches a segment to which all ranks have come. */
    private boolean together() {
      PlanStep first = step(0);
      if (first == null || first.segment().communicates() || grid.size() == 1) {
        return false;
      }
      for (int rank = 1; rank < grid.size(); rank++) {
        if (!isAt(rank, first.segment())) {
          return false;
        }
      }
      launch(ImmutableIntArray.copyOf(new TreeSet<>(all())));
      return true;
    }

    private List<Integer> all() {
      List<Integer> out = new ArrayList<>();
      for (int rank = 0; rank < grid.size(); rank++) {
        out.add(rank);
      }
      return out;
    }

    /**
     * Launches what computes, each rank's alone.
     *
     * @param isOwn whether to leave alone what all ranks run and may yet come to together
     */
    private boolean alone(boolean isOwn) {
      boolean moved = false;
      for (int rank = 0; rank < grid.size(); rank++) {
        PlanStep step = step(rank);
        if (step == null || step.segment().communicates()) {
          continue;
        }
        if (isOwn && grid.size() > 1 && users.getOrDefault(step.segment(), 0) == grid.size()) {
          continue;
        }
        launch(ImmutableIntArray.of(rank));
        moved = true;
      }
      return moved;
    }

    private void launch(ImmutableIntArray ranks) {
      List<PlanStep> steps = new ArrayList<>();
      ImmutableIntArray.Builder inputs = ImmutableIntArray.builder();
      for (int rank : ranks.asList()) {
        PlanStep step = requireNonNull(step(rank));
        steps.add(step);
        numbers(rank, step.inputs()).forEach(inputs::add);
      }
      ImmutableIntArray taken = inputs.build();
      ImmutableIntArray.Builder outputs = ImmutableIntArray.builder();
      for (int i = 0; i < steps.size(); i++) {
        int rank = ranks.get(i);
        for (String output : steps.get(i).outputs()) {
          numbers.get(rank).put(output, values);
          outputs.add(values++);
        }
        next[rank]++;
      }
      out.add(
          new PlannedLaunch(
              steps.get(0).segment().name(),
              text(steps, ranks),
              ranks,
              taken,
              outputs.build(),
              kept(steps, taken)));
    }

    /** What is donated on every rank, and comes in once, may be taken over. */
    private static ImmutableLongArray kept(List<PlanStep> steps, ImmutableIntArray inputs) {
      int count = steps.get(0).inputs().size();
      ImmutableLongArray.Builder out = ImmutableLongArray.builder();
      for (int i = 0; i < count; i++) {
        boolean isDonated = true;
        for (int r = 0; r < steps.size(); r++) {
          int value = inputs.get(r * count + i);
          isDonated &=
              steps.get(r).segment().donated().contains(i)
                  && inputs.subArray(r * count, (r + 1) * count).stream()
                          .filter(other -> other == value)
                          .count()
                      == 1;
        }
        if (!isDonated) {
          out.add(i);
        }
      }
      return out.build();
    }

    private Module text(List<PlanStep> steps, ImmutableIntArray ranks) {
      List<Module> modules = new ArrayList<>();
      for (PlanStep step : steps) {
        modules.add(step.segment().module());
      }
      boolean isOne = modules.stream().allMatch(module -> module == modules.get(0));
      if (isOne && ranks.length() == grid.size() && grid.partitions() == 1) {
        return modules.get(0);
      }
      List<Object> key = new ArrayList<>(isOne ? modules.subList(0, 1) : modules);
      key.add(ranks);
      return texts.computeIfAbsent(key, unused -> merged(modules, isOne, ranks));
    }

    private Module merged(List<Module> modules, boolean isOne, ImmutableIntArray ranks) {
      try {
        if (isOne) {
          return OnDevices.rewrite(modules.get(0), grid, ranks);
        }
        List<Module> texts = new ArrayList<>();
        for (Module module : modules) {
          texts.add(OnDevices.rewrite(module, grid, ranks));
        }
        return OneText.of(texts);
      } catch (IllegalArgumentException e) {
        throw DiagnosticException.error(
            STALL, String.valueOf(e.getMessage()), modules.get(0).location());
      }
    }

    private ImmutableIntArray numbers(int rank, List<String> names) {
      ImmutableIntArray.Builder out = ImmutableIntArray.builder();
      names.forEach(name -> out.add(requireNonNull(numbers.get(rank).get(name))));
      return out.build();
    }

    private DiagnosticException stall() {
      List<String> lines = new ArrayList<>();
      Diagnostic diagnostic = null;
      for (int rank = 0; rank < grid.size(); rank++) {
        PlanStep step = step(rank);
        if (step == null) {
          lines.add("rank " + rank + " has ended");
          continue;
        }
        ImmutableIntArray ranks = partners(rank);
        lines.add("rank " + rank + " waits in " + step.segment().name() + " for ranks " + ranks);
        if (diagnostic == null) {
          diagnostic =
              Diagnostic.error(
                  STALL,
                  "the plans of the ranks do not meet, and a plugin would wait for ever",
                  step.segment().module().location());
        }
      }
      Diagnostic found = requireNonNull(diagnostic);
      for (String line : lines) {
        found = found.withNote(line, found.location());
      }
      return new DiagnosticException(found);
    }
  }
}
