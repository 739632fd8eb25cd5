package dev.lockstep.golden.split;

import dev.lockstep.golden.split.RandomRankSet.Line;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes code as HLO text, with asynchronous pairs and tuples. */
final class HloRankText extends RankText {
  private static final String F = "f32[4]";

  private final Set<Integer> known = new HashSet<>();

  /** Whatever was started is finished. */
  @Override
  void finish() {
    List.copyOf(unfinished.keySet()).stream().sorted().forEach(this::use);
  }

  @Override
  void write(Line line) {
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
          unfinished.put(line.id(), "  " + id + " = " + F + " all-reduce-done(" + id + ".s)\n");
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
    String zero = fresh();
    emit(zero + " = s32[] constant(0)");
    emit(id + ".i = (s32[], f32[4], f32[4]) tuple(" + zero + ", " + x + ", " + use(line.y()) + ")");
    emit(id + ".w = (s32[], f32[4], f32[4]) while(" + id + ".i), condition=%cond, body=%body");
    element(line.id(), id + ".w", 1);
  }

  @Override
  String module(String first, String second) {
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
