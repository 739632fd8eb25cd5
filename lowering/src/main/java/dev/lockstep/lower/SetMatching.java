package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Matches the calls of all ranks, from the entries down into loops, functions and branches. What no
 * entry leads to is left alone.
 *
 * <p>State: for each rank what stands in each of its blocks that was reached.
 */
final class SetMatching {
  /**
   * The steps in which the calls of a block take part.
   *
   * @param steps the steps in an order that all ranks agree with
   * @param blocks the blocks of all ranks that run together; null for a rank that has none
   */
  record Place(ImmutableList<SetStep> steps, List<@Nullable Block> blocks) {}

  private final List<Module> ranks;
  private final SetParts parts;
  private final List<Map<Block, Place>> places = new ArrayList<>();

  private SetMatching(List<Module> ranks, DeviceGrid grid, boolean withCollectives) {
    this.ranks = ranks;
    this.parts = new SetParts(ranks, grid, withCollectives);
    ranks.forEach(module -> places.add(new LinkedHashMap<>()));
  }

  /**
   * Matches {@code ranks}.
   *
   * @throws DiagnosticException if the ranks do not meet
   */
  static SetMatching of(List<Module> ranks, DeviceGrid grid) {
    // Messages become permutes in which all ranks meet, so that their order among XLA's own
    // collectives matters; where ranks disagree on these, torch's calls may still be in order.
    if (ranks.stream().anyMatch(SetMatching::hasP2p)) {
      try {
        return matched(ranks, grid, true);
      } catch (DiagnosticException e) {
        return matched(ranks, grid, false);
      }
    }
    return matched(ranks, grid, false);
  }

  private static boolean hasP2p(Module module) {
    return LowerC10d.calls(module).stream().anyMatch(call -> P2pCalls.isTarget(call.target()));
  }

  private static SetMatching matched(List<Module> ranks, DeviceGrid grid, boolean withCollectives) {
    SetMatching matching = new SetMatching(ranks, grid, withCollectives);
    List<@Nullable Block> entries = new ArrayList<>();
    for (Module module : ranks) {
      entries.add(module.requireEntry().body());
    }
    matching.match(entries, null);
    return matching;
  }

  /** Returns the blocks of {@code rank} that hold steps, in the order in which they are reached. */
  Map<Block, Place> places(int rank) {
    return places.get(rank);
  }

  /** Returns whether every send and receive stands in the programs of all ranks. */
  boolean isP2pEverywhere() {
    return places.stream()
        .flatMap(of -> of.values().stream())
        .flatMap(place -> place.steps().stream())
        .noneMatch(step -> step.isP2p() && step.calls().size() < ranks.size());
  }

  private void match(List<@Nullable Block> blocks, @Nullable SetStep within) {
    ImmutableList<SetStep> steps = SetMatcher.match(parts.of(blocks));
    if (within != null) {
      checkEverybodyComes(steps, blocks, within);
    }
    Place place = new Place(steps, blocks);
    boolean isNew = false;
    for (int rank = 0; rank < blocks.size(); rank++) {
      Block block = blocks.get(rank);
      if (block != null) {
        Place other = places.get(rank).putIfAbsent(block, place);
        isNew |= other == null;
        if (other != null) {
          checkSame(rank, other.steps(), steps);
        }
      }
    }
    for (SetStep step : steps) {
      if (isNew && !step.parts().isEmpty()) {
        int bodies =
            step.parts().values().stream().mapToInt(part -> part.bodies().size()).max().orElse(0);
        for (int b = 0; b < bodies; b++) {
          match(bodies(step, b), step);
        }
      }
    }
  }

  private List<@Nullable Block> bodies(SetStep step, int b) {
    List<@Nullable Block> out = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      SetPart part = step.parts().get(rank);
      out.add(part == null || b >= part.bodies().size() ? null : part.bodies().get(b));
    }
    return out;
  }

  private static void checkEverybodyComes(
      ImmutableList<SetStep> steps, List<@Nullable Block> blocks, SetStep within) {
    for (SetStep step : steps) {
      for (int rank = 0; step.isP2p() && rank < blocks.size(); rank++) {
        if (blocks.get(rank) == null) {
          SetPart part = within.parts().get(within.parts().firstKey());
          throw new DiagnosticException(
              Diagnostic.error(
                      "c10d-set",
                      "rank "
                          + rank
                          + " does not come to the code in which others exchange messages; XLA's"
                          + " permute needs every rank, so give it a like "
                          + (part == null ? "operation" : part.operation().def().name()),
                      part == null ? step.first().location() : part.location())
                  .withNote("a message of rank " + step.first().rank(), step.first().location()));
        }
      }
    }
  }

  /** A block that is reached twice is written once, so both ways must make the same of it. */
  private void checkSame(int rank, ImmutableList<SetStep> one, ImmutableList<SetStep> two) {
    for (int i = 0; i < Math.max(one.size(), two.size()); i++) {
      SetStep a = i < one.size() ? one.get(i) : null;
      SetStep b = i < two.size() ? two.get(i) : null;
      if (a == null
          || b == null
          || !a.config().equals(b.config())
          || a.operation(rank) != b.operation(rank)) {
        SetItem own = place(rank, one);
        SetStep other = b == null ? a : b;
        SetItem met = other == null ? null : place(-1, List.of(other));
        Diagnostic diagnostic =
            Diagnostic.error(
                "c10d-set",
                "this code of rank "
                    + rank
                    + " runs from several places, which meet different calls of other ranks; give"
                    + " each place a copy of its own",
                own == null ? ranks.get(rank).location() : own.location());
        throw new DiagnosticException(
            met == null || met == own
                ? diagnostic
                : diagnostic.withNote("only one of the places meets this", met.location()));
      }
    }
  }

  /** Returns the first call in {@code steps}, of {@code rank} unless that is -1; null for none. */
  private static @Nullable SetItem place(int rank, List<SetStep> steps) {
    for (SetStep step : steps) {
      if (!step.calls().isEmpty()) {
        SetItem item = rank < 0 ? step.first() : step.calls().get(rank);
        if (item != null) {
          return item;
        }
      }
    }
    return null;
  }
}
