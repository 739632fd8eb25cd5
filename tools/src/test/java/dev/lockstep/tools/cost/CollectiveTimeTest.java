package dev.lockstep.tools.cost;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.pass.cost.CollectiveTime;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The formulas for collectives against what NCCL took on a real machine. */
final class CollectiveTimeTest {
  private static final String ADD =
      """
      add {
        a = u8[] parameter(0)
        b = u8[] parameter(1)
        ROOT s = u8[] add(a, b)
      }
      """;

  /** Returns the seconds that the model gives for {@code bytes} at each of {@code ranks}. */
  private static double seconds(String device, String collective, int ranks, long bytes) {
    StringBuilder group = new StringBuilder("{");
    for (int i = 0; i < ranks; i++) {
      group.append(i == 0 ? "" : ",").append(i);
    }
    group.append('}');
    String groups = "replica_groups={" + group + "}";
    String call =
        switch (collective) {
          case "AG" -> "u8[" + bytes * ranks + "] all-gather(x), dimensions={0}, " + groups;
          case "AR" -> "u8[" + bytes + "] all-reduce(x), to_apply=add, " + groups;
          case "RS" ->
              "u8["
                  + bytes / ranks
                  + "] reduce-scatter(x), dimensions={0}, to_apply=add, "
                  + groups;
          default -> "u8[" + bytes + "] all-to-all(x), dimensions={0}, " + groups;
        };
    String text =
        "HloModule m\n"
            + ADD
            + "ENTRY e {\n  x = u8["
            + bytes
            + "] parameter(0)\n  ROOT r = "
            + call
            + "\n}\n";
    Module module = Texts.read(Source.of("m.hlo", text));
    return new CollectiveTime(
            DeviceFile.known(device), new DeviceGrid(ranks, 1), MemberOrder.REPLICA_MAJOR)
        .seconds(requireNonNull(module.entryFunction().orElseThrow().body().root()));
  }

  @Test
  void formulas_agreeWithMeasuredTimes() throws IOException {
    List<Double> errors = new ArrayList<>();
    for (String row : rows()) {
      List<String> cells = Splitter.on(',').splitToList(row);
      double measured = Double.parseDouble(cells.get(3)) / 1000;
      double said =
          seconds(
              "mi350x", cells.get(0), Integer.parseInt(cells.get(1)), Long.parseLong(cells.get(2)));
      double error = Math.abs(said - measured) / measured;
      errors.add(error);
      assertThat(error).as(row + ", the model says " + said * 1000).isLessThan(0.25);
    }
    assertThat(errors).hasSizeGreaterThan(100);
    double mean = errors.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    assertThat(mean).isLessThan(0.06);
  }

  private static List<String> rows() throws IOException {
    try (InputStream in =
        requireNonNull(CollectiveTimeTest.class.getResourceAsStream("/cost/nccl_mi350x.csv"))) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#") && !line.startsWith("collective"))
          .toList();
    }
  }

  @Test
  void groupsThatLeaveADomain_goAtTheRateOfTheirWaysOut() {
    double within = seconds("h100", "AG", 8, 1 << 24);
    double two = seconds("h100", "AG", 16, 1 << 24);

    // Of two machines, each member's 50 GB/s together make 400 GB/s for a machine.
    assertThat(two).isBetween(2 * within, 2.5 * within);
  }
}
