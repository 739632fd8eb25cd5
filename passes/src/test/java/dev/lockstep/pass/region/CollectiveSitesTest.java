package dev.lockstep.pass.region;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import org.junit.jupiter.api.Test;

final class CollectiveSitesTest {
  private static final String HLO =
      """
      HloModule m

      %sum (a: f32[], b: f32[]) -> f32[] {
        %a = f32[] parameter(0)
        %b = f32[] parameter(1)
        ROOT %add = f32[] add(%a, %b)
      }

      ENTRY %main (x: f32[4]) -> f32[8] {
        %x = f32[4] parameter(0)
        %start = f32[4] all-reduce-start(%x), replica_groups={{0,1},{2,3}}, to_apply=%sum
        %twice = f32[4] add(%x, %x)
        %done = f32[4] all-reduce-done(%start)
        %both = f32[4] add(%twice, %done)
        ROOT %all = f32[8] all-gather(%both), replica_groups={{0,1},{2,3}}, dimensions={0}
      }
      """;

  private static final String MLIR =
      """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %i = stablehlo.constant dense<0> : tensor<i32>
        %r:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<4xf32>
        cond {
          %n = stablehlo.constant dense<3> : tensor<i32>
          %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %next = stablehlo.add %k, %one : tensor<i32>
          %w = func.call @meet(%v) : (tensor<4xf32>) -> tensor<4xf32>
          stablehlo.return %next, %w : tensor<i32>, tensor<4xf32>
        }
        %s = stablehlo.custom_call @_c10d_functional.broadcast(%r#1) {api_version = 4 : i32, has_side_effect = true, backend_config = {groups = dense<[[2, 0]]> : tensor<1x2xi64>, src = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32>
        %t = stablehlo.custom_call @_c10d_functional.wait_tensor(%s) {api_version = 4 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
        stablehlo.custom_call @c10d.send(%t) {api_version = 4 : i32, has_side_effect = true, backend_config = {peer = 1 : i64, tag = 7 : i64}} : (tensor<4xf32>) -> ()
        return %t : tensor<4xf32>
      }
      func.func private @meet(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %m = stablehlo.maximum %a, %b : tensor<f32>
          stablehlo.return %m : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      """;

  private static Module read(String text) {
    return Texts.read(Source.of("test", text));
  }

  @Test
  void of_joinsStartAndDone() {
    ImmutableList<CollectiveSite> sites = CollectiveSites.of(read(HLO));
    assertThat(sites).hasSize(2);
    assertThat(sites.get(0).name()).isEqualTo("all-reduce-start");
    assertThat(sites.get(0).done()).isNotNull();
    CollectiveSignature signature = requireNonNull(sites.get(0).signature(new DeviceGrid(4, 1), 3));
    assertThat(signature.op()).isEqualTo("stablehlo.all_reduce");
    assertThat(signature.reduction()).isEqualTo("add");
    assertThat(signature.group()).isEqualTo(ImmutableIntArray.of(2, 3));
    assertThat(signature.operands()).hasToString("[tensor<4xf32>]");
    assertThat(signature.results()).hasToString("[tensor<4xf32>]");
  }

  @Test
  void of_followsCallsAndLoops() {
    DeviceGrid grid = new DeviceGrid(3, 1);
    ImmutableList<CollectiveSite> sites = CollectiveSites.of(read(MLIR));
    assertThat(sites).hasSize(3);
    assertThat(sites.get(0).name()).isEqualTo("stablehlo.all_reduce");
    assertThat(sites.get(1).signature(grid, 1)).isNull();
    assertThat(requireNonNull(sites.get(1).signature(grid, 0)).attributes())
        .containsEntry("src", "rank 0");
    assertThat(sites.get(2).transfers(grid, 0))
        .containsExactly(
            new Transfer(
                true,
                0,
                1,
                ImmutableIntArray.of(0, 1, 2),
                7,
                requireNonNull(sites.get(1).signature(grid, 0)).operands()));
  }

  @Test
  void of_piecesKeepWaitsWithTheirSite() {
    ImmutableList<Regions.Piece> pieces = Regions.of(read(HLO));
    assertThat(pieces).extracting(Regions.Piece::communicates).containsExactly(true, false, true);
    assertThat(pieces.get(0).operations()).hasSize(2);
    assertThat(pieces.get(1).operations()).hasSize(2);
  }

  @Test
  void difference_saysWhatDiffers() {
    DeviceGrid grid = new DeviceGrid(3, 1);
    CollectiveSignature max =
        requireNonNull(CollectiveSites.of(read(MLIR)).get(0).signature(grid, 0));
    CollectiveSignature min =
        requireNonNull(
            CollectiveSites.of(read(MLIR.replace("maximum", "minimum"))).get(0).signature(grid, 1));
    assertThat(max.difference(min))
        .isEqualTo(
            new CollectiveSignature.Difference(
                CollectiveSignature.Kind.REDUCTION, "reduction", "maximum", "minimum"));
    CollectiveSignature wide =
        requireNonNull(
            CollectiveSites.of(read(MLIR.replace("4xf32", "8xf32"))).get(0).signature(grid, 1));
    assertThat(requireNonNull(max.difference(wide)).kind())
        .isEqualTo(CollectiveSignature.Kind.SHAPE);
  }
}
