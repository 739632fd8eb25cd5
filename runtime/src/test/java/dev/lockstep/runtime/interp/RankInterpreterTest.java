package dev.lockstep.runtime.interp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.transport.Dispatcher;
import dev.lockstep.runtime.transport.LocalNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Ranks that run apart and meet over a transport. */
final class RankInterpreterTest {
  private static final String SUM =
      "%s = \"stablehlo.all_reduce\"(%s) <{replica_groups = dense<%s> : tensor<%s>}> ({\n"
          + "    ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
          + "      %%s = stablehlo.add %%a, %%b : tensor<f32>\n"
          + "      stablehlo.return %%s : tensor<f32>\n"
          + "    }) : (tensor<2xf32>) -> tensor<2xf32>\n";

  private static String sum(String result, String operand, String groups, String type) {
    return String.format(SUM, result, operand, groups, type);
  }

  private static String program(String body, String result) {
    return "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + body
        + "  return "
        + result
        + " : tensor<2xf32>\n}\n";
  }

  /** Runs lists of texts, one list a rank, each rank on a thread of its own. */
  private static List<Object> run(LocalNetwork network, List<List<String>> ranks) {
    DeviceGrid grid = new DeviceGrid(ranks.size(), 1);
    List<CompletableFuture<List<Double>>> running = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      int own = rank;
      running.add(
          CompletableFuture.supplyAsync(
              () -> runRank(network, grid, own, ranks.get(own)),
              work -> new Thread(work, "rank " + own).start()));
    }
    List<Object> out = new ArrayList<>();
    for (CompletableFuture<List<Double>> each : running) {
      try {
        out.add(each.join());
      } catch (CompletionException e) {
        assertThat(e.getCause()).isInstanceOf(DiagnosticException.class);
        out.add(String.valueOf(requireNonNull(e.getCause()).getMessage()));
      }
    }
    return out;
  }

  private static List<Double> runRank(
      LocalNetwork network, DeviceGrid grid, int rank, List<String> texts) {
    RankInterpreter interpreter =
        new RankInterpreter(
            grid, new Dispatcher(network.transport(rank)), InterpreterOptions.DEFAULT);
    List<Double> firsts = new ArrayList<>();
    for (String text : texts) {
      Program program = Program.of(Grids.read("rank" + rank + ".mlir", text));
      ImmutableList<Datum> arguments =
          Flattening.pack(
              program.entry(rank), rank, (index, where, type) -> Literal.splatOf(type, rank + 1L));
      firsts.add(Flattening.flatten(interpreter.run(program, arguments)).get(0).getDouble(0));
    }
    network.leave(rank);
    return firsts;
  }

  @Test
  void ranks_cutTheSameCollectivesIntoOtherPrograms() {
    String all = "[[0, 1, 2]]";
    String one = program("  " + sum("%0", "%x", all, "1x3xi64"), "%0");
    String two =
        program(
            "  "
                + sum("%0", "%x", all, "1x3xi64")
                + "  %2 = stablehlo.add %x, %x : tensor<2xf32>\n  "
                + sum("%1", "%2", all, "1x3xi64"),
            "%1");
    assertThat(
            run(new LocalNetwork(3), List.of(List.of(one, one), List.of(one, one), List.of(two))))
        .containsExactly(List.of(6.0, 9.0), List.of(6.0, 9.0), List.of(9.0));
  }

  @Test
  void subGroups_meetApart() {
    String pairs = program("  " + sum("%0", "%x", "[[0, 1], [2, 3]]", "2x2xi64"), "%0");
    String own = program("  " + sum("%0", "%x", "[[3, 2]]", "1x2xi64"), "%0");
    assertThat(
            run(new LocalNetwork(4), List.of(List.of(pairs), List.of(pairs), List.of(), List.of())))
        .startsWith(List.of(3.0), List.of(3.0));
    assertThat(
            run(
                new LocalNetwork(4),
                List.of(List.of(pairs, pairs), List.of(pairs, pairs), List.of(own), List.of(own))))
        .containsExactly(List.of(3.0, 3.0), List.of(3.0, 3.0), List.of(7.0), List.of(7.0));
  }

  @Test
  void unlikeCollectives_areNamedWithBothPlaces() {
    String sum = program("  " + sum("%0", "%x", "[[0, 1]]", "1x2xi64"), "%0");
    String other =
        program(
            "  %0 = \"stablehlo.collective_broadcast\"(%x) <{replica_groups = dense<[[0, 1]]> :"
                + " tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>\n",
            "%0");
    assertThat(run(new LocalNetwork(2), List.of(List.of(sum), List.of(other))))
        .allSatisfy(
            said ->
                assertThat((String) said)
                    .contains(
                        "rank1.mlir:2:3: error[collective-mismatch]",
                        "stablehlo.collective_broadcast on device 1, stablehlo.all_reduce on"
                            + " device 0",
                        "rank0.mlir:2:3: note: device 0 is at this stablehlo.all_reduce"));
  }

  @Test
  void ranksThatWaitForEachOther_areTold() {
    String pair = "[[0, 1]]";
    String sum = program("  " + sum("%0", "%x", pair, "1x2xi64"), "%0");
    List<Object> said = run(new LocalNetwork(2), List.of(List.of(sum, sum), List.of(sum)));
    assertThat(said.get(1)).isEqualTo(List.of(3.0));
    assertThat((String) said.get(0))
        .contains("error[deadlock]", "for device 1 of the group [0, 1]", "rank 1 has finished");
  }

  @Test
  void aLostRank_endsTheOthers() throws InterruptedException {
    String sum = program("  " + sum("%0", "%x", "[[0, 1, 2]]", "1x3xi64"), "%0");
    LocalNetwork network = new LocalNetwork(3);
    Thread killer = new Thread(() -> network.lose(2, "is lost: its connection broke"));
    killer.start();
    killer.join();
    assertThat(run(network, List.of(List.of(sum), List.of(sum), List.of())).subList(0, 2))
        .allSatisfy(
            each ->
                assertThat((String) each)
                    .contains("error[peer-lost]: rank 2 is lost: its connection broke"));
  }
}
