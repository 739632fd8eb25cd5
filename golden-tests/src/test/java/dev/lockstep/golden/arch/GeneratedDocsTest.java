package dev.lockstep.golden.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testing.Checkout;
import dev.lockstep.tools.docs.GeneratedDocs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Documents that are written from definitions are up to date. */
final class GeneratedDocsTest {
  @Test
  void documents_areWhatTheDefinitionsSay() throws IOException {
    for (Map.Entry<String, String> document : GeneratedDocs.all().entrySet()) {
      Path file = Checkout.root().resolve(document.getKey());
      assertThat(Files.readString(file))
          .as(document.getKey() + " is stale: run ./lockstep docs")
          .isEqualTo(document.getValue());
    }
  }
}
