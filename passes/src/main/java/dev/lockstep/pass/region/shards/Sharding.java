package dev.lockstep.pass.region.shards;

import dev.lockstep.pass.region.align.RankText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a dimension that does not divide evenly was split over ranks.
 *
 * @param rule who makes such shards
 * @param total the size of the whole dimension
 * @param parts the ranks of a group that hold it together
 * @param stride the distance of two neighbours in the group; 1 for neighbouring ranks
 * @param sizes what each rank holds, by rank
 */
public record Sharding(Rule rule, long total, int parts, int stride, List<Long> sizes) {

  /** Who makes such shards. */
  public enum Rule {
    /** torch.chunk, DTensor and FSDP: all hold the quotient rounded up until nothing is left. */
    CEIL,
    /** numpy.array_split: the first ranks hold one more than the others. */
    BALANCED
  }

  /** Returns how {@code byRank} came about, or null when no known rule gives it. */
  public static @Nullable Sharding of(long[] byRank) {
    int world = byRank.length;
    for (int parts = world; parts > 1; parts--) {
      if (world % parts != 0) {
        continue;
      }
      for (Rule rule : Rule.values()) {
        for (int stride = 1; stride * parts <= world; stride++) {
          if (world % (stride * parts) == 0 && fits(byRank, rule, parts, stride)) {
            List<Long> sizes = new ArrayList<>();
            for (long size : byRank) {
              sizes.add(size);
            }
            return new Sharding(rule, total(byRank, parts, stride), parts, stride, sizes);
          }
        }
      }
    }
    return null;
  }

  private static long total(long[] byRank, int parts, int stride) {
    long total = 0;
    for (int i = 0; i < parts; i++) {
      total += byRank[i * stride];
    }
    return total;
  }

  private static boolean fits(long[] byRank, Rule rule, int parts, int stride) {
    long total = total(byRank, parts, stride);
    for (int rank = 0; rank < byRank.length; rank++) {
      if (byRank[rank] != size(rule, total, parts, (rank / stride) % parts)) {
        return false;
      }
    }
    return true;
  }

  private static long size(Rule rule, long total, int parts, int index) {
    return switch (rule) {
      case CEIL -> {
        long chunk = (total + parts - 1) / parts;
        yield Math.max(0, Math.min(chunk, total - index * chunk));
      }
      case BALANCED -> total / parts + (index < total % parts ? 1 : 0);
    };
  }

  /** Returns the largest size: what shards are padded to. */
  public long largest() {
    return sizes.get(0);
  }

  /** Returns the arithmetic in words, with the ranks that hold neither all nor nothing. */
  public String describe() {
    boolean whole = parts == sizes.size();
    String over =
        RankText.number(total)
            + " over "
            + (whole
                ? RankText.number(parts) + " ranks"
                : "groups of "
                    + RankText.number(parts)
                    + " ranks"
                    + (stride == 1 ? "" : ", " + RankText.number(stride) + " apart"));
    String quotient =
        rule == Rule.CEIL
            ? ": ceil = " + RankText.number(largest())
            : ": the first ranks hold one more";
    return over + quotient + ": " + holders(sizes);
  }

  /** Returns {@code 3,413 ranks hold 3, rank 3413 holds 1, 682 hold 0}. */
  static String holders(List<Long> sizes) {
    TreeMap<Long, List<Integer>> bySize = new TreeMap<>();
    for (int rank = 0; rank < sizes.size(); rank++) {
      bySize.computeIfAbsent(sizes.get(rank), key -> new ArrayList<>()).add(rank);
    }
    List<String> parts = new ArrayList<>();
    for (Map.Entry<Long, List<Integer>> entry : bySize.descendingMap().entrySet()) {
      List<Integer> ranks = entry.getValue();
      String size = RankText.number(entry.getKey());
      if (ranks.size() == 1) {
        parts.add("rank " + ranks.get(0) + " holds " + size);
      } else {
        String noun = parts.stream().noneMatch(part -> part.contains("ranks")) ? " ranks" : "";
        parts.add(RankText.number(ranks.size()) + noun + " hold " + size);
      }
    }
    return String.join(", ", parts);
  }
}
