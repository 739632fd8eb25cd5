package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.pass.region.RankPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class RankMatcherTest {
  private static final String SUM =
      """
      HloModule m

      %sum (a: f32[], b: f32[]) -> f32[] {
        %a = f32[] parameter(0)
        %b = f32[] parameter(1)
        ROOT %add = f32[] add(%a, %b)
      }

      """;

  /** Two groups of everybody and of two; the first is started and awaited around the second. */
  private static final String STARTED =
      SUM
          + """
          ENTRY %main (x: f32[4]) -> f32[4] {
            %x = f32[4] parameter(0)
            %s = f32[4] all-reduce-start(%x), replica_groups={{0,1,2}}, to_apply=%sum
            %t = f32[4] all-reduce-start(%x), replica_groups={{0,1}}, to_apply=%sum
            %u = f32[4] all-reduce-done(%s)
            %v = f32[4] all-reduce-done(%t)
            ROOT %w = f32[4] add(%u, %v)
          }
          """;

  private static Module read(String name, String text) {
    return Texts.read(Source.of(name, text));
  }

  private static MatchReport match(String... texts) {
    List<Module> modules = new ArrayList<>();
    for (int rank = 0; rank < texts.length; rank++) {
      modules.add(read("rank" + rank, texts[rank]));
    }
    return RankMatcher.match(RankPrograms.ofModules(modules), MatchOptions.DEFAULT);
  }

  private static String mlir(String body) {
    return "func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {\n"
        + body
        + "return %x : tensor<4xf32>\n}\n";
  }

  private static String call(String target, String config) {
    return "%"
        + target.charAt(target.length() - 1)
        + config.length()
        + " = stablehlo.custom_call @"
        + target
        + "(%x) {api_version = 4 : i32, has_side_effect = true, backend_config = {"
        + config
        + "}} : (tensor<4xf32>) -> tensor<4xf32>\n";
  }

  private static String send(int peer) {
    return "stablehlo.custom_call @c10d.send(%x) {api_version = 4 : i32, has_side_effect = true,"
        + " backend_config = {peer = "
        + peer
        + " : i64, tag = 3 : i64}} : (tensor<4xf32>) -> ()\n";
  }

  private static String receive(int peer) {
    return call("c10d.recv", "peer = " + peer + " : i64, tag = 3 : i64");
  }

  @Test
  void startedCollectives_meetInAnyOrderButWarn() {
    String other =
        STARTED
            .replace("{{0,1,2}}", "{{x}}")
            .replace("{{0,1}}", "{{0,1,2}}")
            .replace("{{x}}", "{{0,1}}");
    String third = STARTED.replaceAll("  %t = .*\n|  %v = .*\n", "").replace("%v)", "%u)");
    MatchReport report = match(STARTED, other, third);
    assertThat(report.verdict()).isEqualTo(Verdict.MEET);
    assertThat(report.meetings()).isEqualTo(2);
    assertThat(report.warnings()).extracting(w -> w.code()).containsExactly("ranks-started-order");
    assertThat(report.licensesProgramOrder()).isTrue();
    assertThat(report.licensesWholePrograms()).isFalse();
  }

  @Test
  void blockingCollectives_inOtherOrderAcrossGroups_stallInACircle() {
    String everybody = call("_c10d_functional.all_reduce", "reduce_op = \"sum\"");
    String two =
        call(
            "_c10d_functional.all_reduce",
            "groups = dense<[[0, 1]]> : tensor<1x2xi64>, reduce_op = \"sum\"");
    MatchReport report = match(mlir(everybody + two), mlir(two + everybody), mlir(everybody));
    assertThat(report.verdict()).isEqualTo(Verdict.DO_NOT_MEET);
    assertThat(requireNonNull(report.failure()).kind()).isEqualTo(Failure.Kind.STALL);
    assertThat(requireNonNull(report.failure()).cycle()).containsExactly(0, 1);
    assertThat(requireNonNull(report.failure()).diagnostic().notes())
        .extracting(note -> note.message())
        .contains("they wait in a circle: 0 -> 1 -> 0");
  }

  @Test
  void unlikeCalls_thatMoveAsMuch_computeGarbage() {
    String sum = call("_c10d_functional.all_reduce", "reduce_op = \"sum\"");
    MatchReport report = match(mlir(sum), mlir(sum.replace("sum", "max")), mlir(sum));
    assertThat(requireNonNull(report.failure()).kind()).isEqualTo(Failure.Kind.GARBAGE);
    assertThat(requireNonNull(report.failure()).diagnostic().message())
        .isEqualTo(
            "collective number 1 of the group [0-2] differs: reduction is max on rank 1, sum on"
                + " ranks 0, 2");
  }

  @Test
  void roots_mustAgree() {
    String source = call("_c10d_functional.broadcast", "src = 0 : i64");
    MatchReport report = match(mlir(source), mlir(source.replace("src = 0", "src = 1")));
    assertThat(report.verdict()).isEqualTo(Verdict.DO_NOT_MEET);
    assertThat(requireNonNull(report.failure()).diagnostic().message())
        .contains("src is rank 1 on rank 1");
  }

  @Test
  void messages_receivesBeforeSends_stall() {
    assertThat(match(mlir(send(1) + receive(1)), mlir(send(0) + receive(0))).verdict())
        .isEqualTo(Verdict.MEET);
    MatchReport report = match(mlir(receive(1) + send(1)), mlir(receive(0) + send(0)));
    assertThat(requireNonNull(report.failure()).kind()).isEqualTo(Failure.Kind.STALL);
    assertThat(requireNonNull(report.failure()).cycle()).containsExactly(0, 1);
    assertThat(requireNonNull(match(mlir(send(1)), mlir("")).failure()).diagnostic().message())
        .isEqualTo("rank 0 sends on tag 3 to rank 1, which never receives");
    List<Module> modules =
        List.of(
            read("rank0", mlir(send(1) + receive(1))), read("rank1", mlir(send(0) + receive(0))));
    assertThat(
            RankMatcher.match(RankPrograms.ofModules(modules), new MatchOptions(true, false))
                .verdict())
        .isEqualTo(Verdict.DO_NOT_MEET);
  }

  @Test
  void severalPrograms_areOneSequence() {
    String first = call("_c10d_functional.all_reduce", "reduce_op = \"sum\"");
    String second = call("_c10d_functional.broadcast", "src = 0 : i64");
    RankPrograms programs =
        RankPrograms.of(
            List.of(
                ImmutableList.of(program("a", mlir(first)), program("b", mlir(second))),
                ImmutableList.of(program("c", mlir(first + second)))),
            OptionalInt.empty());
    MatchReport report = RankMatcher.match(programs, MatchOptions.DEFAULT);
    assertThat(report.verdict()).isEqualTo(Verdict.MEET);
    assertThat(report.meetings()).isEqualTo(2);
    assertThat(report.licensesWholePrograms()).isFalse();
  }

  private static RankPrograms.Program program(String file, String text) {
    return new RankPrograms.Program(file, read(file, text));
  }

  @Test
  void conditions_ofReducedValuesAreAlike_ofArgumentsAreNot() {
    String body =
        """
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %all = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<i32>, %b: tensor<i32>):
          %m = stablehlo.maximum %a, %b : tensor<i32>
          stablehlo.return %m : tensor<i32>
        }) : (tensor<i32>) -> tensor<i32>
        %c = stablehlo.compare GT, %all, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %r = "stablehlo.if"(%c) ({
          %s = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>
          stablehlo.return %zero : tensor<i32>
        }, {
          stablehlo.return %zero : tensor<i32>
        }) : (tensor<i1>) -> tensor<i32>
        """;
    String alike = mlir(body);
    String own = mlir(body.replace("GT, %all", "GT, %n"));
    assertThat(match(alike, alike).verdict()).isEqualTo(Verdict.MEET);
    MatchReport report = match(own, own);
    assertThat(report.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(requireNonNull(report.failure()).diagnostic().message())
        .isEqualTo(
            "cannot tell whether the ranks meet in this if: which branch is run depends on"
                + " argument 1, which every rank has for itself");
  }

  /** A body that gathers {@code what} before or after a condition that all ranks have alike. */
  private static String conditional(String first, String second) {
    String branch =
        """
        %%r%d = "stablehlo.if"(%%c%d) ({
          %s
          stablehlo.return %%n : tensor<i32>
        }, {
          %s
          stablehlo.return %%n : tensor<i32>
        }) : (tensor<i1>) -> tensor<i32>
        """;
    String all =
        """
        %k = "stablehlo.all_reduce"(%n) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%l: tensor<i32>, %m: tensor<i32>):
          %o = stablehlo.maximum %l, %m : tensor<i32>
          stablehlo.return %o : tensor<i32>
        }) : (tensor<i32>) -> tensor<i32>
        %z = stablehlo.constant dense<0> : tensor<i32>
        %c1 = stablehlo.compare LT, %k, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c2 = stablehlo.compare LT, %k, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
        """;
    return all
        + branch.formatted(
            1, 1, first.equals("then") ? GATHER : "", first.equals("else") ? GATHER : "")
        + branch.formatted(
            2, 2, second.equals("then") ? GATHER : "", second.equals("else") ? GATHER : "");
  }

  private static final String GATHER =
      "%g = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0,"
          + " 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<8xf32>";

  /** What one rank does in a branch, another may do in the next branch on the same value. */
  @Test
  void branchesOnOneValue_goOneWay() {
    String early = mlir(conditional("then", "else"));
    String late = mlir(conditional("else", "then"));
    assertThat(match(early, late).verdict()).isEqualTo(Verdict.MEET);
    assertThat(match(mlir(conditional("then", "")), mlir(conditional("", "then"))).verdict())
        .isEqualTo(Verdict.MEET);
    MatchReport twice = match(mlir(conditional("then", "else")), mlir(conditional("then", "then")));
    assertThat(twice.verdict()).isEqualTo(Verdict.DO_NOT_MEET);
    MatchReport once = match(mlir(conditional("then", "")), mlir(conditional("", "")));
    assertThat(once.verdict()).isEqualTo(Verdict.CANNOT_TELL);
    assertThat(requireNonNull(once.failure()).diagnostic().message())
        .contains("which branch is run depends on a value");
    assertThat(requireNonNull(once.failure()).diagnostic().notes().toString())
        .contains("rank 0 waits in this stablehlo.all_gather");
  }

  @Test
  void channels_inAnotherOrder_areUnlikeCalls() {
    String body =
        """
        ENTRY %main (x: f32[4]) -> f32[4] {
          %x = f32[4] parameter(0)
          %s = f32[4] all-reduce(%x), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum
          ROOT %t = f32[4] all-reduce(%s), channel_id=2, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%sum
        }
        """;
    String other =
        SUM
            + body.replace("channel_id=1", "channel_id=x")
                .replace("channel_id=2", "channel_id=1")
                .replace("channel_id=x", "channel_id=2");
    assertThat(requireNonNull(match(SUM + body, other).failure()).kind())
        .isEqualTo(Failure.Kind.GARBAGE);
    MatchReport shifted = match(SUM + body, SUM + body.replace("channel_id=2", "channel_id=3"));
    assertThat(shifted.verdict()).isEqualTo(Verdict.MEET);
    assertThat(shifted.warnings()).extracting(w -> w.code()).containsExactly("ranks-channels");
  }

  @Test
  void oneText_groupsMustHoldEveryRank() {
    Module module =
        read(
            "one",
            SUM
                + """
                ENTRY %main (x: f32[4]) -> f32[4] {
                  %x = f32[4] parameter(0)
                  ROOT %s = f32[4] all-reduce(%x), replica_groups={{0,1}}, to_apply=%sum
                }
                """);
    assertThat(oneText(module, 2).verdict()).isEqualTo(Verdict.MEET);
    MatchReport report = oneText(module, 4);
    assertThat(requireNonNull(report.failure()).kind()).isEqualTo(Failure.Kind.NO_GROUP);
    assertThat(report.verdict()).isEqualTo(Verdict.DO_NOT_MEET);
  }

  private static MatchReport oneText(Module module, int replicas) {
    return RankMatcher.matchOneText(
        RankPrograms.ofOne(module, new DeviceGrid(replicas, 1)), MatchOptions.DEFAULT);
  }

  @Test
  void unevenExchange_numbersMustAgree() {
    String first =
        call("_c10d_functional.all_to_all_single", "send_counts = [3, 1], recv_counts = [3, 1]");
    String second =
        call("_c10d_functional.all_to_all_single", "send_counts = [1, 3], recv_counts = [1, 3]");
    assertThat(match(mlir(first), mlir(second)).verdict()).isEqualTo(Verdict.MEET);
    assertThat(requireNonNull(match(mlir(first), mlir(first)).failure()).diagnostic().message())
        .endsWith("rank 0 sends 1 rows to rank 1, which expects 3");
  }
}
