package dev.lockstep.golden.repair;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Random programs of ranks that differ in data: literals, padding amounts, starts of slices, names,
 * and the order of independent operations. The collectives are the same on every rank.
 */
final class RandomRanks {
  /** One operation: its text on each rank, with {@code %N} for value N, and what it uses. */
  private record Statement(List<String> byRank, List<Integer> uses, int gives, boolean isOrdered) {}

  private final SplittableRandom random;
  private final int world;
  private final List<Statement> statements = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();

  private RandomRanks(long seed, int world) {
    this.random = new SplittableRandom(seed);
    this.world = world;
  }

  /** Returns the text of each rank. */
  static List<String> of(long seed, int world) {
    RandomRanks made = new RandomRanks(seed, world);
    return made.texts(seed);
  }

  private List<String> texts(long seed) {
    int arguments = 1 + random.nextInt(2);
    for (int i = 0; i < arguments; i++) {
      sizes.add(2 + random.nextInt(6));
    }
    int count = 4 + random.nextInt(10);
    for (int i = 0; i < count; i++) {
      add();
    }
    List<String> out = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      out.add(text(rank, arguments, new SplittableRandom(seed * 31 + rank)));
    }
    return out;
  }

  private void add() {
    int x = random.nextInt(sizes.size());
    int n = sizes.get(x);
    switch (random.nextInt(8)) {
      case 0 -> literal(n, false);
      case 1 -> literal(n, true);
      case 2 -> pad(x, n);
      case 3 -> slice(x, n);
      case 4 -> binary(x, n);
      case 5 -> allReduce(x, n);
      case 6 -> allGather(x, n);
      default -> loop(x, n);
    }
  }

  private void give(int size, List<String> byRank, List<Integer> uses, boolean isOrdered) {
    statements.add(new Statement(byRank, uses, sizes.size(), isOrdered));
    sizes.add(size);
  }

  private List<String> everywhere(String text) {
    List<String> out = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      out.add(text);
    }
    return out;
  }

  private String number() {
    return switch (random.nextInt(8)) {
      case 0 -> "-0.0";
      case 1 -> "0x7FC00" + String.format("%03X", 1 + random.nextInt(200));
      case 2 -> "0x7F800000";
      default -> String.format(Locale.ROOT, "%d.0", random.nextInt(-4, 5));
    };
  }

  private void literal(int n, boolean isSplat) {
    boolean differs = random.nextInt(4) > 0;
    List<String> out = new ArrayList<>();
    String last = "";
    for (int rank = 0; rank < world; rank++) {
      if (rank == 0 || differs && random.nextInt(3) > 0) {
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < n; i++) {
          values.append(i == 0 ? "" : ", ").append(number());
        }
        last = isSplat ? number() : "[" + values + "]";
      }
      out.add("stablehlo.constant dense<" + last + "> : tensor<" + n + "xf32>");
    }
    give(n, out, List.of(), false);
  }

  private void pad(int x, int n) {
    int total = random.nextInt(-Math.min(2, n - 1), 5);
    if (n + total < 1) {
      total = 0;
    }
    String filler = number();
    List<String> out = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      int low = random.nextInt(-1, 4);
      int high = total - low;
      out.add(
          String.format(
              "\"PAD\" %%%d, %s, low = [%d], high = [%d], interior = [0] : (tensor<%dxf32>,"
                  + " tensor<f32>) -> tensor<%dxf32>",
              x, filler, low, high, n, n + total));
    }
    give(n + total, out, List.of(x), false);
  }

  private void slice(int x, int n) {
    int step = 1 + random.nextInt(2);
    int size = 1 + random.nextInt((n + step - 1) / step);
    int span = (size - 1) * step + 1;
    List<String> out = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      int start = random.nextInt(n - span + 1);
      out.add(
          String.format(
              "stablehlo.slice %%%d [%d:%d:%d] : (tensor<%dxf32>) -> tensor<%dxf32>",
              x, start, start + span, step, n, size));
    }
    give(size, out, List.of(x), false);
  }

  private void binary(int x, int n) {
    List<Integer> alike = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      if (sizes.get(i) == n) {
        alike.add(i);
      }
    }
    int y = alike.get(random.nextInt(alike.size()));
    String op = List.of("add", "multiply", "maximum", "subtract").get(random.nextInt(4));
    give(
        n,
        everywhere(String.format("stablehlo.%s %%%d, %%%d : tensor<%dxf32>", op, x, y, n)),
        List.of(x, y),
        false);
  }

  private String groups() {
    StringBuilder out = new StringBuilder("dense<[[");
    for (int rank = 0; rank < world; rank++) {
      out.append(rank == 0 ? "" : ", ").append(rank);
    }
    return out.append("]]> : tensor<1x").append(world).append("xi64>").toString();
  }

  private void allReduce(int x, int n) {
    give(
        n,
        everywhere(
            String.format(
                """
                "stablehlo.all_reduce"(%%%d) <{replica_groups = %s}> ({
                  ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):
                    %%c = stablehlo.maximum %%a, %%b : tensor<f32>
                    stablehlo.return %%c : tensor<f32>
                  }) : (tensor<%dxf32>) -> tensor<%dxf32>""",
                x, groups(), n, n)),
        List.of(x),
        true);
  }

  private void allGather(int x, int n) {
    if (n * world > 40) {
      allReduce(x, n);
      return;
    }
    give(
        n * world,
        everywhere(
            String.format(
                "\"stablehlo.all_gather\"(%%%d) <{all_gather_dim = 0 : i64, replica_groups = %s}>"
                    + " : (tensor<%dxf32>) -> tensor<%dxf32>",
                x, groups(), n, n * world)),
        List.of(x),
        true);
  }

  private void loop(int x, int n) {
    List<String> out = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      out.add(
          String.format(
              """
              "stablehlo.if"(%%p) ({
                  %%k = stablehlo.constant dense<%s> : tensor<%dxf32>
                  %%s = stablehlo.add %%%d, %%k : tensor<%dxf32>
                  stablehlo.return %%s : tensor<%dxf32>
                }, {
                  stablehlo.return %%%d : tensor<%dxf32>
                }) : (tensor<i1>) -> tensor<%dxf32>""",
              number(), n, x, n, n, x, n, n));
    }
    give(n, out, List.of(x), false);
  }

  /** Returns the program of a rank, its independent operations in an order of its own. */
  private String text(int rank, int arguments, SplittableRandom own) {
    StringBuilder out = new StringBuilder("func.func @main(");
    for (int i = 0; i < arguments; i++) {
      out.append(String.format("%%%s: tensor<%dxf32>, ", name(rank, i), sizes.get(i)));
    }
    out.append("%p: tensor<i1>) -> (");
    List<String> results = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (int v = Math.max(0, sizes.size() - 3); v < sizes.size(); v++) {
      results.add("%" + name(rank, v));
      types.add("tensor<" + sizes.get(v) + "xf32>");
    }
    out.append(String.join(", ", types)).append(") {\n");
    List<Statement> left = new ArrayList<>(statements);
    Set<Integer> known = new HashSet<>();
    for (int i = 0; i < arguments; i++) {
      known.add(i);
    }
    while (!left.isEmpty()) {
      List<Statement> ready = new ArrayList<>();
      boolean orderedSeen = false;
      for (Statement statement : left) {
        boolean mayGo = !statement.isOrdered() || !orderedSeen;
        orderedSeen |= statement.isOrdered();
        if (mayGo && known.containsAll(statement.uses())) {
          ready.add(statement);
        }
      }
      Statement next = ready.get(own.nextInt(ready.size()));
      left.remove(next);
      known.add(next.gives());
      write(next, rank, out);
    }
    return out.append("  return ")
        .append(String.join(", ", results))
        .append(" : ")
        .append(String.join(", ", types))
        .append("\n}\n")
        .toString();
  }

  private void write(Statement statement, int rank, StringBuilder out) {
    String text = statement.byRank().get(rank);
    if (text.startsWith("\"PAD\"")) {
      String filler = text.substring(text.indexOf(", ") + 2, text.indexOf(", low"));
      String constant = name(rank, statement.gives()) + "f";
      out.append("  %").append(constant).append(" = stablehlo.constant dense<").append(filler);
      out.append("> : tensor<f32>\n");
      text =
          text.replace("\"PAD\"", "stablehlo.pad")
              .replace(", " + filler + ",", ", %" + constant + ",");
    }
    String named = text;
    for (int v = sizes.size() - 1; v >= 0; v--) {
      named = named.replaceAll("%" + v + "\\b", "%" + name(rank, v));
    }
    out.append("  %")
        .append(name(rank, statement.gives()))
        .append(" = ")
        .append(named)
        .append('\n');
  }

  private static String name(int rank, int value) {
    return "v" + rank + "_" + value;
  }
}
