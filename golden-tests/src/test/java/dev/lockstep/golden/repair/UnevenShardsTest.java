package dev.lockstep.golden.repair;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.lower.LowerSet;
import dev.lockstep.lower.LoweringContext;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.repair.DivergenceRepair;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.pass.region.shards.Sharding;
import dev.lockstep.pass.region.shards.UnevenShards;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UnevenShardsTest {
  private static ImmutableList<Module> set(int count, IntFunction<String> text) {
    List<String> texts = new ArrayList<>();
    for (int rank = 0; rank < count; rank++) {
      texts.add(text.apply(rank));
    }
    return RepairCheck.read(texts);
  }

  private static String groups(int world) {
    StringBuilder out = new StringBuilder("dense<[[");
    for (int rank = 0; rank < world; rank++) {
      out.append(rank == 0 ? "" : ", ").append(rank);
    }
    return out.append("]]> : tensor<1x").append(world).append("xi64>").toString();
  }

  /** A step of fully sharded data parallel training of one weight, as torch pads it. */
  private static String step(int total, int world, int rank) {
    int chunk = (total + world - 1) / world;
    int own = Math.max(0, Math.min(chunk, total - rank * chunk));
    int whole = chunk * world;
    String pad =
        own == chunk
            ? ""
            : String.format(
                "%%padded = stablehlo.pad %%w, %%zero, low = [0, 0], high = [%d, 0], interior = [0,"
                    + " 0] : (tensor<%dx2xf32>, tensor<f32>) -> tensor<%dx2xf32>",
                chunk - own, own, chunk);
    String unpad =
        own == chunk
            ? ""
            : String.format(
                "%%cut = stablehlo.slice %%g [0:%d, 0:2] : (tensor<%dx2xf32>) -> tensor<%dx2xf32>",
                own, chunk, own);
    return """
        func.func @main(%w: tensor<OWNx2xf32>, %x: tensor<5xTOTALxf32>) -> (tensor<OWNx2xf32>, tensor<f32>) {
          %zero = stablehlo.constant dense<0.0> : tensor<f32>
          PAD
          %all = "stablehlo.all_gather"(%FROM) <{all_gather_dim = 0 : i64, replica_groups = GROUPS}> : (tensor<CHUNKx2xf32>) -> tensor<WHOLEx2xf32>
          %full = stablehlo.slice %all [0:TOTAL, 0:2] : (tensor<WHOLEx2xf32>) -> tensor<TOTALx2xf32>
          %y = stablehlo.dot_general %x, %full, contracting_dims = [1] x [0] : (tensor<5xTOTALxf32>, tensor<TOTALx2xf32>) -> tensor<5x2xf32>
          %dw = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<5xTOTALxf32>, tensor<5x2xf32>) -> tensor<TOTALx2xf32>
          %dwp = stablehlo.pad %dw, %zero, low = [0, 0], high = [REST, 0], interior = [0, 0] : (tensor<TOTALx2xf32>, tensor<f32>) -> tensor<WHOLEx2xf32>
          %g = "stablehlo.reduce_scatter"(%dwp) <{scatter_dimension = 0 : i64, replica_groups = GROUPS}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) : (tensor<WHOLEx2xf32>) -> tensor<CHUNKx2xf32>
          UNPAD
          %new = stablehlo.subtract %w, %GRAD : tensor<OWNx2xf32>
          %sq = stablehlo.multiply %new, %new : tensor<OWNx2xf32>
          %norm = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<OWNx2xf32>, tensor<f32>) -> tensor<f32>
          return %new, %norm : tensor<OWNx2xf32>, tensor<f32>
        }
        """
        .replace("UNPAD", unpad)
        .replace("PAD", pad)
        .replace("FROM", own == chunk ? "w" : "padded")
        .replace("GRAD", own == chunk ? "g" : "cut")
        .replace("GROUPS", groups(world))
        .replace("TOTAL", "" + total)
        .replace("WHOLE", "" + whole)
        .replace("CHUNK", "" + chunk)
        .replace("REST", "" + (whole - total))
        .replace("OWN", "" + own);
  }

  @ParameterizedTest
  @CsvSource({"10, 4", "5, 4", "10, 8", "7, 2", "3, 4"})
  void stepOfShardedTraining_isOneTextOverPaddedShards(int total, int world) {
    DivergenceRepair.Result result =
        RepairCheck.repaired(set(world, rank -> step(total, world, rank)));

    assertThat(result.padded()).hasSize(2);
  }

  @Test
  void rfcsShards_areExplainedAtFullSize() {
    ImmutableList<Module> ranks =
        set(4096, rank -> parameter(Math.max(0, Math.min(3, 10240 - rank * 3))));
    ProgramClasses classes = ProgramClasses.of(ranks, new DeviceGrid(4096, 1));

    assertThat(classes.count()).isEqualTo(3);
    assertThat(UnevenShards.find(classes).get(0).text())
        .isEqualTo(
            "argument 0, dimension 0: 10,240 over 4,096 ranks: ceil = 3: 3,413 ranks hold 3,"
                + " rank 3413 holds 1, 682 hold 0");
    DivergenceRepair.Result result = DivergenceRepair.repair(classes, RepairOptions.DEFAULT);
    assertThat(result.problems()).isEmpty();
    assertThat(result.padded().get(0).describe(classes))
        .startsWith("in0 is padded at the end to [3, 8192]: dimension 0, 10,240 over 4,096 ranks");
  }

  private static String parameter(int rows) {
    return String.format(
        """
        func.func @main(%%w: tensor<%dx8192xbf16>) -> tensor<%dx8192xbf16> {
          %%0 = stablehlo.negate %%w : tensor<%dx8192xbf16>
          return %%0 : tensor<%dx8192xbf16>
        }
        """,
        rows, rows, rows, rows);
  }

  @Test
  void shardings_areFoundAlongEachAxisOfAMesh() {
    assertThat(Sharding.of(new long[] {3, 3, 3, 3, 3, 3, 1, 1}))
        .extracting(Sharding::describe)
        .isEqualTo("10 over groups of 4 ranks, 2 apart: ceil = 3: 6 ranks hold 3, 2 hold 1");
    assertThat(Sharding.of(new long[] {3, 3, 3, 1, 3, 3, 3, 1}))
        .extracting(Sharding::describe)
        .isEqualTo("10 over groups of 4 ranks: ceil = 3: 6 ranks hold 3, 2 hold 1");
    assertThat(Sharding.of(new long[] {3, 3, 2, 2}))
        .extracting(Sharding::describe)
        .isEqualTo("10 over 4 ranks: the first ranks hold one more: 2 ranks hold 3, 2 hold 2");
    assertThat(Sharding.of(new long[] {3, 1, 3, 2})).isNull();
  }

  @Test
  void gatherOfUnevenShards_isOfPaddedOnes() {
    ImmutableList<Module> ranks =
        set(
            4,
            rank ->
                """
                func.func @main(%w: tensor<OWNxf32>) -> tensor<f32> {
                  %zero = stablehlo.constant dense<0.0> : tensor<f32>
                  %all = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, replica_groups = GROUPS}> : (tensor<OWNxf32>) -> tensor<ALLxf32>
                  %n = stablehlo.reduce(%all init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<ALLxf32>, tensor<f32>) -> tensor<f32>
                  return %n : tensor<f32>
                }
                """
                    .replace("OWN", rank == 3 ? "1" : "3")
                    .replace("ALL", rank == 3 ? "4" : "12")
                    .replace("GROUPS", groups(4)));

    DivergenceRepair.Result result =
        DivergenceRepair.repair(
            ProgramClasses.of(ranks, new DeviceGrid(4, 1)), RepairOptions.DEFAULT);

    assertThat(result.problems()).isEmpty();
  }

  private static int own(int total, int world, int rank) {
    int chunk = (total + world - 1) / world;
    return Math.max(0, Math.min(chunk, total - rank * chunk));
  }

  @ParameterizedTest
  @CsvSource({"10, 4", "7, 2", "11, 4"})
  void rowsOfAnUnevenTable_areTakenWithinARanksOwn(int total, int world) {
    DivergenceRepair.Result result =
        RepairCheck.repaired(
            set(
                world,
                rank ->
                    """
                    func.func @main(%w: tensor<OWNx2xf32>, %t: tensor<5xi32>, %i: tensor<i32>, %u: tensor<1x2xf32>) -> (tensor<5x2xf32>, tensor<1x2xf32>, tensor<OWNx2xf32>, tensor<i32>) {
                      %low = stablehlo.constant dense<LOW> : tensor<5xi32>
                      %local = stablehlo.subtract %t, %low : tensor<5xi32>
                      %rows = "stablehlo.gather"(%w, %local) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<OWNx2xf32>, tensor<5xi32>) -> tensor<5x2xf32>
                      %zero = stablehlo.constant dense<0> : tensor<i32>
                      %row = stablehlo.dynamic_slice %w, %i, %zero, sizes = [1, 2] : (tensor<OWNx2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
                      %new = stablehlo.dynamic_update_slice %w, %u, %i, %zero : (tensor<OWNx2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<OWNx2xf32>
                      %n = stablehlo.get_dimension_size %w, dim = 0 : (tensor<OWNx2xf32>) -> tensor<i32>
                      return %rows, %row, %new, %n : tensor<5x2xf32>, tensor<1x2xf32>, tensor<OWNx2xf32>, tensor<i32>
                    }
                    """
                        .replace("OWN", "" + own(total, world, rank))
                        .replace("LOW", "" + rank * own(total, world, 0))));

    assertThat(result.padded()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"10, 4", "5, 4", "10, 8"})
  void shapesOfUnevenShards_keepARanksOwnInFront(int total, int world) {
    RepairCheck.repaired(
        set(
            world,
            rank ->
                """
                func.func @main(%w: tensor<OWNx2x3xf32>, %v: tensor<2x3xf32>) -> (tensor<LONGx3xf32>, tensor<6xOWNxf32>, tensor<MOREx2x3xf32>, tensor<2x3xf32>) {
                  %flat = stablehlo.reshape %w : (tensor<OWNx2x3xf32>) -> tensor<LONGx3xf32>
                  %rows = stablehlo.reshape %w : (tensor<OWNx2x3xf32>) -> tensor<OWNx6xf32>
                  %t = stablehlo.transpose %rows, dims = [1, 0] : (tensor<OWNx6xf32>) -> tensor<6xOWNxf32>
                  %b = stablehlo.broadcast_in_dim %v, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<OWNx2x3xf32>
                  %s = stablehlo.add %w, %b : tensor<OWNx2x3xf32>
                  %i = stablehlo.iota dim = 0 : tensor<2x2x3xf32>
                  %c = stablehlo.concatenate %s, %i, %w, dim = 0 : (tensor<OWNx2x3xf32>, tensor<2x2x3xf32>, tensor<OWNx2x3xf32>) -> tensor<MOREx2x3xf32>
                  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
                  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<OWNx2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
                  return %flat, %t, %c, %m : tensor<LONGx3xf32>, tensor<6xOWNxf32>, tensor<MOREx2x3xf32>, tensor<2x3xf32>
                }
                """
                    .replace("OWN", "" + own(total, world, rank))
                    .replace("LONG", "" + 2 * own(total, world, rank))
                    .replace("MORE", "" + (2 + 2 * own(total, world, rank)))));
  }

  @ParameterizedTest
  @CsvSource({"10, 4", "5, 4"})
  void contractionsOfUnevenShards_seeARanksOwnOnly(int total, int world) {
    RepairCheck.repaired(
        set(
            world,
            rank ->
                """
                HloModule m

                add {
                  a = f32[] parameter(0)
                  b = f32[] parameter(1)
                  ROOT s = f32[] add(a, b)
                }

                ENTRY e {
                  x = f32[2,OWN] parameter(0)
                  w = f32[OWN,3] parameter(1)
                  y = f32[2,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
                  r = f32[2,3] all-reduce(y), to_apply=add
                  zero = f32[] constant(0)
                  n = f32[3] reduce(w, zero), dimensions={0}, to_apply=add
                  k = f32[OWN,3] negate(w)
                  ROOT t = (f32[2,3], f32[3], f32[OWN,3]) tuple(r, n, k)
                }
                """
                    .replace("OWN", "" + own(total, world, rank))));
  }

  private static String exchange(List<Integer> sent, List<Integer> received) {
    int in = sent.stream().mapToInt(Integer::intValue).sum();
    int out = received.stream().mapToInt(Integer::intValue).sum();
    return """
        func.func @main(%x: tensor<INx2xf32>) -> tensor<OUTx2xf32> {
          %0 = stablehlo.custom_call @_c10d_functional.all_to_all_single(%x) {api_version = 4 : i32, has_side_effect = true, backend_config = {send_counts = dense<SENT> : tensor<2xi64>, recv_counts = dense<GOT> : tensor<2xi64>}} : (tensor<INx2xf32>) -> tensor<OUTx2xf32>
          %1 = stablehlo.negate %0 : tensor<OUTx2xf32>
          return %1 : tensor<OUTx2xf32>
        }
        """
        .replace("INx", in + "x")
        .replace("OUTx", out + "x")
        .replace("SENT", sent.toString())
        .replace("GOT", received.toString());
  }

  /** Counts that differ by rank become a table when calls are matched, then sizes are padded. */
  @Test
  void unevenExchanges_becomeOneText() {
    ImmutableList<Module> ranks =
        RepairCheck.read(
            List.of(
                exchange(List.of(1, 2), List.of(1, 1)), exchange(List.of(1, 3), List.of(2, 3))));

    DivergenceRepair.Result result =
        RepairCheck.repaired(LowerSet.lower(ranks, LoweringContext.of(2, 1)));

    assertThat(result.padded()).hasSize(2);
  }
}
