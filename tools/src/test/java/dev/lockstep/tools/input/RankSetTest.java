package dev.lockstep.tools.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RankSetTest {
  @TempDir private Path temporary;

  private void make(String... names) throws IOException {
    for (String name : names) {
      Path file = temporary.resolve("set").resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "HloModule x");
    }
  }

  private List<List<String>> ranks(String word) {
    Path set = temporary.resolve("set");
    return RankSet.of(set.resolve(word).toString()).ranks().stream()
        .map(files -> files.stream().map(f -> set.relativize(f.path()).toString()).toList())
        .toList();
  }

  @Test
  void numberAfterRank_isTheRank() throws IOException {
    make("v2.rank1.mlir", "v2.rank0.mlir", "v2.rank2.mlir");

    assertThat(ranks("*.rank*.mlir"))
        .containsExactly(
            List.of("v2.rank0.mlir"), List.of("v2.rank1.mlir"), List.of("v2.rank2.mlir"));
  }

  @Test
  void damagedTextOfARank_isStillItsProgram() throws IOException {
    make("a.rank0.fx.txt", "a.rank1.fx.txt");
    Files.write(temporary.resolve("set/a.rank1.fx.txt"), new byte[] {7, 1, 2, 3});

    assertThat(ranks("")).containsExactly(List.of("a.rank0.fx.txt"), List.of("a.rank1.fx.txt"));
  }

  @Test
  void onlyDifferingNumber_isTheRank() throws IOException {
    make("v2_0.mlir", "v2_1.mlir", "v2_10.mlir", "v2_2.mlir");

    assertThatThrownBy(() -> ranks(""))
        .hasMessageContaining("there is no program for rank 3, but one for rank 10");
    Files.delete(temporary.resolve("set/v2_10.mlir"));
    assertThat(ranks(""))
        .containsExactly(List.of("v2_0.mlir"), List.of("v2_1.mlir"), List.of("v2_2.mlir"));
  }

  @Test
  void severalNumbersDiffer_isUnclear() throws IOException {
    make("v1_0.mlir", "v2_1.mlir");

    assertThatThrownBy(() -> ranks("*.mlir"))
        .hasMessageContaining("2 numbers differ between the names, must be one, the rank");
  }

  @Test
  void dumpFolders_areReadBeforeOptimizations_inModuleOrder() throws IOException {
    make(
        "rank0/module_0010.b.before_optimizations.txt",
        "rank0/module_0002.a.before_optimizations.txt",
        "rank0/module_0002.a.after_optimizations.txt",
        "rank1/module_0002.a.before_optimizations.txt");

    assertThat(ranks(""))
        .containsExactly(
            List.of(
                "rank0/module_0002.a.before_optimizations.txt",
                "rank0/module_0010.b.before_optimizations.txt"),
            List.of("rank1/module_0002.a.before_optimizations.txt"));
  }

  @Test
  void jsonList_saysTheOrder() throws IOException {
    make("b.mlir", "a.mlir", "c.mlir");
    Files.writeString(temporary.resolve("set/x.json"), "[[\"b.mlir\", \"a.mlir\"], [\"c.mlir\"]]");

    assertThat(ranks("x.json")).containsExactly(List.of("b.mlir", "a.mlir"), List.of("c.mlir"));
  }

  @Test
  void severalProgramsWithoutNumbers_areUnclear() throws IOException {
    make("rank0.a.mlir", "rank0.b.mlir");

    assertThatThrownBy(() -> ranks("")).hasMessageContaining("rank 0 has several programs");
  }

  @Test
  void oneProgram_isRankZero_whateverItsNameSays() throws IOException {
    make("step_20260101.mlir");

    assertThat(ranks("*.mlir")).containsExactly(List.of("step_20260101.mlir"));
  }

  @Test
  void results_areNamedWithTheFoldersOfRanks_whereNamesAreAlike() throws IOException {
    make("rank0/module_0001.txt", "rank1/module_0001.txt", "rank1/module_0002.txt");
    RankSet set = RankSet.of(temporary.resolve("set").toString());

    assertThat(ResultNames.of(set).values())
        .containsExactly("rank0/module_0001.txt", "rank1/module_0001.txt", "rank1/module_0002.txt");
  }

  @Test
  void results_areNamedAsTheirFiles_whereNamesDiffer() throws IOException {
    make("a/p.rank0.mlir", "b/p.rank1.mlir");
    RankSet set = RankSet.of(temporary.resolve("set").resolve("*/p.rank*.mlir").toString());

    assertThat(ResultNames.of(set).values()).containsExactly("p.rank0.mlir", "p.rank1.mlir");
  }

  @Test
  void foldersWithNumbers_areRanks_whereNoneIsCalledSo() throws IOException {
    make("host_0/a.mlir", "host_1/a.mlir");
    Files.createDirectories(temporary.resolve("set/notes2"));

    assertThat(ranks("")).containsExactly(List.of("host_0/a.mlir"), List.of("host_1/a.mlir"));
  }

  @Test
  void dumpsOfProtosAlone_areReadBeforeOptimizations() throws IOException {
    make(
        "rank0/module_0001.a.before_optimizations.hlo.pb",
        "rank0/module_0001.a.cpu_after_optimizations.hlo.pb");

    assertThat(ranks(""))
        .containsExactly(List.of("rank0/module_0001.a.before_optimizations.hlo.pb"));
  }
}
