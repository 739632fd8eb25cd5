package dev.lockstep.hlo.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.testing.CorpusFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class VerifierTest {
  private static String report(String text) {
    return report(Texts.read(Source.of("test.txt", text)));
  }

  private static String report(Module module) {
    DiagnosticSink sink = new DiagnosticSink();
    Verifier.verify(module, sink);
    StringBuilder out = new StringBuilder();
    sink.diagnostics().forEach(diagnostic -> out.append(diagnostic).append('\n'));
    return out.toString();
  }

  private static final String SOUND =
      """
      func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
        %0 = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      func.func private @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.add %a, %a : tensor<2xf32>
        return %0 : tensor<2xf32>
      }
      """;

  @Test
  void soundModulePasses() {
    assertThat(report(SOUND)).isEmpty();
  }

  /** A pass that drops a function must drop its calls. */
  @Test
  void calleeMustExist() {
    Module module = Texts.read(Source.of("test.txt", SOUND));
    assertThat(report(module.withOperations(module.operations().subList(0, 1))))
        .startsWith(
            "test.txt:2:3: error[unknown-callee]: no function or computation is called twice");
  }

  /** A pass that drops an operation must drop its uses; one that adds it twice gets told. */
  @Test
  void valuesAreDefinedOnceBeforeTheirUses() {
    Module module = Texts.read(Source.of("test.txt", SOUND));
    ImmutableList<Operation> body = module.function("main").orElseThrow().body().operations();
    assertThat(report(withMain(module, body.subList(1, 2))))
        .startsWith("test.txt:3:3: error[undefined-value]: operand 0 of func.return is %0");
    assertThat(report(withMain(module, ImmutableList.of(body.get(0), body.get(0), body.get(1)))))
        .startsWith("test.txt:2:3: error[redefined-value]: %0");
    assertThat(report(withMain(module, body.subList(0, 1))))
        .startsWith("test.txt:2:3: error[no-terminator]: a block of func.func must end with");
  }

  private static Module withMain(Module module, ImmutableList<Operation> operations) {
    return module.mapFunctions(
        function ->
            function.name().equals("main")
                ? function.withBody(function.body().withOperations(operations, null))
                : function);
  }

  @Test
  void argumentsMustFitTheCallee() {
    assertThat(
            report(
                """
                HloModule calls

                one {
                  ROOT p = f32[3] parameter(0)
                }

                ENTRY main {
                  p = f32[2] parameter(0)
                  ROOT c = f32[3] call(p), to_apply=one
                }
                """))
        .startsWith(
            "test.txt:9:3: error[signature]: operands for the callee of call are"
                + " (tensor<2xf32>), must be (tensor<3xf32>)");
  }

  @Test
  void returnedValuesMustFitTheFunction() {
    assertThat(
            report(
                """
                func.func @main(%a: tensor<2xf32>) -> tensor<3xf32> {
                  return %a : tensor<2xf32>
                }
                """))
        .contains(
            "error[signature]: returned values of func.func are (tensor<2xf32>), must be"
                + " (tensor<3xf32>)");
  }

  @Test
  void loopKeepsItsTypes() {
    assertThat(
            report(
                """
                HloModule loop

                condition {
                  p = (s32[], f32[2]) parameter(0)
                  ROOT c = f32[] constant(1)
                }

                body {
                  p = (s32[], f32[2]) parameter(0)
                  i = s32[] get-tuple-element(p), index=0
                  ROOT t = (s32[], s32[]) tuple(i, i)
                }

                ENTRY main {
                  p = (s32[], f32[2]) parameter(0)
                  ROOT w = (s32[], f32[2]) while(p), condition=condition, body=body
                }
                """))
        .contains("what the condition gives of while are (tensor<f32>), must be (tensor<i1>)")
        .contains("results of the body of while are (tuple<tensor<i32>, tensor<i32>>)");
  }

  @Test
  void tupleElementMustBeThere() {
    assertThat(
            report(
                """
                HloModule element

                ENTRY main {
                  p = (s32[], f32[2]) parameter(0)
                  ROOT e = s32[] get-tuple-element(p), index=2
                }
                """))
        .startsWith("test.txt:5:3: error[tuple-index]: index is 2, the tuple has 2 elements");
  }

  /**
   * What frameworks and XLA wrote is well formed, but for inputs of tests that are wrong on purpose
   * or never verified.
   */
  @Test
  void corpusIsWellFormed() throws IOException {
    Set<String> unsound = new TreeSet<>();
    for (String folder : new String[] {"real", "xla"}) {
      for (Path file : CorpusFiles.files(folder, ".hlo")) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        for (String chunk : text.split("(?m)^// -----.*$", -1)) {
          Module module;
          try {
            module = Texts.read(Source.of(file.getFileName().toString(), chunk));
          } catch (DiagnosticException e) {
            continue;
          }
          DiagnosticSink sink = new DiagnosticSink();
          Verifier.verify(module, sink);
          if (sink.hasErrors()) {
            unsound.add(file.getFileName().toString());
          }
        }
      }
    }
    assertThat(unsound)
        .containsExactly(
            "generate_hlo_test_checks_test_input.hlo",
            "invalid_concat.hlo",
            "print_indexing_test.hlo",
            "rewrite_bf16_conv_to_onednn.hlo");
  }
}
