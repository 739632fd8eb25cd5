package dev.lockstep.golden.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testing.CorpusFiles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** StableHLO's own executable tests, whose results its authors computed elsewhere. */
class StablehloCorpusTest {
  /**
   * The share of chunks that must pass. Those of testdata that do not want another order of sums or
   * a less exact function; upstream disables most of them.
   */
  @ParameterizedTest
  @CsvSource({
    "stablehlo/testdata, 0.995",
    "stablehlo/testdata/quantized, 1",
    "stablehlo/tests/interpret, 1"
  })
  void programsCheckThemselves(String folder, double share) throws IOException {
    CorpusRun run = new CorpusRun();
    for (Path file : CorpusFiles.files(folder, ".mlir")) {
      run.run(file);
    }
    assertThat((double) run.passed() / run.total())
        .as("%d of %d, failed: %s", run.passed(), run.total(), run.failures())
        .isGreaterThanOrEqualTo(share);
  }
}
