package dev.lockstep.golden.gloo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.lower.LowerSet;
import dev.lockstep.lower.LoweringContext;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sets of programs whose calls stand in different orders, or do not meet. */
final class LowerSetTest {
  private static final TensorType TYPE = TensorType.of(ElementType.F32, 2);
  private static final String SEND = "c10d.send";
  private static final String RECV = "c10d.recv";

  private static CallText text() {
    return new CallText(false);
  }

  private static String send(int peer) {
    return "peer = " + peer + " : i64, tag = 0 : i64";
  }

  private static ImmutableList<Module> lower(List<CallText> ranks) {
    List<Module> modules = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      modules.add(Texts.read(Source.of("prog.rank" + rank + ".mlir", ranks.get(rank).text())));
    }
    return LowerSet.lower(modules, LoweringContext.UNKNOWN);
  }

  /** Runs with the argument [rank, rank] on every rank and returns the first element of each. */
  private static List<Double> run(ImmutableList<Module> ranks) {
    List<ImmutableList<Datum>> arguments = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      arguments.add(ImmutableList.of(Literal.splatOf(TYPE, (double) rank)));
    }
    List<Double> out = new ArrayList<>();
    for (ImmutableList<Datum> results :
        GridInterpreter.run(
            Program.ofRanks(ranks),
            new DeviceGrid(ranks.size(), 1),
            arguments,
            InterpreterOptions.DEFAULT)) {
      out.add(((Literal) results.get(0)).getDouble(0));
    }
    return out;
  }

  @Test
  void lower_pingAndPongInOppositeOrders_meet() {
    CallText first = text();
    CallText.Name x = first.parameter(TYPE);
    first.call(SEND, List.of(x), send(1), List.of());
    first.give(first.call(RECV, List.of(x), send(1), List.of(TYPE)).get(0));
    CallText second = text();
    CallText.Name y = second.parameter(TYPE);
    CallText.Name got = second.call(RECV, List.of(y), send(0), List.of(TYPE)).get(0);
    second.call(SEND, List.of(got), send(0), List.of());
    second.give(got);
    assertThat(run(lower(List.of(first, second)))).containsExactly(0.0, 0.0);
  }

  @Test
  void lower_groupsOfTheirOwn_areOneCall() {
    List<CallText> ranks = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      CallText text = text();
      CallText.Name x = text.parameter(TYPE);
      String group =
          String.format("groups = dense<[[%d, %d]]> : tensor<1x2xi64>", rank % 2, rank % 2 + 2);
      text.give(
          text.call(
                  "_c10d_functional.all_reduce",
                  List.of(x),
                  group + ", reduce_op = \"sum\"",
                  List.of(TYPE))
              .get(0));
      ranks.add(text);
    }
    ImmutableList<Module> lowered = lower(ranks);
    assertThat(run(lowered)).containsExactly(2.0, 4.0, 2.0, 4.0);
    assertThat(lowered.stream().map(Texts::print).distinct()).hasSize(1);
  }

  @Test
  void lower_collectivesInOtherOrders_saysWhoWaitsWhere() {
    CallText first = text();
    CallText second = text();
    for (CallText text : List.of(first, second)) {
      CallText.Name x = text.parameter(TYPE);
      String op = text == first ? "sum" : "max";
      text.give(
          text.call(
                  "_c10d_functional.all_reduce",
                  List.of(x),
                  "reduce_op = \"" + op + "\"",
                  List.of(TYPE))
              .get(0));
    }
    assertThatThrownBy(() -> lower(List.of(first, second)))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("prog.rank0.mlir:2:3: error[c10d-set]: the ranks do not meet")
        .hasMessageContaining("prog.rank1.mlir:2:3: note: rank 1 waits in");
  }

  @Test
  void lower_sourcesThatDisagree_areRefusedWithBothPlaces() {
    List<CallText> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      CallText text = text();
      CallText.Name x = text.parameter(TYPE);
      text.give(
          text.call(
                  "_c10d_functional.broadcast",
                  List.of(x),
                  "src = " + rank + " : i64",
                  List.of(TYPE))
              .get(0));
      ranks.add(text);
    }
    assertThatThrownBy(() -> lower(ranks))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("rank 0 has src = 0, rank 1 of the same group has 1")
        .hasMessageContaining("prog.rank0.mlir:2:3: note: the call of rank 0");
  }

  @Test
  void lower_sendThatNobodyReceives_isRefused() {
    CallText first = text();
    CallText.Name x = first.parameter(TYPE);
    first.call(SEND, List.of(x), send(1), List.of());
    first.give(x);
    CallText second = text();
    second.give(second.parameter(TYPE));
    assertThatThrownBy(() -> lower(List.of(first, second)))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("prog.rank0.mlir:2:3: error[p2p-unmatched]: rank 0 sends to rank 1");
  }
}
