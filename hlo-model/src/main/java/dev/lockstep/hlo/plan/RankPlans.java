package dev.lockstep.hlo.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The plans of all ranks of a job. Ranks with equal plans share one; plans share the segments that
 * are equal between them.
 *
 * @param mode how the programs were cut
 * @param replicas the number of replicas, if known
 * @param partitions the number of partitions, if known
 * @param classes plans with the ranks that run them
 */
public record RankPlans(
    PlanMode mode, OptionalInt replicas, OptionalInt partitions, ImmutableList<PlanClass> classes) {

  /**
   * The plan of some ranks.
   *
   * @param ranks the ranks; empty when the plan is that of every rank, however many there are
   * @param plan what each of them runs
   */
  public record PlanClass(ImmutableSortedSet<Integer> ranks, ExecutionPlan plan) {}

  /**
   * Checks that each rank has one plan.
   *
   * @throws IllegalArgumentException if that is not so
   */
  public RankPlans {
    checkArgument(!classes.isEmpty(), "there is no plan");
    ImmutableSortedSet.Builder<Integer> seen = ImmutableSortedSet.naturalOrder();
    int count = 0;
    for (PlanClass each : classes) {
      checkArgument(
          !each.ranks().isEmpty() || classes.size() == 1, "only a lone plan can be everybody's");
      seen.addAll(each.ranks());
      count += each.ranks().size();
    }
    ImmutableSortedSet<Integer> all = seen.build();
    checkArgument(all.size() == count, "a rank has two plans");
    checkArgument(
        all.isEmpty() || all.first() == 0 && all.last() == count - 1,
        "the plans are for ranks %s, must be for 0 to %s",
        all,
        count - 1);
    Map<String, Segment> named = new LinkedHashMap<>();
    for (PlanClass each : classes) {
      for (PlanStep step : each.plan().steps()) {
        Segment other = named.putIfAbsent(step.segment().name(), step.segment());
        checkArgument(
            other == null || other == step.segment(),
            "two segments are called %s",
            step.segment().name());
      }
    }
  }

  /** Returns the plans of a job in which every rank runs {@code plan}. */
  public static RankPlans ofAll(
      PlanMode mode, OptionalInt replicas, OptionalInt partitions, ExecutionPlan plan) {
    return new RankPlans(
        mode, replicas, partitions, ImmutableList.of(new PlanClass(ImmutableSortedSet.of(), plan)));
  }

  /** Returns whether all ranks run one plan. */
  public boolean isOnePlan() {
    return classes.size() == 1;
  }

  /** Returns the number of ranks; empty when the one plan is that of every rank. */
  public OptionalInt ranks() {
    int count = classes.stream().mapToInt(each -> each.ranks().size()).sum();
    return count == 0 ? OptionalInt.empty() : OptionalInt.of(count);
  }

  /** Returns the plan of {@code rank}. */
  public ExecutionPlan plan(int rank) {
    for (PlanClass each : classes) {
      if (each.ranks().isEmpty() || each.ranks().contains(rank)) {
        return each.plan();
      }
    }
    throw new IllegalArgumentException("there is no rank " + rank);
  }

  /**
   * Returns all segments, each once: by how many run before it in the longest plan that has it,
   * then by plan.
   */
  public ImmutableList<Segment> segments() {
    Map<Segment, Integer> places = new LinkedHashMap<>();
    for (PlanClass each : classes) {
      int place = 0;
      for (PlanStep step : each.plan().steps()) {
        places.merge(step.segment(), place++, Math::max);
      }
    }
    return places.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .collect(ImmutableList.toImmutableList());
  }
}
