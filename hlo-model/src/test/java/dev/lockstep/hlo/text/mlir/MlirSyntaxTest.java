package dev.lockstep.hlo.text.mlir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.diag.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read is printed as MLIR prints it; the expectations are what jaxlib 0.10.2 gives. */
class MlirSyntaxTest {
  private static String reprint(String text) {
    return MlirPrinter.print(MlirReader.read(Source.of("test.mlir", text)));
  }

  /** Returns how one operation is printed within a function of a few arguments. */
  private static String operation(String text) {
    String whole =
        reprint(
            "func.func @f(%x: tensor<4x4xf32>, %i: tensor<4x4xi32>, %p: tensor<4x4xi1>, %s:"
                + " tensor<f32>) {\n"
                + text
                + "\nreturn }");
    int begin = whole.indexOf("{\n", whole.indexOf("func.func")) + 2;
    return whole.substring(begin, whole.indexOf("\n    return")).strip();
  }

  @Test
  void wrapsTopLevelOperationsInModule() {
    assertThat(reprint("func.func private @g(tensor<f32>) -> ()"))
        .isEqualTo("module {\n  func.func private @g(tensor<f32>)\n}\n");
  }

  @Test
  void printsCallsWithinFunctionsWithoutDialectAndElsewhereWithIt() {
    String text =
        """
        module @m {
          func.func @f(%arg0: tensor<f32>) -> tensor<f32> {
            %0 = call @"<lambda>"(%arg0) : (tensor<f32>) -> tensor<f32>
            %1:2 = stablehlo.while(%iterArg = %0, %iterArg_0 = %0) : tensor<f32>, tensor<f32>
            cond {
              %c = stablehlo.constant dense<true> : tensor<i1>
              stablehlo.return %c : tensor<i1>
            } do {
              %2 = func.call @"<lambda>"(%iterArg_0) : (tensor<f32>) -> tensor<f32>
              stablehlo.return %2, %iterArg : tensor<f32>, tensor<f32>
            }
            return %1#1 : tensor<f32>
          }
          func.func private @"<lambda>"(%arg0: tensor<f32>) -> tensor<f32> {
            return %arg0 : tensor<f32>
          }
        }
        """;
    assertThat(reprint(text)).isEqualTo(text);
  }

  @Test
  void keepsUnregisteredOperationsWithRegionsAndProperties() {
    String text =
        """
        module {
          func.func @f(%arg0: tensor<f32>) {
            %0:2 = "my.op"(%arg0) <{b = 1 : i32, c}> ({
            ^bb0(%arg1: tensor<f32>):
              "my.yield"(%arg1) : (tensor<f32>) -> ()
            }, {
            }) {a = [1, 2.500000e+00, "\\22\\0A"]} : (tensor<f32>) -> (tensor<f32>, !my.type<[1]>)
            return
          }
        }
        """;
    assertThat(reprint(text)).isEqualTo(text);
  }

  @Test
  void resolvesAliasesOfLocationsBeforeAndBehindTheModule() {
    String text =
        """
        #loc1 = loc("x")
        module @m {
          func.func public @main(%arg0: tensor<f32> loc("x")) -> tensor<f32> {
            %0 = stablehlo.add %arg0, %arg0 : tensor<f32> loc(#loc4)
            return %0 : tensor<f32> loc(#loc)
          } loc(#loc)
        } loc(#loc)
        #loc = loc(unknown)
        #loc2 = loc("a.py":1:2 to :9)
        #loc3 = loc(callsite(#loc2 at #loc))
        #loc4 = loc("add"(#loc3))
        """;
    assertThat(reprint(text)).isEqualTo(text);
  }

  @Test
  void readsAliasesOfAttributesAndTypes() {
    String text =
        "!t = tensor<2xf32>\n#g = #stablehlo.channel_handle<handle = 1, type = 0>\n"
            + "func.func private @f(!t) attributes {a = #g}";
    assertThat(reprint(text))
        .contains(
            "@f(tensor<2xf32>) attributes {a = #stablehlo.channel_handle<handle = 1, type = 0>}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%0 = stablehlo.add %arg0, %arg0 : tensor<4x4xf32>",
        "%0 = stablehlo.convert %arg0 : (tensor<4x4xf32>) -> tensor<4x4xbf16>",
        "%0 = stablehlo.compare LT, %arg0, %arg0, FLOAT : (tensor<4x4xf32>, tensor<4x4xf32>) ->"
            + " tensor<4x4xi1>",
        "%0 = stablehlo.select %arg2, %arg0, %arg0 : tensor<4x4xi1>, tensor<4x4xf32>",
        "%0 = stablehlo.slice %arg0 [0:4:2, 1:3] : (tensor<4x4xf32>) -> tensor<2x2xf32>",
        "%0 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0] x [0], contracting_dims ="
            + " [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) ->"
            + " tensor<4xf32>",
        "%0 = stablehlo.reduce(%arg0 init: %arg3) applies stablehlo.add across dimensions = [0] :"
            + " (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>",
        "%0 = stablehlo.iota dim = 0 {a} : tensor<4xi32>",
        "%0 = stablehlo.after_all  : !stablehlo.token",
        "%output_state, %output = stablehlo.rng_bit_generator %arg1, algorithm = THREE_FRY :"
            + " (tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<2xf32>)",
        "%0 = stablehlo.custom_call @f(%arg0) {api_version = 4 : i32, has_side_effect = true} :"
            + " (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "%0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x4xf32>",
        "%0 = \"stablehlo.collective_permute\"(%arg0) <{channel_handle ="
            + " #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0,"
            + " 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>",
        "%values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x4xf32> -> (tensor<4x2xf32>,"
            + " tensor<4x2xi32>)",
        "sdy.sharding_group %arg0 group_id=21 : tensor<4x4xf32>",
        "%0 = sdy.all_gather [{\"x\"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> :"
            + " tensor<4x4xf32>",
        "check.expect_close %arg0, %arg0, max_ulp_difference = 3 : tensor<4x4xf32>,"
            + " tensor<4x4xf32>",
      })
  void printsAnOperationAsItWasRead(String text) {
    String renamed =
        text.replace("%arg0", "%x")
            .replace("%arg1", "%i")
            .replace("%arg2", "%p")
            .replace("%arg3", "%s");
    assertThat(operation(renamed)).isEqualTo(text);
  }

  @Test
  void leavesDefaultsOutOfCustomForms() {
    assertThat(
            operation(
                "%0 = stablehlo.custom_call @f(%x) {api_version = 1 : i32, has_side_effect ="
                    + " false} : (tensor<4x4xf32>) -> tensor<4x4xf32>"))
        .isEqualTo("%0 = stablehlo.custom_call @f(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>");
  }

  @Test
  void printsGenericallyWhatDoesNotFitTheCustomForm() {
    assertThat(operation("\"stablehlo.add\"() : () -> ()"))
        .isEqualTo("\"stablehlo.add\"() : () -> ()");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dense<1.0> : tensor<f32>|dense<1.000000e+00> : tensor<f32>",
        "dense<0.01> : tensor<f32>|dense<0.00999999977> : tensor<f32>",
        "dense<9.99999974E-6> : tensor<f32>|dense<9.99999974E-6> : tensor<f32>",
        "dense<1234567.0> : tensor<f32>|dense<0x4996B438> : tensor<f32>",
        "dense<0xFF800000> : tensor<f32>|dense<0xFF800000> : tensor<f32>",
        "dense<-0.0> : tensor<bf16>|dense<-0.000000e+00> : tensor<bf16>",
        "dense<[1, 1]> : tensor<2xi64>|dense<1> : tensor<2xi64>",
        "dense<[[1, -1], [2, 3]]> : tensor<2x2xi8>|dense<[[1, -1], [2, 3]]> : tensor<2x2xi8>",
        "dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>|"
            + "dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>",
        "dense<\"0x0100000002000000\"> : tensor<2xi32>|dense<[1, 2]> : tensor<2xi32>",
        "dense<18446744073709551615> : tensor<ui64>|dense<18446744073709551615> : tensor<ui64>",
        "dense<> : tensor<0x2xi1>|dense<> : tensor<0x2xi1>",
      })
  void printsLiteralsAsMlirDoes(String text, String expected) {
    assertThat(operation("%0 = stablehlo.constant " + text)).endsWith(" " + expected);
  }

  @Test
  void writesManyElementsAsBlob() {
    StringBuilder list = new StringBuilder("[0");
    for (int i = 1; i < 101; i++) {
      list.append(", ").append(i);
    }
    assertThat(operation("%0 = stablehlo.constant dense<" + list + "]> : tensor<101xi8>"))
        .contains("dense<\"0x000102")
        .contains("6364\"> : tensor<101xi8>");
  }
}
