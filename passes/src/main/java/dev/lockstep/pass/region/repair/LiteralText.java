package dev.lockstep.pass.region.repair;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.align.RankText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Literals that differ, in words that a model's author understands. */
final class LiteralText {
  private static final int MOST = 4;

  private LiteralText() {}

  /**
   * Returns {@code 0 on rank 0, 1024 on rank 1 ...}, and whether it looks like an offset; of a
   * tensor its first element that differs.
   */
  static String of(ProgramClasses classes, List<Literal> byClass) {
    int element = firstDifference(byClass);
    Map<String, List<Integer>> sides = new LinkedHashMap<>();
    for (int k = 0; k < byClass.size(); k++) {
      sides.computeIfAbsent(byClass.get(k).elementText(element), key -> new ArrayList<>()).add(k);
    }
    List<String> parts = new ArrayList<>();
    sides.forEach(
        (value, numbers) -> {
          if (parts.size() < MOST) {
            parts.add(value + " on " + classes.ranks(numbers));
          }
        });
    String place = byClass.get(0).count() == 1 ? "" : "element " + element + ": ";
    int left = sides.size() - parts.size();
    return place
        + String.join(", ", parts)
        + (left > 0 ? " and " + RankText.number(left) + " more values" : "")
        + offset(classes, byClass);
  }

  /** Returns the first element in which not all are alike. */
  private static int firstDifference(List<Literal> byClass) {
    Literal first = byClass.get(0);
    for (int i = 0; i < first.count(); i++) {
      for (Literal other : byClass) {
        if (!other.sameBits(i, first, i)) {
          return i;
        }
      }
    }
    return 0;
  }

  private static String offset(ProgramClasses classes, List<Literal> byClass) {
    Literal first = byClass.get(0);
    if (first.count() != 1 || !first.element().isInteger() || classes.world() < 2) {
      return "";
    }
    long start = byClass.get(classes.of(0)).getLong(0);
    long step = byClass.get(classes.of(1)).getLong(0) - start;
    for (int rank = 0; rank < classes.world(); rank++) {
      if (byClass.get(classes.of(rank)).getLong(0) != start + step * rank) {
        return "";
      }
    }
    return ": an offset, " + (start == 0 ? "" : start + " + ") + step + " * rank";
  }
}
