package dev.lockstep.runtime.interp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A group of all devices of a 2 by 2 grid: XLA and StableHLO number its members differently. */
class GroupOrderTest {
  @Test
  void partitionsVaryFastestInHlo() {
    String text =
        """
        HloModule gather, replica_count=2, num_partitions=2

        ENTRY main {
          x = f32[1] parameter(0)
          ROOT g = f32[4] all-gather(x), channel_id=1, replica_groups={{0,1}}, dimensions={0}
        }
        """;
    assertThat(Grids.elements(Program.of(Grids.read("gather.hlo", text)), 2, 2))
        .containsExactly(1.0, 2.0, 3.0, 4.0);
  }

  @Test
  void replicasVaryFastestInStablehlo() {
    String text =
        """
        func.func @main(%x: tensor<1xf32>) -> tensor<4xf32> {
          %g = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64,
            channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
            replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
            : (tensor<1xf32>) -> tensor<4xf32>
          return %g : tensor<4xf32>
        }
        """;
    assertThat(Grids.elements(Program.of(Grids.read("gather.mlir", text)), 2, 2))
        .containsExactly(1.0, 3.0, 2.0, 4.0);
  }
}
