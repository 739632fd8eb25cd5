package dev.lockstep.golden.repair;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.repair.DivergenceRepair;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.testing.CorpusFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

final class DivergenceRepairTest {

  /** torch's vocab-parallel embedding, as the ranks of a tensor-parallel group write it. */
  private static String embedding(int rank) {
    int low = rank * 8;
    return String.format(
        """
        func.func @main(%%t: tensor<3xi64>, %%w: tensor<8x2xf32>) -> tensor<3x2xf32> {
          %%lo = stablehlo.constant dense<%d> : tensor<3xi64>
          %%hi = stablehlo.constant dense<%d> : tensor<3xi64>
          %%zero = stablehlo.constant dense<0.0> : tensor<3x2xf32>
          %%ge = stablehlo.compare GE, %%t, %%lo, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
          %%lt = stablehlo.compare LT, %%t, %%hi, SIGNED : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
          %%in = stablehlo.and %%ge, %%lt : tensor<3xi1>
          %%off = stablehlo.subtract %%t, %%lo : tensor<3xi64>
          %%m = stablehlo.convert %%in : (tensor<3xi1>) -> tensor<3xi64>
          %%i = stablehlo.multiply %%off, %%m : tensor<3xi64>
          %%rows = "stablehlo.gather"(%%w, %%i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x2xf32>, tensor<3xi64>) -> tensor<3x2xf32>
          %%b = stablehlo.broadcast_in_dim %%in, dims = [0] : (tensor<3xi1>) -> tensor<3x2xi1>
          %%s = stablehlo.select %%b, %%rows, %%zero : tensor<3x2xi1>, tensor<3x2xf32>
          %%r = "stablehlo.all_reduce"(%%s) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
          ^bb0(%%x: tensor<f32>, %%y: tensor<f32>):
            %%a = stablehlo.add %%x, %%y : tensor<f32>
            stablehlo.return %%a : tensor<f32>
          }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
          return %%r : tensor<3x2xf32>
        }
        """,
        low, low + 8);
  }

  private static ImmutableList<Module> set(int count, IntFunction<String> text) {
    List<String> texts = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      texts.add(text.apply(rank));
    }
    return RepairCheck.read(texts);
  }

  @Test
  void offsetsOfAnEmbedding_becomeTables() {
    DivergenceRepair.Result result = RepairCheck.repaired(set(4, DivergenceRepairTest::embedding));

    assertThat(RepairCheck.steps(result))
        .containsExactly(
            "literal: literal 0 on rank 0, 8 on rank 1, 16 on rank 2, 24 on rank 3: an offset,"
                + " 8 * rank: a table",
            "literal: literal 8 on rank 0, 16 on rank 1, 24 on rank 2, 32 on rank 3: an offset,"
                + " 8 + 8 * rank: a table");
  }

  @Test
  void paddingOfTorchXlasAllGather_becomesAnIndex() throws IOException {
    for (String suffix : List.of("hlo", "mlir")) {
      List<String> texts = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        Path file =
            CorpusFiles.root().resolve("real/torch_xla/all_gather.rank" + rank + "." + suffix);
        texts.add(Files.readString(file));
      }
      DivergenceRepair.Result result = RepairCheck.repaired(RepairCheck.read(texts));

      assertThat(RepairCheck.steps(result).get(0))
          .startsWith("padding: padding in front depends on the rank, dimension 0 [0, 2, 4, 6]");
    }
  }

  @Test
  void oneMoreOperation_isNotRepaired() {
    ImmutableList<Module> ranks =
        set(
            4,
            rank ->
                String.format(
                    """
                    func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {
                      %%a = stablehlo.add %%x, %%x : tensor<2xf32>
                      %s
                      %%r = "stablehlo.all_reduce"(%%%s) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
                      ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
                        %%c = stablehlo.add %%p, %%q : tensor<f32>
                        stablehlo.return %%c : tensor<f32>
                      }) : (tensor<2xf32>) -> tensor<2xf32>
                      return %%r : tensor<2xf32>
                    }
                    """,
                    rank == 0 ? "%m = stablehlo.multiply %a, %a : tensor<2xf32>" : "",
                    rank == 0 ? "m" : "a"));

    DivergenceRepair.Result result =
        DivergenceRepair.repair(
            ProgramClasses.of(ranks, new DeviceGrid(4, 1)), RepairOptions.DEFAULT);

    assertThat(result.problems()).hasSize(1);
    Diagnostic problem = result.problems().get(0);
    assertThat(problem.code()).isEqualTo("repair-extra-op");
    assertThat(problem.message())
        .contains("rank 0: stablehlo.multiply; ranks 1-3: stablehlo.add")
        .contains("one op more on rank 0, stablehlo.multiply");
  }
}
