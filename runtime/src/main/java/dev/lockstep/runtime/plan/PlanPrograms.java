package dev.lockstep.runtime.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.interp.Stage;
import dev.lockstep.runtime.interp.Track;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans as programs of the interpreter. Device {@code d} runs the plan of rank {@code d}; its
 * arguments and results are tensors, in the order of the plan.
 */
public final class PlanPrograms {
  private PlanPrograms() {}

  /**
   * Returns the program of {@code devices} devices.
   *
   * @param plans one plan for all, or one for each; devices with the same object run one text
   * @param word what a step is called in diagnostics before its segment's name: {@code segment}
   */
  public static Program program(List<ExecutionPlan> plans, String word, int devices) {
    checkArgument(
        plans.size() == 1 || plans.size() == devices,
        "%s plans for %s devices",
        plans.size(),
        devices);
    Map<ExecutionPlan, Track> made = new IdentityHashMap<>();
    List<Track> tracks = new ArrayList<>();
    for (int device = 0; device < devices; device++) {
      ExecutionPlan of = plans.get(plans.size() == 1 ? 0 : device);
      tracks.add(made.computeIfAbsent(of, plan -> track(plan, word)));
    }
    return Program.ofTracks(tracks);
  }

  /** Returns the plans of ranks 0 and on, or the one plan that all share. */
  public static ImmutableList<ExecutionPlan> byRank(RankPlans plans, int ranks) {
    if (plans.isOnePlan()) {
      return ImmutableList.of(plans.plan(0));
    }
    ImmutableList.Builder<ExecutionPlan> out = ImmutableList.builder();
    for (int rank = 0; rank < ranks; rank++) {
      out.add(plans.plan(rank));
    }
    return out.build();
  }

  private static Track track(ExecutionPlan plan, String word) {
    Map<String, Integer> numbers = new HashMap<>();
    for (PlanValue argument : plan.arguments()) {
      numbers.put(argument.name(), numbers.size());
    }
    ImmutableList.Builder<Stage> stages = ImmutableList.builder();
    for (PlanStep step : plan.steps()) {
      ImmutableIntArray inputs = numbers(step.inputs(), numbers);
      step.outputs().forEach(output -> numbers.put(output, numbers.size()));
      stages.add(
          new Stage(
              word + " " + step.segment().name(),
              step.segment().module(),
              inputs,
              numbers(step.outputs(), numbers)));
    }
    return new Track(plan.arguments().size(), stages.build(), numbers(plan.results(), numbers));
  }

  private static ImmutableIntArray numbers(List<String> names, Map<String, Integer> numbers) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    names.forEach(name -> out.add(requireNonNull(numbers.get(name))));
    return out.build();
  }

  /** Returns the arguments of every device, which {@code supplier} gives by their numbers. */
  public static ImmutableList<ImmutableList<Datum>> arguments(
      List<ExecutionPlan> plans, int devices, Flattening.Supplier supplier) {
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int device = 0; device < devices; device++) {
      ImmutableList.Builder<Datum> of = ImmutableList.builder();
      List<PlanValue> arguments = plans.get(plans.size() == 1 ? 0 : device).arguments();
      for (int i = 0; i < arguments.size(); i++) {
        TensorType type = arguments.get(i).type();
        of.add(supplier.value(i, device, type));
      }
      out.add(of.build());
    }
    return out.build();
  }
}
