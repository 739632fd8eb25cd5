package dev.lockstep.handshake.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.Coordinator;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.text.Texts;
import org.junit.jupiter.api.Test;

/** What {@link Coordinator} is told of programs. */
final class ModuleProgramsTest {
  private static final String ROWS = "[[0, 1], [2, 3]]";
  private static final String COLUMNS = "[[0, 2], [1, 3]]";

  private static String sum(String name, String of, String groups) {
    return String.format(
        """
          %%%s = "stablehlo.all_reduce"(%%%s) <{replica_groups = dense<%s> : tensor<2x2xi64>}> ({
            ^bb0(%%a: tensor<f32>, %%b: tensor<f32>):
              %%s = stablehlo.add %%a, %%b : tensor<f32>
              stablehlo.return %%s : tensor<f32>
            }) : (tensor<2xf32>) -> tensor<2xf32>
        """,
        name, of, groups);
  }

  private static String send(int peer) {
    return message("send", "", peer, "()");
  }

  private static String receive(int peer) {
    return message("recv", "%got = ", peer, "tensor<2xf32>");
  }

  private static String message(String what, String gives, int peer, String type) {
    return String.format(
        "  %sstablehlo.custom_call @c10d.%s(%%x) {api_version = 4 : i32, has_side_effect = true,"
            + " backend_config = {peer = %d : i64, tag = 0 : i64}} : (tensor<2xf32>) -> %s%n",
        gives, what, peer, type);
  }

  private static String program(String body) {
    return "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + body
        + "  return %x : tensor<2xf32>\n}\n";
  }

  private static Program of(String text, int rank, int world) {
    return ModulePrograms.of(
        Texts.read(Source.of("p.mlir", text)), new DeviceGrid(world, 1), rank, "p.mlir");
  }

  @Test
  void rowsAndColumnsOfAMesh_areOneText_withOneCount() {
    String text = program(sum("row", "x", ROWS) + sum("column", "row", COLUMNS));
    Program first = of(text, 0, 4);
    Program last = of(text, 3, 4);
    assertThat(first.summary().sameText(last.summary())).isTrue();
    assertThat(first.summary().callSignatures()).isEqualTo(last.summary().callSignatures());
    assertThat(first.summary().callTexts()).isNotEqualTo(last.summary().callTexts());
    assertThat(first.groups())
        .containsExactly(RankList.world(4), RankList.of(0, 1), RankList.of(0, 2));
    assertThat(last.groups())
        .containsExactly(RankList.world(4), RankList.of(2, 3), RankList.of(1, 3));
    assertThat(first.summary().positions()).isEqualTo(2);
  }

  @Test
  void collectivesInAnotherOrder_areNotAlike() {
    Program one = of(program(sum("row", "x", ROWS) + sum("column", "row", COLUMNS)), 0, 4);
    Program other = of(program(sum("column", "x", COLUMNS) + sum("row", "column", ROWS)), 0, 4);
    assertThat(one.summary().callSignatures()).isNotEqualTo(other.summary().callSignatures());
  }

  @Test
  void stagesOfAPipeline_takeOnePosition_howeverManyMessagesTheyHave() {
    Program first = of(program(send(1)), 0, 3);
    Program middle = of(program(receive(0) + send(2)), 1, 3);
    assertThat(first.groups()).containsExactly(RankList.world(3));
    assertThat(middle.groups()).isEqualTo(first.groups());
    assertThat(first.summary().positions()).isEqualTo(1);
    assertThat(middle.summary().positions()).isEqualTo(1);
    assertThat(middle.summary().calls()).isZero();
  }

  @Test
  void messagesBesideCollectives_takeNone() {
    Program last = of(program(receive(0) + sum("all", "x", "[[0, 1], [2, 3]]")), 1, 4);
    assertThat(last.summary().positions()).isEqualTo(1);
    assertThat(last.summary().calls()).isEqualTo(1);
  }

  @Test
  void whoMeetsNobody_isInNoRound() {
    String text =
        """
        HloModule sub, replica_count=3

        %add (a: f32[], b: f32[]) -> f32[] {
          %a = f32[] parameter(0)
          %b = f32[] parameter(1)
          ROOT %sum = f32[] add(f32[] %a, f32[] %b)
        }

        ENTRY %main (x: f32[2]) -> f32[2] {
          %x = f32[2] parameter(0)
          ROOT %all = f32[2] all-reduce(f32[2] %x), replica_groups={{0,1}}, to_apply=%add
        }
        """;
    assertThat(of(text, 0, 3).groups()).containsExactly(RankList.of(0, 1));
    assertThat(of(text, 2, 3).groups()).containsExactly(RankList.of(2));
    assertThat(of(text, 2, 3).summary().positions()).isZero();
  }

  @Test
  void arraysThatDevicesShare_makeAProgramOneMeetingOfAll() {
    String text =
        """
        module @shared attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
          sdy.mesh @mesh = <["x"=2]>
          func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
            %b = stablehlo.add %a, %a : tensor<4xf32>
            return %b : tensor<4xf32>
          }
        }
        """;
    DeviceGrid grid = new DeviceGrid(1, 2);
    Program one = ModulePrograms.of(Texts.read(Source.of("p", text)), grid, 0, "p");
    Program other =
        ModulePrograms.of(
            Texts.read(Source.of("q", text.replace("add", "multiply"))), grid, 1, "q");
    assertThat(one.groups()).containsExactly(RankList.world(2));
    assertThat(one.summary().calls()).isEqualTo(1);
    assertThat(one.summary().callTexts().get(0)).contains("arrays that devices share");
    assertThat(one.summary().callSignatures()).isNotEqualTo(other.summary().callSignatures());
  }
}
