package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.tools.CommandLineRunner;
import dev.lockstep.tools.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code -o} writes, and what it must leave alone. */
final class OutputFilesTest {
  private static final String PROGRAM =
      """
      // Written by hand.
      module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} {
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
          %y = stablehlo.add %x, %c : tensor<2xf32>
          return %y : tensor<2xf32>
        }
      }
      """;

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("a.rank0.mlir"), PROGRAM);
    Files.writeString(folder.resolve("a.rank1.mlir"), PROGRAM.replace("1.0, 2.0", "3.0, 2.0"));
  }

  /** Runs a command; words that start with a slash stand in the folder. */
  private int run(String... arguments) {
    out.reset();
    err.reset();
    List<String> words = new ArrayList<>();
    for (String argument : arguments) {
      words.add(argument.startsWith("/") ? folder + argument : argument);
    }
    return CommandLineRunner.run(
        words,
        new Console(
            new ByteArrayInputStream(PROGRAM.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false));
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private List<String> names(String below) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(below))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFolder_isNoLeaveToWriteOverWhatWasRead() throws IOException {
    List<String[]> commands =
        List.of(
            new String[] {"opt", "/a.rank0.mlir", "-o", "/"},
            new String[] {"opt", "/", "-o", "/"},
            new String[] {"opt", "--ranks", "/", "-o", "/"},
            new String[] {"opt", "--ranks", "/", "--repair-divergence", "-o", "/"},
            new String[] {"diff", "--ranks", "/", "--repair", "-o", "/"});
    for (String[] command : commands) {
      assertThat(run(command)).as(String.join(" ", command) + err()).isEqualTo(64);
      assertThat(err()).contains("a.rank0.mlir was read and would be written over");
    }
    assertThat(names("")).containsExactly("a.rank0.mlir", "a.rank1.mlir");
    assertThat(folder.resolve("a.rank0.mlir")).content().isEqualTo(PROGRAM);
  }

  @Test
  void aFileThatIsNamed_mayBeTheOneThatWasRead() {
    assertThat(run("opt", "/a.rank0.mlir", "-o", "/a.rank0.mlir")).isZero();
    assertThat(folder.resolve("a.rank0.mlir")).content().doesNotContain("by hand");
  }

  @Test
  void aFailingRun_leavesWhatWasThere() throws IOException {
    Files.writeString(folder.resolve("old"), "old");
    Files.writeString(folder.resolve("old.npz"), "old");
    Files.writeString(folder.resolve("cut.mlir"), PROGRAM.substring(0, 200));
    assertThat(run("opt", "/cut.mlir", "-o", "/old")).isEqualTo(1);
    assertThat(run("translate", "/cut.mlir", "--to", "hlo", "-o", "/old")).isEqualTo(1);
    assertThat(run("comm", "/cut.mlir", "-o", "/old")).isEqualTo(1);
    assertThat(run("run", "/cut.mlir", "--random", "1", "-o", "/old.npz")).isEqualTo(1);
    assertThat(run("run", "/a.rank0.mlir", "-o", "/old.npz")).isEqualTo(64);
    assertThat(folder.resolve("old")).content().isEqualTo("old");
    assertThat(folder.resolve("old.npz")).content().isEqualTo("old");
  }

  @Test
  void aFileIsReplacedWhole_withItsPermissionsAndThroughLinks() throws IOException {
    Path file = Files.writeString(folder.resolve("old"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("old"));
    assertThat(run("comm", "/a.rank0.mlir", "-o", "/link")).isZero();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(file).content().isEqualTo("no collectives\n");
    assertThat(Files.getPosixFilePermissions(file)).hasSize(4);
    assertThat(names("")).containsExactly("a.rank0.mlir", "a.rank1.mlir", "link", "old");
  }

  @Test
  void severalFiles_makeTheFolder_andNoneIsLost() throws IOException {
    Files.createDirectory(folder.resolve("other"));
    Files.writeString(folder.resolve("other/a.rank0.mlir"), PROGRAM);
    assertThat(run("opt", "/a.rank0.mlir", "/other/a.rank0.mlir", "-o", "/new/below")).isZero();
    assertThat(folder.resolve("new/below/a.rank0.mlir")).exists();
    assertThat(folder.resolve("new/below/other/a.rank0.mlir")).exists();

    assertThat(run("translate", "/a.rank0.mlir", "--to", "hlo", "-o", "/a.rank0.hlo")).isZero();
    assertThat(run("opt", "/a.rank0.mlir", "/a.rank0.hlo", "--to", "hlo", "-o", "/hlo")).isZero();
    assertThat(names("hlo")).containsExactly("a.rank0.hlo", "a.rank0.hlo.hlo");
  }

  @Test
  void aFileWhereAFolderIsMeant_isBadUsage() throws IOException {
    Files.writeString(folder.resolve("old"), "old");
    List<String[]> commands =
        List.of(
            new String[] {"opt", "/a.rank0.mlir", "/a.rank1.mlir", "-o", "/old"},
            new String[] {"opt", "--ranks", "/", "-o", "/old"},
            new String[] {"split", "/a.rank0.mlir", "-o", "/old"},
            new String[] {"diff", "--ranks", "/", "--repair", "-o", "/old"});
    for (String[] command : commands) {
      assertThat(run(command)).as(String.join(" ", command) + err()).isEqualTo(64);
      assertThat(err()).contains("/old").contains("folder");
    }
    assertThat(folder.resolve("old")).content().isEqualTo("old");
  }

  @Test
  void aDash_isStandardOutput() {
    assertThat(run("comm", "-", "-o", "-")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("no collectives\n");
    assertThat(Path.of("-")).doesNotExist();
  }

  @Test
  void repair_saysWhichElementDiffers() {
    assertThat(run("diff", "--ranks", "/", "--repair", "-o", "/fixed")).as(err()).isZero();
    assertThat(err())
        .contains("a.rank0.mlir:4: literal element 0: 1.0 on rank 0, 3.0 on rank 1: a table");
  }
}
