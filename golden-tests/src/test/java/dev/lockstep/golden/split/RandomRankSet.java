package dev.lockstep.golden.split;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Programs of three ranks that issue the same collectives in the same order and differ between
 * them: other operations, other operands, more and fewer of them, constants where others compute.
 * The same seed gives the same set everywhere.
 */
final class RandomRankSet {
  /** How programs are written. */
  enum Style {
    STABLEHLO,
    HLO,
    TORCH
  }

  /** What a line does with values {@code x} and {@code y}, which are numbers of lines. */
  record Line(int id, String kind, String op, int x, int y) {
    boolean communicates() {
      return switch (kind) {
        case "reduce", "permute", "pair", "loop" -> true;
        default -> false;
      };
    }
  }

  /** Lines of one program, and the numbers of the values that it gives back. */
  record Code(List<Line> lines, List<Integer> results) {}

  static final int RANKS = 3;
  private static final int ARGUMENTS = 3;

  private final SplittableRandom random;
  private final Style style;
  private int next = ARGUMENTS;

  private RandomRankSet(long seed) {
    this.random = new SplittableRandom(seed);
    this.style = Style.values()[(int) Math.floorMod(seed, 3L)];
  }

  /** Returns for each rank the texts of its programs in the order in which it runs them. */
  static List<List<String>> texts(long seed) {
    RandomRankSet set = new RandomRankSet(seed);
    int programs = set.random.nextInt(4) == 0 ? 2 : 1;
    List<List<String>> out = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      out.add(new ArrayList<>());
    }
    for (int p = 0; p < programs; p++) {
      Code base = set.base();
      Code other = set.varied(base);
      int differing = set.random.nextInt(5);
      for (int rank = 0; rank < RANKS; rank++) {
        Code code =
            differing == 4 || differing == 3 && rank > 0
                ? set.varied(base)
                : rank == differing ? other : base;
        out.get(rank).add(RankText.of(set.style, code, set.random.split()));
      }
    }
    return out;
  }

  private Code base() {
    List<Line> lines = new ArrayList<>();
    List<Integer> values = new ArrayList<>(List.of(0, 1, 2));
    int length = random.nextInt(3, 16);
    for (int i = 0; i < length; i++) {
      add(line(values), lines, values);
    }
    return new Code(lines, List.of(pick(values), pick(values)));
  }

  private static void add(Line line, List<Line> lines, List<Integer> values) {
    lines.add(line);
    values.add(line.id());
    if (line.kind().equals("pair")) {
      values.add(line.id() + 1);
    }
  }

  private int pick(List<Integer> from) {
    int back = Math.min(random.nextInt(from.size()), random.nextInt(from.size()));
    return from.get(from.size() - 1 - back);
  }

  private Line line(List<Integer> values) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> reduce(values);
      case 3 -> new Line(id(1), "permute", "", pick(values), 0);
      case 4 -> new Line(id(2), "pair", "", pick(values), pick(values));
      case 5 -> random.nextInt(3) == 0 ? loop(values) : local(values);
      default -> local(values);
    };
  }

  private Line reduce(List<Integer> values) {
    String groups = random.nextInt(4) == 0 ? "some " : "all ";
    return new Line(
        id(1), "reduce", groups + (random.nextBoolean() ? "add" : "maximum"), pick(values), 0);
  }

  private Line loop(List<Integer> values) {
    return new Line(id(1), "loop", "", pick(values), pick(values));
  }

  private Line local(List<Integer> values) {
    return switch (random.nextInt(6)) {
      case 0 -> new Line(id(1), "constant", Integer.toString(random.nextInt(4)), 0, 0);
      case 1 -> new Line(id(1), "unary", random.nextBoolean() ? "negate" : "abs", pick(values), 0);
      default -> {
        String op =
            switch (random.nextInt(3)) {
              case 0 -> "add";
              case 1 -> "subtract";
              default -> "maximum";
            };
        yield new Line(id(1), "binary", op, pick(values), pick(values));
      }
    };
  }

  private int id(int count) {
    int id = next;
    next += count;
    return id;
  }

  /** Returns code that issues the same collectives; between some of them it is as it was. */
  private Code varied(Code base) {
    List<Line> lines = new ArrayList<>();
    List<Integer> values = new ArrayList<>(List.of(0, 1, 2));
    Map<Integer, Integer> instead = new HashMap<>();
    boolean here = random.nextInt(3) == 0;
    for (Line line : base.lines()) {
      Line now = renamed(line, instead);
      if (line.communicates()) {
        if (random.nextInt(8) == 0) {
          now = new Line(now.id(), now.kind(), now.op(), pick(values), now.y());
        }
        add(now, lines, values);
        here = random.nextInt(3) == 0;
        continue;
      }
      if (here && random.nextInt(4) == 0) {
        add(local(values), lines, values);
      }
      int what = here ? random.nextInt(5) : 4;
      switch (what) {
        case 0 -> instead.put(line.id(), pick(values));
        case 1 -> {
          Line other = local(values);
          instead.put(line.id(), other.id());
          add(other, lines, values);
        }
        case 2 ->
            add(new Line(now.id(), now.kind(), now.op(), pick(values), now.y()), lines, values);
        default -> add(now, lines, values);
      }
    }
    List<Integer> results = new ArrayList<>();
    for (int result : base.results()) {
      results.add(random.nextInt(6) == 0 ? pick(values) : instead.getOrDefault(result, result));
    }
    return new Code(lines, results);
  }

  private static Line renamed(Line line, Map<Integer, Integer> instead) {
    return new Line(
        line.id(),
        line.kind(),
        line.op(),
        instead.getOrDefault(line.x(), line.x()),
        instead.getOrDefault(line.y(), line.y()));
  }
}
