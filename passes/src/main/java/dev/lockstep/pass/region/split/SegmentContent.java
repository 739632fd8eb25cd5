package dev.lockstep.pass.region.split;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.split.Donations.Donation;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one segment holds, in terms of the program it is written from.
 *
 * @param flow the program
 * @param operations its operations, in program order
 * @param sites those of them that communicate or finish what communicates, none nested
 * @param parameterOf for each operation the number of the input that each use is, or -1
 * @param inputs what comes in; a leaf may stand twice when other ranks pass two values there
 * @param outputs what goes out
 * @param donations donated inputs by number
 * @param isWhole whether this is all of the program, which then stays as it was given
 */
record SegmentContent(
    Flow flow,
    List<Operation> operations,
    Set<Operation> sites,
    Map<Operation, ImmutableList<Integer>> parameterOf,
    ImmutableList<Leaf> inputs,
    ImmutableList<Leaf> outputs,
    ImmutableSortedMap<Integer, Donation> donations,
    boolean isWhole) {

  /** Returns all of {@code flow}. */
  static SegmentContent whole(Flow flow, Set<Operation> sites) {
    Donations given = new Donations(flow);
    ImmutableList<Leaf> inputs = tensors(flow.arguments());
    ImmutableSortedMap.Builder<Integer, Donation> donations = ImmutableSortedMap.naturalOrder();
    for (int i = 0; i < inputs.size(); i++) {
      Donation donation = given.of(inputs.get(i));
      if (donation != null) {
        donations.put(i, donation);
      }
    }
    return new SegmentContent(
        flow,
        flow.operations(),
        sites,
        new IdentityHashMap<>(),
        inputs,
        tensors(flow.results()),
        donations.build(),
        true);
  }

  private static ImmutableList<Leaf> tensors(List<Leaf> leaves) {
    return leaves.stream().filter(Leaf::isTensor).collect(ImmutableList.toImmutableList());
  }

  /** Returns for each use of {@code operation} the number of its input, or -1. */
  ImmutableList<Integer> sources(Operation operation) {
    return requireNonNull(parameterOf.get(operation));
  }

  /** Returns whether {@code operation} communicates or finishes what does, and nothing else. */
  boolean isSite(Operation operation) {
    return sites.contains(operation);
  }
}
