package dev.lockstep.pass.region.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import org.junit.jupiter.api.Test;

final class ProgramFingerprintsTest {
  private static final String PRETTY =
      """
      module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
        func.func public @main(%x: tensor<4xf32> {jax.arg_info = "x"}) -> tensor<4xf32> {
          %c = stablehlo.constant dense<5.0> : tensor<4xf32>
          %y = stablehlo.multiply %x, %c : tensor<4xf32> loc("here")
          %z = "stablehlo.all_reduce"(%y) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32>
          }) : (tensor<4xf32>) -> tensor<4xf32>
          %w = func.call @twice(%z) : (tensor<4xf32>) -> tensor<4xf32>
          return %w : tensor<4xf32>
        }
        func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.add %x, %x : tensor<4xf32>
          return %0 : tensor<4xf32>
        }
      }
      """;

  private static final String GENERIC =
      """
      "builtin.module"() <{sym_name = "other"}> ({
        "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "double", sym_visibility = "private"}> ({
        ^bb0(%arg0: tensor<4xf32>):
          %9 = "stablehlo.add"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          "func.return"(%9) : (tensor<4xf32>) -> ()
        }) : () -> ()
        "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
        ^bb0(%arg0: tensor<4xf32>):
          %0 = "stablehlo.constant"() <{value = dense<[5.0, 5.0, 5.0, 5.0]> : tensor<4xf32>}> : () -> tensor<4xf32>
          %1 = "stablehlo.multiply"(%arg0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
          ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
            %5 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
            "stablehlo.return"(%5) : (tensor<f32>) -> ()
          }) : (tensor<4xf32>) -> tensor<4xf32>
          %3 = "func.call"(%2) <{callee = @double}> : (tensor<4xf32>) -> tensor<4xf32>
          "func.return"(%3) : (tensor<4xf32>) -> ()
        }) : () -> ()
      }) {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} : () -> ()
      """;

  private static final String HLO =
      """
      HloModule m, is_scheduled=true, replica_count=4

      %sum (a: f32[], b: f32[]) -> f32[] {
        %a = f32[] parameter(0)
        %b = f32[] parameter(1)
        ROOT %add = f32[] add(%a, %b)
      }

      ENTRY %main (x: f32[4,2]) -> f32[4,2] {
        %x = f32[4,2]{1,0} parameter(0), metadata={op_name="x"}
        %c = f32[] constant(2)
        %b = f32[4,2]{1,0} broadcast(%c), dimensions={}
        %y = f32[4,2]{1,0} multiply(%x, %b), metadata={op_name="mul" source_line=4}
        ROOT %all = f32[4,2]{1,0} all-reduce(%y), replica_groups={{0,1},{2,3}}, to_apply=%sum, control-predecessors={%x}
      }
      """;

  private static ProgramFingerprints of(String text) {
    Module module = Texts.read(Source.of("test", text));
    return ProgramFingerprints.of(module, null);
  }

  @Test
  void prettyAndGenericForm_agree() {
    assertThat(of(GENERIC))
        .usingRecursiveComparison()
        .ignoringFields("regions")
        .isEqualTo(of(PRETTY));
  }

  @Test
  void typesLiteralsAndOptions_count() {
    Fingerprint whole = of(PRETTY).whole();
    assertThat(of(PRETTY.replace("4xf32", "8xf32")).whole()).isNotEqualTo(whole);
    assertThat(of(PRETTY.replace("num_replicas = 2", "num_replicas = 4")).whole())
        .isNotEqualTo(whole);
    assertThat(of(PRETTY.replace("multiply", "add")).whole()).isNotEqualTo(whole);
    assertThat(of(HLO.replace("is_scheduled=true, ", "")).whole()).isNotEqualTo(of(HLO).whole());
    assertThat(of(HLO.replace("{1,0} all", "{0,1} all")).whole()).isNotEqualTo(of(HLO).whole());
  }

  @Test
  void literals_doNotCountInTheStructure() {
    ProgramFingerprints five = of(PRETTY);
    ProgramFingerprints six = of(PRETTY.replace("dense<5.0>", "dense<6.0>"));
    assertThat(six.whole()).isNotEqualTo(five.whole());
    assertThat(six.structural()).isEqualTo(five.structural());
    String longs =
        "func.func @main() -> tensor<2xi64> {\n  %c = stablehlo.constant dense<[1, 2]> :"
            + " tensor<2xi64>\n  return %c : tensor<2xi64>\n}\n";
    assertThat(of(longs.replace("1, 2", "3, 4")).structural()).isEqualTo(of(longs).structural());
  }

  @Test
  void namesMetadataAndFormsOfGroups_doNotCount() {
    Fingerprint whole = of(HLO).whole();
    assertThat(of(HLO.replace("%y", "%other").replace("source_line=4", "source_line=9")).whole())
        .isEqualTo(whole);
    assertThat(of(HLO.replace("{{0,1},{2,3}}", "[2,2]<=[4]")).whole()).isEqualTo(whole);
    assertThat(of(HLO.replace("[4,2]{1,0}", "[4,2]")).whole()).isEqualTo(whole);
    assertThat(of(HLO.replace("%sum", "%plus").replace("HloModule m", "HloModule n")).whole())
        .isEqualTo(whole);
    assertThat(of(HLO.replace("-predecessors={%x}", "-predecessors={%b}")).whole())
        .isNotEqualTo(whole);
  }

  @Test
  void groups_areResolvedToRanks() {
    String all = HLO.replace("{{0,1},{2,3}}", "{}");
    Module everybody = Texts.read(Source.of("test", all));
    Module written = Texts.read(Source.of("test", HLO.replace("{{0,1},{2,3}}", "{{0,1,2,3}}")));
    DeviceGrid grid = new DeviceGrid(4, 1);
    assertThat(ProgramFingerprints.whole(everybody, grid))
        .isEqualTo(ProgramFingerprints.whole(written, grid));
    assertThat(ProgramFingerprints.whole(everybody, null))
        .isNotEqualTo(ProgramFingerprints.whole(written, null));
  }

  @Test
  void regions_agreeWhereOnlyOthersDiffer() {
    ProgramFingerprints first = of(PRETTY);
    ProgramFingerprints second = of(PRETTY.replace("dense<5.0>", "dense<6.0>"));
    assertThat(first.regions()).hasSize(3);
    assertThat(first.regions())
        .extracting(RegionFingerprint::communicates)
        .containsExactly(false, true, false);
    assertThat(second.regions().get(0).fingerprint())
        .isNotEqualTo(first.regions().get(0).fingerprint());
    assertThat(second.regions().get(1).fingerprint())
        .isEqualTo(first.regions().get(1).fingerprint());
    assertThat(second.regions().get(2).fingerprint())
        .isEqualTo(first.regions().get(2).fingerprint());
  }
}
