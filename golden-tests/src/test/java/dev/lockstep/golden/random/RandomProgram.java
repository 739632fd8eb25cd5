package dev.lockstep.golden.random;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes small StableHLO programs for two replicas: arithmetic, moves that move little, constants,
 * repeated lines, branches, and collectives in groups of one and of two. The same seed gives the
 * same program everywhere.
 */
final class RandomProgram {
  private static final String F = "tensor<4xf32>";
  private static final String I = "tensor<4xi32>";
  private static final String M = "tensor<2x2xf32>";
  private static final String P = "tensor<i1>";

  private final SplittableRandom random;
  private final StringBuilder out = new StringBuilder();
  private final List<String> floats = new ArrayList<>(List.of("%a", "%b"));
  private final List<String> integers = new ArrayList<>(List.of("%i"));
  private final List<String> matrices = new ArrayList<>(List.of("%m"));
  private final List<String> predicates = new ArrayList<>(List.of("%p"));
  private int next;

  private RandomProgram(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns the program of {@code seed}. */
  static String text(long seed) {
    RandomProgram program = new RandomProgram(seed);
    int length = program.random.nextInt(5, 25);
    for (int i = 0; i < length; i++) {
      program.line();
    }
    String last = program.pick(program.floats);
    return "func.func @main(%a: "
        + F
        + ", %b: "
        + F
        + ", %i: "
        + I
        + ", %m: "
        + M
        + ", %p: "
        + P
        + ") -> ("
        + F
        + ", "
        + I
        + ", "
        + M
        + ") {\n"
        + program.out
        + "  return "
        + last
        + ", "
        + program.pick(program.integers)
        + ", "
        + program.pick(program.matrices)
        + " : "
        + F
        + ", "
        + I
        + ", "
        + M
        + "\n}\n";
  }

  private String pick(List<String> from) {
    // Mostly recent values, so that chains form.
    int back = Math.min(random.nextInt(from.size()), random.nextInt(from.size()));
    return from.get(from.size() - 1 - back);
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private void add(List<String> to, String operation) {
    int times = random.nextInt(6) == 0 ? 2 : 1;
    for (int i = 0; i < times; i++) {
      String name = "%v" + next++;
      out.append("  ").append(name).append(" = ").append(operation).append('\n');
      to.add(name);
    }
  }

  private void line() {
    switch (random.nextInt(17)) {
      case 0, 1 ->
          add(
              floats,
              "stablehlo."
                  + one("add", "subtract", "multiply", "maximum", "minimum")
                  + " "
                  + pick(floats)
                  + ", "
                  + pick(floats)
                  + " : "
                  + F);
      case 2 -> add(floats, "stablehlo." + one("negate", "abs") + " " + pick(floats) + " : " + F);
      case 3 ->
          add(
              floats,
              "stablehlo.constant dense<"
                  + one("0.0", "-0.0", "1.0", "[1.0, 2.0, 3.0, -4.0]")
                  + "> : "
                  + F);
      case 4 ->
          add(
              integers,
              "stablehlo.constant dense<" + one("0", "1", "-1", "[3, 1, 2, 0]") + "> : " + I);
      case 5 ->
          add(
              integers,
              "stablehlo."
                  + one("add", "multiply", "subtract", "and", "or", "xor")
                  + " "
                  + pick(integers)
                  + ", "
                  + pick(integers)
                  + " : "
                  + I);
      case 6 -> add(matrices, "stablehlo.reshape " + pick(floats) + " : (" + F + ") -> " + M);
      case 7 -> add(floats, "stablehlo.reshape " + pick(matrices) + " : (" + M + ") -> " + F);
      case 8 ->
          add(
              matrices,
              "stablehlo.transpose "
                  + pick(matrices)
                  + ", dims = "
                  + one("[0, 1]", "[1, 0]")
                  + " : ("
                  + M
                  + ") -> "
                  + M);
      case 9 -> add(floats, "stablehlo.slice " + pick(floats) + " [0:4] : (" + F + ") -> " + F);
      case 10 -> add(predicates, "stablehlo.constant dense<" + one("true", "false") + "> : " + P);
      case 11 ->
          add(
              floats,
              "stablehlo.select "
                  + pick(predicates)
                  + ", "
                  + pick(floats)
                  + ", "
                  + pick(floats)
                  + " : "
                  + P
                  + ", "
                  + F);
      case 12 -> add(integers, "stablehlo.iota dim = 0 : " + I);
      case 13 -> add(floats, "stablehlo.convert " + pick(integers) + " : (" + I + ") -> " + F);
      case 14 -> allReduce();
      case 15 ->
          add(
              floats,
              "\"stablehlo.collective_permute\"("
                  + pick(floats)
                  + ") <{source_target_pairs = dense<"
                  + one(
                      "[[0, 1], [1, 0]]> : tensor<2x2xi64>",
                      "[[0, 0], [1, 1]]> : tensor<2x2xi64>",
                      "[[0, 1]]> : tensor<1x2xi64>")
                  + "}> : ("
                  + F
                  + ") -> "
                  + F);
      default -> branch();
    }
  }

  private void allReduce() {
    String type = one("f32", "i32");
    List<String> values = type.equals("f32") ? floats : integers;
    String groups =
        one(
            "[[0, 1]]> : tensor<1x2xi64>",
            "[[0], [1]]> : tensor<2x1xi64>",
            "[[1, 0]]> : tensor<1x2xi64>");
    add(
        values,
        "\"stablehlo.all_reduce\"("
            + pick(values)
            + ") <{replica_groups = dense<"
            + groups
            + "}> ({\n  ^bb0(%l: tensor<"
            + type
            + ">, %r: tensor<"
            + type
            + ">):\n    %s = stablehlo."
            + one("add", "maximum")
            + " %l, %r : tensor<"
            + type
            + ">\n    stablehlo.return %s : tensor<"
            + type
            + ">\n  }) : (tensor<4x"
            + type
            + ">) -> tensor<4x"
            + type
            + ">");
  }

  private void branch() {
    String x = pick(floats);
    String y = pick(floats);
    add(
        floats,
        "\"stablehlo.if\"("
            + pick(predicates)
            + ") ({\n    %t = stablehlo.add "
            + x
            + ", "
            + y
            + " : "
            + F
            + "\n    %u = stablehlo.add "
            + x
            + ", "
            + y
            + " : "
            + F
            + "\n    %w = stablehlo.multiply %t, %u : "
            + F
            + "\n    stablehlo.return %w : "
            + F
            + "\n  }, {\n    stablehlo.return "
            + x
            + " : "
            + F
            + "\n  }) : ("
            + P
            + ") -> "
            + F);
  }
}
