package dev.lockstep.golden.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.golden.run.CommandRun;
import dev.lockstep.testing.CorpusFiles;
import dev.lockstep.tools.ExitCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What torch's and torch_xla's programs of four ranks are told by the command line. */
final class RankSetsTest {

  private CommandRun last = new CommandRun(0, "", "");

  private int run(String... arguments) {
    last = CommandRun.of("", arguments);
    return last.exit();
  }

  private static String set(String name, String ending) {
    Path first = CorpusFiles.file(name + ".rank0" + ending);
    return first.resolveSibling(Path.of(name).getFileName() + ".rank*" + ending).toString();
  }

  private String out() {
    return last.out();
  }

  private String err() {
    return last.err();
  }

  @Test
  void vocabParallelEmbedding_differsInLiteralsOnly() {
    String programs = set("real/fx/vocab_parallel_embedding", ".fx.txt");
    assertThat(run("diff", "--ranks", programs)).isEqualTo(ExitCode.FAILED);
    assertThat(out())
        .contains("4 ranks run 4 different programs, which differ in literals only")
        .contains("literal: 0 on rank 0, 1024 on rank 1, 2048 on rank 2, 3072 on rank 3")
        .contains("looks like 1024 * rank")
        .contains("torch.ops.aten.ge.Scalar(tokens_1, 2048)");
    assertThat(run("verify", "--ranks", programs)).isEqualTo(ExitCode.OK);
  }

  @Test
  void divergentOrder_isADeadlockWithBothLines() {
    String programs = set("real/fx/divergent_order", ".fx.txt");
    assertThat(run("verify", "--ranks", programs)).isEqualTo(ExitCode.FAILED);
    assertThat(out()).startsWith("4 ranks do not meet: they stall\n");
    assertThat(err())
        .contains("divergent_order.rank1.fx.txt:4:9: error[ranks-stall]")
        .contains("divergent_order.rank0.fx.txt:4:9: note: ranks 0, 2 are at this")
        .contains("0 -> 1 -> 0");
    assertThat(run("diff", "--json", "--ranks", programs)).isEqualTo(ExitCode.FAILED);
    assertThat(out()).contains("\"kind\":\"order\"");
  }

  @Test
  void twoGroups_meet() {
    String programs = set("real/fx/two_groups", ".fx.txt");
    assertThat(run("verify", "--json", "--ranks", programs)).isEqualTo(ExitCode.OK);
    assertThat(out()).contains("\"verdict\":\"meet\"").contains("\"collectives\":3");
    assertThat(run("diff", "--ranks", programs)).isEqualTo(ExitCode.FAILED);
    assertThat(out()).contains("[1, 3] on ranks 1, 3, [0, 2] on ranks 0, 2");
  }

  @Test
  void extraMultiply_meetsButIsNotSafeWhole() {
    String programs = set("real/fx/extra_multiply_on_rank0", ".fx.txt");
    assertThat(run("verify", "--json", "--ranks", programs)).isEqualTo(ExitCode.OK);
    assertThat(out()).contains("\"licence\":{\"program_order\":true,\"whole_programs\":false}");
    assertThat(run("diff", "--ranks", programs)).isEqualTo(ExitCode.FAILED);
    assertThat(out()).contains("ranks 1-3: ").contains("the reference").contains("extra op");
  }

  @Test
  void allGather_padsByRank() {
    String programs = set("real/torch_xla/all_gather", ".hlo");
    assertThat(run("diff", "--ranks", programs)).isEqualTo(ExitCode.FAILED);
    assertThat(out())
        .contains("looks like [2 * rank, 0]")
        .contains("looks like [6 - 2 * rank, 0]")
        .contains("an attribute depends on the rank");
    assertThat(run("verify", "--ranks", programs)).isEqualTo(ExitCode.OK);
  }
}
