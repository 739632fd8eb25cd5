package dev.lockstep.tools.split;

import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.plan.RankPlans.PlanClass;
import dev.lockstep.hlo.plan.Segment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Plans as a table for people: a line a segment, in the order in which they run. */
public final class PlanTable {
  private PlanTable() {}

  /** Returns the table, ending with a line of totals. */
  public static String of(RankPlans plans) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"segment", "ranks", "kind", "in", "out", "donated", "collectives"});
    for (Segment segment : plans.segments()) {
      rows.add(
          new String[] {
            segment.name(),
            ranks(plans, segment),
            segment.kind().word(),
            Integer.toString(segment.inputs().size()),
            Integer.toString(segment.outputs().size()),
            Integer.toString(segment.donated().size()),
            counted(segment.collectives())
          });
    }
    StringBuilder out = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < row.length; c++) {
        int column = c;
        int width = rows.stream().mapToInt(r -> r[column].length()).max().orElse(0);
        boolean isNumber = 3 <= c && c <= 5;
        String gap = " ".repeat(width - row[c].length());
        line.append(isNumber ? gap + row[c] : row[c] + gap).append("  ");
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.append(total(plans)).toString();
  }

  private static String total(RankPlans plans) {
    StringBuilder out = new StringBuilder();
    for (PlanClass each : plans.classes()) {
      int values = each.plan().values().size();
      out.append(each.ranks().isEmpty() ? "every rank" : words(each.ranks()))
          .append(" runs ")
          .append(each.plan().steps().size())
          .append(each.plan().steps().size() == 1 ? " segment, " : " segments, ")
          .append(values)
          .append(values == 1 ? " value comes from them\n" : " values come from them\n");
    }
    return out.toString();
  }

  private static String words(SortedSet<Integer> ranks, boolean all) {
    return all ? "all" : spans(ranks);
  }

  private static String words(SortedSet<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "each of ranks ") + spans(ranks);
  }

  private static String ranks(RankPlans plans, Segment segment) {
    TreeSet<Integer> ranks = new TreeSet<>();
    boolean all = true;
    for (PlanClass each : plans.classes()) {
      boolean runs = each.plan().steps().stream().map(PlanStep::segment).anyMatch(segment::equals);
      if (runs) {
        ranks.addAll(each.ranks());
      }
      all &= runs;
    }
    return words(ranks, all);
  }

  /** Returns {@code 0, 2-5}. */
  private static String spans(SortedSet<Integer> ranks) {
    StringBuilder out = new StringBuilder();
    int first = -2;
    int last = -2;
    for (int rank : ranks) {
      if (rank == last + 1) {
        last = rank;
        continue;
      }
      append(out, first, last);
      first = rank;
      last = rank;
    }
    append(out, first, last);
    return out.toString();
  }

  private static void append(StringBuilder out, int first, int last) {
    if (first >= 0) {
      out.append(out.length() == 0 ? "" : ", ").append(first);
      out.append(last == first ? "" : "-" + last);
    }
  }

  private static String counted(List<String> names) {
    if (names.isEmpty()) {
      return "-";
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    names.forEach(name -> counts.merge(name, 1, Integer::sum));
    List<String> out = new ArrayList<>();
    counts.forEach((name, count) -> out.add(count == 1 ? name : count + " " + name));
    return String.join(", ", out);
  }
}
