package dev.lockstep.hlo.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The written forms of shardings, and which part each partition then holds. */
class ShardingFormsTest {
  private static final DeviceMesh MESH = DeviceMesh.parse("#sdy.mesh<[\"x\"=4, \"y\"=2]>");

  private static Tiling sdy(String text) {
    return SdySharding.parse(text).tiling(name -> MESH, 8, axis -> true);
  }

  private static List<String> tiles(Tiling tiling) {
    List<String> out = new ArrayList<>();
    for (int p = 0; p < tiling.partitions(); p++) {
      out.add(tiling.holds(p) ? tiling.tile(p).asList().toString() : "none");
    }
    return out;
  }

  @Test
  void axesCutFromTheSlowestOn() {
    assertThat(tiles(sdy("<@mesh, [{\"x\"}, {\"y\"}]>")))
        .containsExactly(
            "[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]", "[2, 0]", "[2, 1]", "[3, 0]", "[3, 1]");
    assertThat(tiles(sdy("#sdy.sharding<@mesh, [{\"y\", \"x\"}]>")))
        .containsExactly("[0]", "[4]", "[1]", "[5]", "[2]", "[6]", "[3]", "[7]");
  }

  @Test
  void partsOfAxesCutToo() {
    // x of size 4 is 2 * 2: "x":(1)2 is its slow half, "x":(2)2 its fast one.
    assertThat(tiles(sdy("<@mesh, [{\"x\":(1)2}]>")))
        .containsExactly("[0]", "[0]", "[0]", "[0]", "[1]", "[1]", "[1]", "[1]");
    assertThat(tiles(sdy("<@mesh, [{\"x\":(2)2}p1, {?}], replicated={\"y\"}>")))
        .containsExactly(
            "[0, 0]", "[0, 0]", "[1, 0]", "[1, 0]", "[0, 0]", "[0, 0]", "[1, 0]", "[1, 0]");
  }

  @Test
  void openDimensionsMayBeCutFurther() {
    assertThat(sdy("<@mesh, [{\"x\", ?}]>").isOpen()).isTrue();
    assertThat(sdy("<@mesh, [{\"x\"}]>").isOpen()).isFalse();
  }

  @Test
  void unreducedAxesHoldSummands() {
    Tiling tiling = sdy("<@mesh, [{\"y\"}], unreduced={\"x\"}>");
    assertThat(tiling.summand(0)).isEqualTo(0);
    assertThat(tiling.summand(5)).isEqualTo(2);
  }

  @Test
  void meshesMayNumberDevicesOtherwise() {
    DeviceMesh mesh = DeviceMesh.parse("<[\"a\"=2], device_ids=[1, 0]>");
    Tiling tiling = SdySharding.parse("<@m, [{\"a\"}]>").tiling(name -> mesh, 2, axis -> true);
    assertThat(tiles(tiling)).containsExactly("[1]", "[0]");
  }

  @Test
  void maximalMeshesHoldAllOnOneDevice() {
    DeviceMesh mesh = DeviceMesh.parse("<[], device_ids=[3]>");
    Tiling tiling = SdySharding.parse("<@m, []>").tiling(name -> mesh, 4, axis -> true);
    assertThat(tiles(tiling)).containsExactly("none", "none", "none", "[]");
  }

  @Test
  void axesLeftOutMakeGroups() {
    Tiling tiling =
        SdySharding.parse("<@mesh, [{\"x\"}]>")
            .tiling(name -> MESH, 8, ImmutableList.of("x")::contains);
    assertThat(tiling.group(2)).isEqualTo(0);
    assertThat(tiling.group(3)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{replicated} | [0, 0] [0, 0] [0, 0] [0, 0]",
        "{maximal device=2} | none none [0, 0] none",
        "{devices=[2,2]<=[4]} | [0, 0] [0, 1] [1, 0] [1, 1]",
        "{devices=[2,2]<=[2,2]T(1,0)} | [0, 0] [1, 0] [0, 1] [1, 1]",
        "{devices=[2,2]3,1,2,0} | [1, 1] [0, 1] [1, 0] [0, 0]",
        "{devices=[1,2,2]<=[4] last_tile_dim_replicate} | [0, 0] [0, 0] [0, 1] [0, 1]",
        "{devices=[2,1,2]<=[4] last_tile_dims={manual}} | [0, 0] [0, 0] [1, 0] [1, 0]",
        "{devices=[2,2]<=[4] metadata={op_name=\"a}b\"}} | [0, 0] [0, 1] [1, 0] [1, 1]",
        "{unknown shard_as 0} | [0, 0] [0, 0] [0, 0] [0, 0]"
      })
  void xlasOwnForms(String text, String expected) {
    Tiling tiling = HloSharding.parse(text).tiling(2, 4);
    assertThat(String.join(" ", tiles(tiling))).isEqualTo(expected);
  }

  @Test
  void manualTrailingDimensionsMakeGroups() {
    Tiling tiling =
        HloSharding.parse("{devices=[1,2,2]<=[4] last_tile_dims={manual, replicated}}")
            .tiling(1, 4);
    assertThat(List.of(tiling.group(0), tiling.group(1), tiling.group(2), tiling.group(3)))
        .containsExactly(0, 0, 1, 1);
  }

  @Test
  void tuplesHoldAShardingForEachElement() {
    HloSharding tuple = HloSharding.parse("{{replicated}, /*index=1*/{devices=[2]<=[2]}}");
    assertThat(tuple.elements()).hasSize(2);
    assertThat(tuple.size()).isEqualTo(2);
  }

  @Test
  void bytesOfTheProtoAreReadToo() {
    // As stands in StableHLO's tests: type OTHER, dimensions 2, devices 0 and 1.
    String bytes = "\u0008\u0003\u001A\u0002\u0001\u0002\"\u0002\u0000\u0001";
    Tiling tiling = HloSharding.parse(bytes).tiling(2, 2);
    assertThat(tiles(tiling)).containsExactly("[0, 0]", "[0, 1]");
    assertThat(HloSharding.parse("").kind()).isEqualTo(HloSharding.Kind.REPLICATED);
  }

  @Test
  void lastPartsStandOut() {
    Tiling tiling = HloSharding.parse("{devices=[4]<=[4]}").tiling(1, 4);
    assertThat(tiling.local(ImmutableLongArray.of(10)).asList()).containsExactly(3L);
    assertThat(tiling.start(3, ImmutableLongArray.of(3))).containsExactly(9L);
    assertThat(tiling.tiles()).isEqualTo(ImmutableIntArray.of(4));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{devices=[2,2]<=[8]}",
        "{devices=[2,2]<=[4]",
        "{devices=[2,2]0,1,2}",
        "{nonsense}",
        "{devices=[99999999999]<=[2]}"
      })
  void whatIsNoShardingIsRefused(String text) {
    assertThatThrownBy(() -> HloSharding.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<@mesh, [{\"z\"}]>",
        "<@mesh, [{\"x\":(1)3}]>",
        "<@mesh [{}]>",
        "<@mesh, [{\"x\"]>"
      })
  void whatIsNoShardySharding(String text) {
    assertThatThrownBy(() -> sdy(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
