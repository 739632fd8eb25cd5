package dev.lockstep.golden.pjrt;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What docs/pjrt.md says of XLA's CPU plugins is what the tests on them expect. */
final class KnownLimitsTest {
  @Test
  void document_holdsTheTableOfTheList() throws IOException {
    assertThat(Files.readString(Path.of("../docs/pjrt.md"))).contains(KnownLimits.table());
  }
}
