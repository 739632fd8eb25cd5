package dev.lockstep.golden.split;

import dev.lockstep.golden.split.RandomRankSet.Code;
import dev.lockstep.golden.split.RandomRankSet.Line;
import dev.lockstep.golden.split.RandomRankSet.Style;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Writes code as StableHLO, as HLO with asynchronous pairs, or with torch.distributed calls. */
final class RankText {
  private static final String T = "tensor<4xf32>";
  private static final String F = "f32[4]";

  private final Style style;
  private final Code code;
  private final SplittableRandom random;
  private final StringBuilder out = new StringBuilder();

  /** What must still be finished before it is used: the line that does it. */
  private final Map<Integer, String> unfinished = new HashMap<>();

  private final Map<Integer, String> names = new HashMap<>();
  private final Set<Integer> known = new HashSet<>();
  private int more;

  RankText(Style style, Code code, SplittableRandom random) {
    this.style = style;
    this.code = code;
    this.random = random;
  }

  /** Returns the program. */
  String write() {
    for (Line line : code.lines()) {
      if (style == Style.HLO) {
        hlo(line);
      } else {
        mlir(line);
      }
    }
    String first = use(code.results().get(0));
    String second = use(code.results().get(1));
    // In HLO whatever was started is finished; torch programs may forget to wait.
    if (style == Style.HLO) {
      for (int id : Set.copyOf(unfinished.keySet()).stream().sorted().toList()) {
        use(id);
      }
    }
    return style == Style.HLO ? hloModule(first, second) : mlirModule(first, second);
  }

  private String use(int id) {
    String finish = unfinished.remove(id);
    if (finish != null) {
      out.append(finish);
    }
    return names.getOrDefault(id, "%v" + id);
  }

  private void emit(String text) {
    out.append("  ").append(text).append('\n');
  }

  private void mlir(Line line) {
    String x = line.kind().equals("constant") ? "" : use(line.x());
    String id = "%v" + line.id();
    switch (line.kind()) {
      case "constant" ->
          emit(id + " = stablehlo.constant dense<" + line.op() + ".0> : " + T);
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
    if (style == Style.STABLEHLO) {
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
                ", backend_config = {groups = dense<" + groups + ", reduce_op = \"" + name + "\"}"));
    if (waits) {
      unfinished.put(
          line.id(), "  " + id + String.format(call, "wait_tensor", started, "") + "\n");
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
    String n = "%n" + more++;
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

  private String mlirModule(String first, String second) {
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

  private void hlo(Line line) {
    String x = line.kind().equals("constant") ? "" : use(line.x());
    String id = "%v" + line.id();
    switch (line.kind()) {
      case "constant" -> {
        emit(id + ".c = f32[] constant(" + line.op() + ")");
        emit(id + " = " + F + " broadcast(" + id + ".c), dimensions={}");
      }
      case "unary" -> emit(id + " = " + F + " " + line.op() + "(" + x + ")");
      case "binary" ->
          emit(id + " = " + F + " " + line.op() + "(" + x + ", " + use(line.y()) + ")");
      case "reduce" -> {
        boolean all = line.op().startsWith("all");
        String how =
            ", replica_groups="
                + (all ? "{{0,1,2}}" : "{{0,1},{2}}")
                + ", to_apply=%"
                + line.op().substring(line.op().indexOf(' ') + 1);
        if (line.id() % 2 == 0) {
          emit(id + ".s = " + F + " all-reduce-start(" + x + ")" + how);
          unfinished.put(
              line.id(), "  " + id + " = " + F + " all-reduce-done(" + id + ".s)\n");
        } else {
          emit(id + " = " + F + " all-reduce(" + x + ")" + how);
        }
      }
      case "permute" ->
          emit(
              id
                  + " = "
                  + F
                  + " collective-permute("
                  + x
                  + "), source_target_pairs={{0,1},{1,2},{2,0}}");
      case "pair" -> {
        emit(
            id
                + ".t = ("
                + F
                + ", "
                + F
                + ") all-reduce("
                + x
                + ", "
                + use(line.y())
                + "), replica_groups={{0,1,2}}, to_apply=%add");
        element(line.id(), id + ".t", 0);
        element(line.id() + 1, id + ".t", 1);
      }
      default -> hloLoop(line, x, id);
    }
  }

  private void element(int id, String tuple, int index) {
    if (known.add(id)) {
      emit("%v" + id + " = " + F + " get-tuple-element(" + tuple + "), index=" + index);
    }
  }

  private void hloLoop(Line line, String x, String id) {
    String zero = "%n" + more++;
    emit(zero + " = s32[] constant(0)");
    emit(
        id
            + ".i = (s32[], f32[4], f32[4]) tuple("
            + zero
            + ", "
            + x
            + ", "
            + use(line.y())
            + ")");
    emit(
        id
            + ".w = (s32[], f32[4], f32[4]) while("
            + id
            + ".i), condition=%cond, body=%body");
    element(line.id(), id + ".w", 1);
  }

  private String hloModule(String first, String second) {
    return """
    HloModule m, replica_count=3, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }

    %add { a = f32[] parameter(0)
      b = f32[] parameter(1)
      ROOT c = f32[] add(a, b) }

    %maximum { a = f32[] parameter(0)
      b = f32[] parameter(1)
      ROOT c = f32[] maximum(a, b) }

    %cond { t = (s32[], f32[4], f32[4]) parameter(0)
      i = s32[] get-tuple-element(t), index=0
      two = s32[] constant(2)
      ROOT p = pred[] compare(i, two), direction=LT }

    %body { t = (s32[], f32[4], f32[4]) parameter(0)
      i = s32[] get-tuple-element(t), index=0
      w = f32[4] get-tuple-element(t), index=1
      y = f32[4] get-tuple-element(t), index=2
      one = s32[] constant(1)
      j = s32[] add(i, one)
      s = f32[4] collective-permute(w), source_target_pairs={{0,1},{1,0}}
      d = f32[4] subtract(s, y)
      ROOT r = (s32[], f32[4], f32[4]) tuple(j, d, y) }

    ENTRY %main {
      %v0 = f32[4] parameter(0)
      %v1 = f32[4] parameter(1)
      %v2 = f32[4] parameter(2)
    """
        + out
        + "  ROOT %result = (f32[4], f32[4]) tuple("
        + first
        + ", "
        + second
        + ")\n}\n";
  }
}
