package dev.lockstep.tools.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InputFilesTest {
  @TempDir private Path folder;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectories(folder.resolve("deep/er"));
    Files.writeString(folder.resolve("b.mlir"), "module {}");
    Files.writeString(folder.resolve("a.hlo"), "HloModule a");
    Files.writeString(folder.resolve("README.txt"), "words");
    Files.writeString(folder.resolve("dump.txt"), "// x\nHloModule a");
    Files.writeString(folder.resolve("run.py"), "pass");
    Files.writeString(folder.resolve("deep/er/c.mlir"), "module {}");
  }

  private List<String> collect(String... words) {
    return InputFiles.collect(
            List.of(words).stream().map(w -> w.equals("-") ? w : folder + "/" + w).toList())
        .stream()
        .map(file -> file.name().replace(folder + "/", ""))
        .toList();
  }

  @Test
  void folder_isThePrograms_sortedByPath() {
    assertThat(collect("")).containsExactly("a.hlo", "b.mlir", "deep/er/c.mlir", "dump.txt");
  }

  @Test
  void pattern_isWhatMatches() {
    assertThat(collect("*.mlir")).containsExactly("b.mlir");
    assertThat(collect("**.mlir")).containsExactly("b.mlir", "deep/er/c.mlir");
    assertThat(collect("deep/*/{c,d}.mlir")).containsExactly("deep/er/c.mlir");
  }

  @Test
  void mixed_keepsTheOrderAndEachFileOnce() {
    assertThat(collect("b.mlir", "-", "*.mlir", "run.py"))
        .containsExactly("b.mlir", "<stdin>", "run.py");
  }

  @Test
  void missing_isADiagnostic() {
    assertThatThrownBy(() -> collect("no.mlir"))
        .hasMessage("error[input-missing]: " + folder + "/no.mlir: no such file");
    assertThatThrownBy(() -> collect("*.no"))
        .hasMessage("error[input-missing]: no file matches " + folder + "/*.no");
  }
}
