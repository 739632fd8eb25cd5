package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.CollectiveSignature;
import dev.lockstep.pass.region.CollectiveSite;
import dev.lockstep.pass.region.CollectiveSites;
import dev.lockstep.pass.region.RankPrograms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the numbers of XLA's channels say where members of a meeting number it differently.
 *
 * <p>Ranks that take part in different groups count channels differently, and libraries pair calls
 * by order. But where two members use the same numbers in a group in another order, calls of one
 * shape were exchanged on one of them: nothing else shows that.
 */
final class ChannelOrder {
  /** A use of a channel. */
  private record Use(long channel, Location location) {}

  private ChannelOrder() {}

  /** Returns the first group in which two ranks use the same channels in another order, or null. */
  static @Nullable Failure failure(RankPrograms programs) {
    Map<Module, ImmutableList<CollectiveSite>> sites = new IdentityHashMap<>();
    Map<ImmutableIntArray, Map<Integer, List<Use>>> lines = new LinkedHashMap<>();
    for (int rank = 0; rank < programs.world(); rank++) {
      for (RankPrograms.Program program : programs.programs(rank)) {
        for (CollectiveSite site : sites.computeIfAbsent(program.module(), CollectiveSites::of)) {
          CollectiveSignature signature = site.signature(programs.grid(), rank);
          if (signature != null && signature.channel().isPresent()) {
            lines
                .computeIfAbsent(signature.members(), unused -> new HashMap<>())
                .computeIfAbsent(rank, unused -> new ArrayList<>())
                .add(
                    new Use(
                        signature.channel().getAsLong(), program.in(site.operation().location())));
          }
        }
      }
    }
    for (Map.Entry<ImmutableIntArray, Map<Integer, List<Use>>> line : lines.entrySet()) {
      int first = line.getKey().get(0);
      List<Use> expected = line.getValue().getOrDefault(first, List.of());
      for (int rank : line.getKey().asList()) {
        Failure failure =
            swapped(first, expected, rank, line.getValue().getOrDefault(rank, List.of()));
        if (failure != null) {
          return failure;
        }
      }
    }
    return null;
  }

  private static @Nullable Failure swapped(
      int first, List<Use> expected, int rank, List<Use> found) {
    List<Long> left = expected.stream().map(Use::channel).toList();
    List<Long> right = found.stream().map(Use::channel).toList();
    if (left.equals(right)
        || !left.stream().sorted().toList().equals(right.stream().sorted().toList())) {
      return null;
    }
    int at = 0;
    while (left.get(at).equals(right.get(at))) {
      at++;
    }
    return new Failure(
        Failure.Kind.GARBAGE,
        Diagnostic.error(
                "ranks-unlike",
                String.format(
                    "rank %d comes to channel %d where rank %d comes to channel %d, and to the"
                        + " other elsewhere: calls of one shape are exchanged, and compute garbage",
                    rank, right.get(at), first, left.get(at)),
                found.get(at).location())
            .withNote("rank " + first + " is here", expected.get(at).location()),
        ImmutableList.of());
  }

  /** Returns the warning that members number channels differently. */
  static Diagnostic warning(RankPrograms programs) {
    return Diagnostic.warning(
        "ranks-channels",
        "ranks give the channels of their common collectives different numbers; they meet where"
            + " calls pair by order (NCCL, gloo), not where XLA pairs them by channel within one"
            + " process",
        programs.programs(0).isEmpty()
            ? Location.UNKNOWN
            : new Location(programs.programs(0).get(0).module().location().source(), 0, 0));
  }
}
