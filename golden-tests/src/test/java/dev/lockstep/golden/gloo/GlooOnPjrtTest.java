package dev.lockstep.golden.gloo;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.pjrt.KnownLimits;
import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.lower.LowerC10d;
import dev.lockstep.lower.LoweringContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What gloo ran on four ranks, lowered and run by XLA on four devices. */
final class GlooOnPjrtTest {
  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void records_giveOnThePluginWhatTheyGiveOnTheInterpreter(Path plugin) {
    try (OnPjrt both = OnPjrt.open(plugin)) {
      for (GlooRecord record : GlooRecord.all()) {
        for (boolean hlo : new boolean[] {false, true}) {
          String name = "gloo/" + record + (hlo ? ".hlo" : ".mlir");
          Module module =
              Texts.read(Source.of(name, GlooProgram.text(record, GlooProgram.ALL, hlo)));
          Module lowered = LowerC10d.lower(module, LoweringContext.of(record.world(), 1));
          List<ImmutableList<Datum>> arguments = new ArrayList<>();
          for (int rank = 0; rank < record.world(); rank++) {
            arguments.add(GlooProgram.arguments(record, GlooProgram.ALL, rank));
          }
          both.check(name, lowered, new DeviceGrid(record.world(), 1), arguments);
        }
      }
      KnownLimits.check("gloo", both);
      assertThat(both.agreed() + both.found().size()).isEqualTo(260);
    }
  }
}
