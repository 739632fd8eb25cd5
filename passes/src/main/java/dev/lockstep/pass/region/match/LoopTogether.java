package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a loop with all ranks that talk to each other inside it, all of its rounds at once.
 *
 * <p>Proof: let the values carried in places U be equal on all ranks before a round, whatever they
 * are, and nothing else be known. If then the condition is equal on all ranks, the round works out
 * by itself, and the values in U are equal again after it, then by induction all ranks go round
 * equally often and every round works out. U starts as the places that are equal before the loop,
 * and loses those that a round does not give back equal, until it does not change.
 */
final class LoopTogether {
  private final Simulation simulation;
  private final ImmutableList<Strand> strands;
  private final Decisions decisions;
  private final List<ImmutableList<Sym>> before = new ArrayList<>();
  private final long number;

  LoopTogether(Simulation simulation, List<Strand> strands, Decisions decisions) {
    this.simulation = simulation;
    this.strands = ImmutableList.copyOf(strands);
    this.decisions = decisions;
    this.number = simulation.job().number();
    for (Strand strand : strands) {
      ImmutableList<Value> operands = wait(strand).enter().operation().operands();
      ImmutableList<Sym> carried = requireNonNull(frame(strand).loop).carried;
      ImmutableList.Builder<Sym> leaves = ImmutableList.builder();
      for (int i = 0; i < carried.size(); i++) {
        carried.get(i).addLeaves(operands.get(i).type(), leaves);
      }
      before.add(leaves.build());
    }
  }

  private static Wait.ForLoop wait(Strand strand) {
    return (Wait.ForLoop) requireNonNull(strand.waiting);
  }

  private static Frame frame(Strand strand) {
    return requireNonNull(strand.top);
  }

  /** Takes the loop; returns whether that worked out. */
  boolean take() {
    BitSet equal = alike(before, null);
    while (true) {
      List<ImmutableList<Sym>> arguments = new ArrayList<>();
      for (int s = 0; s < strands.size(); s++) {
        arguments.add(arguments(s, equal, "round"));
      }
      Failure failure = conditions(arguments);
      List<Strand> bodies = new ArrayList<>();
      if (failure == null) {
        for (int s = 0; s < strands.size(); s++) {
          bodies.add(inside(s, 1, arguments.get(s)));
        }
        failure = decisions.runInside(bodies);
      }
      if (failure != null) {
        boolean decided = wait(strands.get(0)).condition().known() != null;
        decisions.fail(
            strands,
            decided && failure.kind() != Failure.Kind.UNDECIDED
                ? failure
                : Undecided.of(strands.get(0), wait(strands.get(0)).condition(), failure));
        return false;
      }
      BitSet after = alike(Decisions.returned(bodies), equal);
      if (after.equals(equal)) {
        for (int s = 0; s < strands.size(); s++) {
          Strand strand = strands.get(s);
          simulation.finish(strand, frame(strand), arguments(s, equal, "loop"));
        }
        return true;
      }
      equal = after;
    }
  }

  /** Returns the places, of those in {@code among}, where all ranks have equal values. */
  private static BitSet alike(List<ImmutableList<Sym>> values, @Nullable BitSet among) {
    BitSet out = new BitSet();
    for (int leaf = 0; leaf < values.get(0).size(); leaf++) {
      boolean same = among == null || among.get(leaf);
      for (ImmutableList<Sym> ofStrand : values) {
        same = same && leaf < ofStrand.size() && ofStrand.get(leaf).sameAs(values.get(0).get(leaf));
      }
      out.set(leaf, same);
    }
    return out;
  }

  /** Returns values of which only is known where they are equal on all ranks. */
  private ImmutableList<Sym> arguments(int s, BitSet equal, String how) {
    Strand strand = strands.get(s);
    int[] next = {0};
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    for (Value operand : wait(strand).enter().operation().operands()) {
      out.add(
          Simulation.build(
              operand.type(),
              unused -> {
                int leaf = next[0]++;
                return equal.get(leaf)
                    ? Sym.shared(how, number, leaf)
                    : strand.evaluator().own(origin(s, leaf));
              }));
    }
    return out.build();
  }

  private Origin origin(int s, int leaf) {
    Origin origin = leaf < before.get(s).size() ? before.get(s).get(leaf).origin() : null;
    return origin != null
        ? origin
        : new Origin(
            "value " + leaf + " of the loop", wait(strands.get(s)).enter().operation().location());
  }

  private Strand inside(int s, int body, ImmutableList<Sym> arguments) {
    Strand strand = strands.get(s);
    Steps.Enter enter = wait(strand).enter();
    return new Strand(
        strand,
        Evaluator.enter(frame(strand), enter.operation(), enter.bodies().get(body), arguments));
  }

  /** Returns why the ranks may not go round equally often, or null. */
  private @Nullable Failure conditions(List<ImmutableList<Sym>> arguments) {
    List<Strand> inner = new ArrayList<>();
    boolean communicates = false;
    for (int s = 0; s < strands.size(); s++) {
      Strand strand = inside(s, 0, arguments.get(s));
      inner.add(strand);
      communicates |= !requireNonNull(strand.bottom).steps.isEmpty();
    }
    if (communicates) {
      Failure failure = decisions.runInside(inner);
      if (failure != null) {
        return failure;
      }
    }
    Sym first = null;
    for (Strand strand : inner) {
      Frame frame = requireNonNull(strand.bottom);
      Block block = frame.block;
      Sym condition = strand.evaluator().value(frame, block.returned().get(0));
      if (first != null && !first.sameAs(condition)) {
        return Undecided.of(strands.get(0), first, null);
      }
      first = condition;
    }
    return null;
  }
}
