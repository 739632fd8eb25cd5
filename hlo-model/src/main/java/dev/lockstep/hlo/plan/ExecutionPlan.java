package dev.lockstep.hlo.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.type.TensorType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one rank runs: segments in order, and the values that flow between them, each named once.
 * Several programs that a rank runs one after the other are one plan.
 *
 * @param arguments the tensors given from outside, {@code in0} and on, tuples taken apart; of
 *     several programs, those of the first, then those of the second
 * @param steps the segments in the order in which they run
 * @param results names of the values given back, tuples taken apart; those of the first program,
 *     then those of the second; a name may stand twice
 */
public record ExecutionPlan(
    ImmutableList<PlanValue> arguments,
    ImmutableList<PlanStep> steps,
    ImmutableList<String> results) {

  /**
   * Checks that every value is defined once and before it is used, with the type that its user
   * takes, and that no donated value is used again.
   *
   * @throws IllegalArgumentException if that is not so
   */
  public ExecutionPlan {
    String problem = problem(arguments, steps, results);
    checkArgument(problem == null, "%s", problem);
  }

  /** Returns what is wrong with these parts of a plan in words, or null when nothing is. */
  public static @Nullable String problem(
      List<PlanValue> arguments, List<PlanStep> steps, List<String> results) {
    Map<String, TensorType> types = new HashMap<>();
    for (PlanValue argument : arguments) {
      if (types.put(argument.name(), argument.type()) != null) {
        return "two arguments are called " + argument.name();
      }
    }
    Map<String, String> donatedTo = new HashMap<>();
    for (PlanStep step : steps) {
      String problem = problem(step, types, donatedTo);
      if (problem != null) {
        return problem;
      }
    }
    for (String result : results) {
      if (!types.containsKey(result)) {
        return "the result " + result + " is given by no segment";
      }
      if (donatedTo.containsKey(result)) {
        return "the result " + result + " is donated to segment " + donatedTo.get(result);
      }
    }
    return null;
  }

  private static @Nullable String problem(
      PlanStep step, Map<String, TensorType> types, Map<String, String> donatedTo) {
    Segment segment = step.segment();
    Set<String> donatedHere = new HashSet<>();
    for (int i = 0; i < step.inputs().size(); i++) {
      String input = step.inputs().get(i);
      TensorType type = types.get(input);
      if (type == null) {
        return "segment " + segment.name() + " takes " + input + ", which nothing gives before it";
      }
      if (!type.isSameShape(segment.inputs().get(i))) {
        return String.format(
            "segment %s takes a %s as input %d, and %s is a %s",
            segment.name(), segment.inputs().get(i), i, input, type);
      }
      if (donatedTo.containsKey(input)) {
        return String.format(
            "segment %s takes %s, which was donated to segment %s",
            segment.name(), input, donatedTo.get(input));
      }
      if (segment.donated().contains(i) && !donatedHere.add(input)) {
        return "segment " + segment.name() + " is donated " + input + " twice";
      }
    }
    donatedHere.forEach(input -> donatedTo.put(input, segment.name()));
    for (int i = 0; i < step.outputs().size(); i++) {
      String output = step.outputs().get(i);
      if (types.put(output, segment.outputs().get(i)) != null) {
        return "two values are called " + output;
      }
    }
    return null;
  }

  /** Returns the values that segments give, in order, with their types. */
  public ImmutableList<PlanValue> values() {
    ImmutableList.Builder<PlanValue> out = ImmutableList.builder();
    for (PlanStep step : steps) {
      for (int i = 0; i < step.outputs().size(); i++) {
        out.add(new PlanValue(step.outputs().get(i), step.segment().outputs().get(i)));
      }
    }
    return out.build();
  }

  /** Returns the types of the results, in order. */
  public ImmutableList<TensorType> resultTypes() {
    Map<String, TensorType> types = new LinkedHashMap<>();
    arguments.forEach(value -> types.put(value.name(), value.type()));
    values().forEach(value -> types.put(value.name(), value.type()));
    return results.stream().map(types::get).collect(ImmutableList.toImmutableList());
  }
}
