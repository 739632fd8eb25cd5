package dev.lockstep.golden.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.pjrt.KnownLimits;
import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.Program;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What golden cases give, on a plugin. */
final class GoldenOnPjrtTest {
  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void cases_giveOnThePluginWhatTheyGiveOnTheInterpreter(Path plugin) {
    try (OnPjrt both = OnPjrt.open(plugin)) {
      for (GoldenProgram golden : GoldenProgram.all("interpret", "lowering", "passes")) {
        try {
          if (golden.grid().size() <= 8) {
            both.check(
                "golden/" + golden.name(),
                golden.module(),
                golden.grid(),
                Flattening.random(Program.of(golden.module()), golden.grid(), 1));
          }
        } catch (DiagnosticException e) {
          // Cases of errors when run, or of programs that only a set of ranks can run.
        }
      }
      KnownLimits.check("golden", both);
      assertThat(both.agreed()).isGreaterThan(300);
    }
  }
}
