package dev.lockstep.golden.split;

import dev.lockstep.golden.split.RandomRankSet.Line;
import java.util.SplittableRandom;

/** Writes code as StableHLO, with XLA collectives or with torch.distributed calls. */
final class MlirRankText extends RankText {
  private static final String T = "tensor<4xf32>";

  private final boolean torch;
  private final SplittableRandom random;

  MlirRankText(boolean torch, SplittableRandom random) {
    this.torch = torch;
    this.random = random;
  }

  /** A program of torch may forget to wait. */
  @Override
  void finish() {}

  @Override
  void write(Line line) {
    String x = line.kind().equals("constant") ? "" : use(line.x());
    String id = "%v" + line.id();
    switch (line.kind()) {
      case "constant" -> emit(id + " = stablehlo.constant dense<" + line.op() + ".0> : " + T);
      case "unary" -> emit(id + " = stablehlo." + line.op() + " " + x + " : " + T);
      case "binary" ->
          emit(id + " = stablehlo." + line.op() + " " + x + ", " + use(line.y()) + " : " + T);
      case "reduce" -> mlirReduce(line, x, id);
      case "permute" ->
          emit(
              id
                  + " = \"stablehlo.collective_permute\"("
                  + x
                  + ") <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}>"
                  + " : ("
                  + T
                  + ") -> "
                  + T);
      case "pair" -> {
        allReduce(id, "add", "[[0, 1, 2]]> : tensor<1x3xi64>", x);
        allReduce("%v" + (line.id() + 1), "add", "[[0, 1, 2]]> : tensor<1x3xi64>", use(line.y()));
      }
      default -> mlirLoop(line, x, id);
    }
  }

  private void mlirReduce(Line line, String x, String id) {
    boolean all = line.op().startsWith("all");
    String op = line.op().substring(line.op().indexOf(' ') + 1);
    String groups = all ? "[[0, 1, 2]]> : tensor<1x3xi64>" : "[[0, 1], [2, -1]]> : tensor<2x2xi64>";
    if (!torch) {
      allReduce(id, op, groups, x);
      return;
    }
    String name = op.equals("add") ? "sum" : "max";
    String call =
        " = stablehlo.custom_call @_c10d_functional.%s(%s) {api_version = 4 : i32, has_side_effect"
            + " = true%s} : ("
            + T
            + ") -> "
            + T;
    boolean waits = random.nextInt(4) > 0;
    String started = waits ? id + "_started" : id;
    emit(
        started
            + String.format(
                call,
                "all_reduce",
                x,
                ", backend_config = {groups = dense<"
                    + groups
                    + ", reduce_op = \""
                    + name
                    + "\"}"));
    if (waits) {
      unfinished.put(line.id(), "  " + id + String.format(call, "wait_tensor", started, "") + "\n");
    }
  }

  private void allReduce(String id, String op, String groups, String x) {
    emit(
        id
            + " = \"stablehlo.all_reduce\"("
            + x
            + ") <{replica_groups = dense<"
            + groups
            + "}> ({\n  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n    %s = stablehlo."
            + op
            + " %l, %r : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  }) : ("
            + T
            + ") -> "
            + T);
  }

  private void mlirLoop(Line line, String x, String id) {
    String y = use(line.y());
    String n = fresh();
    emit(n + " = stablehlo.constant dense<0> : tensor<i32>");
    emit(
        id
            + "_all:2 = stablehlo.while(%i = "
            + n
            + ", %w = "
            + x
            + ") : tensor<i32>, "
            + T
            + "\n  cond {\n    %two = stablehlo.constant dense<2> : tensor<i32>\n    %p ="
            + " stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>\n   "
            + " stablehlo.return %p : tensor<i1>\n  } do {\n    %one = stablehlo.constant dense<1>"
            + " : tensor<i32>\n    %j = stablehlo.add %i, %one : tensor<i32>\n    %s ="
            + " \"stablehlo.collective_permute\"(%w) <{source_target_pairs = dense<[[0, 1], [1,"
            + " 0]]> : tensor<2x2xi64>}> : ("
            + T
            + ") -> "
            + T
            + "\n    %t = stablehlo.subtract %s, "
            + y
            + " : "
            + T
            + "\n    stablehlo.return %j, %t : tensor<i32>, "
            + T
            + "\n  }");
    names.put(line.id(), id + "_all#1");
  }

  @Override
  String module(String first, String second) {
    return "module attributes {mhlo.num_replicas = 3 : i32} {\nfunc.func @main(%v0: "
        + T
        + " {tf.aliasing_output = 0 : i32}, %v1: "
        + T
        + " {jax.buffer_donor = true}, %v2: "
        + T
        + ") -> ("
        + T
        + ", "
        + T
        + ") {\n"
        + out
        + "  return "
        + first
        + ", "
        + second
        + " : "
        + T
        + ", "
        + T
        + "\n}\n}\n";
  }
}
