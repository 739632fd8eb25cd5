package dev.lockstep.pass.region.diff;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.pass.region.RankPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RankDiffTest {
  private static final String TEXT =
      """
      module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
        func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
          %c = stablehlo.constant dense<0> : tensor<i32>
          %f = stablehlo.constant dense<2.0> : tensor<8xf32>
          %y = stablehlo.multiply %x, %f : tensor<8xf32>
          %z = "stablehlo.all_reduce"(%y) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) : (tensor<8xf32>) -> tensor<8xf32>
          %g = "stablehlo.all_gather"(%z) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<8xf32>) -> tensor<24xf32>
          return %z : tensor<8xf32>
        }
      }
      """;

  private static DiffReport diff(String... texts) {
    List<Module> modules = new ArrayList<>();
    for (int rank = 0; rank < texts.length; rank++) {
      modules.add(Texts.read(Source.of("rank" + rank + ".mlir", texts[rank])));
    }
    return RankDiff.of(RankPrograms.ofModules(modules));
  }

  private static ImmutableMap<DifferenceKind, Integer> kinds(String other) {
    DiffReport report = diff(TEXT, TEXT, other);
    assertThat(report.classes().classes()).hasSize(2);
    assertThat(report.classes().classes().get(0).ranks()).containsExactly(0, 1);
    return report.others().get(0).counts();
  }

  @Test
  void equalPrograms_areOneClass() {
    assertThat(diff(TEXT, TEXT.replace("%y", "%other"), TEXT).areEqual()).isTrue();
  }

  @Test
  void kinds_areTold() {
    assertThat(kinds(TEXT.replace("dense<2.0>", "dense<3.0>")))
        .containsOnlyKeys(DifferenceKind.LITERAL);
    assertThat(kinds(TEXT.replace("num_partitions = 1", "num_partitions = 3")))
        .containsOnlyKeys(DifferenceKind.COMPILE_OPTIONS);
    assertThat(kinds(TEXT.replaceAll("    %f = .*\n", "").replace("%x, %f", "%x, %x")))
        .containsOnlyKeys(DifferenceKind.MISSING_OP);
    assertThat(kinds(TEXT.replaceAll("    %g = .*\n", "")))
        .containsOnlyKeys(DifferenceKind.MISSING_COLLECTIVE);
    assertThat(
            kinds(
                TEXT.replace(
                    "    return", "    %q = stablehlo.abs %z : tensor<8xf32>\n    return")))
        .containsOnlyKeys(DifferenceKind.EXTRA_OP);
    assertThat(kinds(TEXT.replaceFirst("\\[\\[0, 1, 2]]", "[[2, 1, 0]]")))
        .containsOnlyKeys(DifferenceKind.GROUP);
    assertThat(kinds(TEXT.replace("multiply %x, %f", "multiply %f, %x")))
        .containsOnlyKeys(DifferenceKind.OPERAND);
    assertThat(kinds(TEXT.replace("f32", "f64"))).containsKey(DifferenceKind.TYPE);
    assertThat(kinds(TEXT.replace("8xf32", "16xf32").replace("24xf32", "48xf32")))
        .containsKey(DifferenceKind.SHAPE)
        .doesNotContainKeys(DifferenceKind.EXTRA_OP, DifferenceKind.MISSING_OP);
  }

  @Test
  void literals_byRank_showTheOffset() {
    DiffReport report =
        diff(TEXT, TEXT.replace("dense<0>", "dense<200>"), TEXT.replace("dense<0>", "dense<400>"));
    assertThat(report.literalsOnly()).isTrue();
    assertThat(report.varying()).hasSize(1);
    assertThat(report.varying().get(0).formula()).isEqualTo("200 * rank");
    assertThat(report.varying().get(0).byClass()).containsExactly("0", "200", "400");
    assertThat(report.suggestions().get(0)).contains("200 * rank");
  }

  @Test
  void offsets_ofRanksAndGroups() {
    assertThat(Offsets.of(new long[] {6, 4, 2, 0})).isEqualTo("6 - 2 * rank");
    assertThat(Offsets.of(new long[] {0, 5, 0, 5})).isEqualTo("5 * (rank % 2)");
    assertThat(Offsets.of(new long[] {0, 0, 1, 1})).isEqualTo("rank / 2");
    assertThat(Offsets.of(new long[] {0, 7, 9, 1})).isNull();
  }

  /** Every match is of equal keys and in order; where few differ, as many match as can. */
  @Test
  void lcs_matchesRandomChanges() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 200; round++) {
      int size = 1 + random.nextInt(60);
      int letters = 1 + random.nextInt(8);
      long[] left = random.longs(size, 0, letters).toArray();
      long[] right = random.longs(1 + random.nextInt(60), 0, letters).toArray();
      int[] match = Lcs.match(left, right);
      int last = -1;
      int count = 0;
      for (int i = 0; i < match.length; i++) {
        if (match[i] >= 0) {
          assertThat(left[i]).isEqualTo(right[match[i]]);
          assertThat(match[i]).isGreaterThan(last);
          last = match[i];
          count++;
        }
      }
      assertThat(count).isEqualTo(longest(left, right));
    }
  }

  private static int longest(long[] left, long[] right) {
    int[][] table = new int[left.length + 1][right.length + 1];
    for (int i = 1; i <= left.length; i++) {
      for (int j = 1; j <= right.length; j++) {
        table[i][j] =
            left[i - 1] == right[j - 1]
                ? table[i - 1][j - 1] + 1
                : Math.max(table[i - 1][j], table[i][j - 1]);
      }
    }
    return table[left.length][right.length];
  }
}
