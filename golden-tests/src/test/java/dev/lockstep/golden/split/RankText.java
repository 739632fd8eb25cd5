package dev.lockstep.golden.split;

import dev.lockstep.golden.split.RandomRankSet.Code;
import dev.lockstep.golden.split.RandomRankSet.Line;
import dev.lockstep.golden.split.RandomRankSet.Style;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Writes code as a program in one of the styles. */
abstract class RankText {
  /** What must still be finished before it is used: the line that does it. */
  final Map<Integer, String> unfinished = new HashMap<>();

  final Map<Integer, String> names = new HashMap<>();
  final StringBuilder out = new StringBuilder();
  private int more;

  /** Returns the program that {@code code} says. */
  static String of(Style style, Code code, SplittableRandom random) {
    RankText text =
        style == Style.HLO ? new HloRankText() : new MlirRankText(style == Style.TORCH, random);
    code.lines().forEach(text::write);
    String first = text.use(code.results().get(0));
    String second = text.use(code.results().get(1));
    text.finish();
    return text.module(first, second);
  }

  abstract void write(Line line);

  /** Writes what must stand before the end. */
  abstract void finish();

  abstract String module(String first, String second);

  final String use(int id) {
    String last = unfinished.remove(id);
    if (last != null) {
      out.append(last);
    }
    return names.getOrDefault(id, "%v" + id);
  }

  final void emit(String text) {
    out.append("  ").append(text).append('\n');
  }

  /** Returns a name that nothing else has. */
  final String fresh() {
    return "%n" + more++;
  }
}
