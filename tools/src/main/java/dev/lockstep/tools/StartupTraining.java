package dev.lockstep.tools;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs what users run, once, while the launcher records which classes that loads; the archive of
 * them makes later starts quicker. Prints nothing and never fails.
 */
public final class StartupTraining {
  private static final String HLO =
      """
      HloModule training, replica_count=2

      %add (a: f32[], b: f32[]) -> f32[] {
        %a = f32[] parameter(0)
        %b = f32[] parameter(1)
        ROOT %sum = f32[] add(f32[] %a, f32[] %b)
      }

      ENTRY %main (x: f32[2]) -> f32[2] {
        %x = f32[2] parameter(0)
        %c = f32[2] constant({1, 2})
        %y = f32[2] multiply(f32[2] %x, f32[2] %c)
        ROOT %all = f32[2] all-reduce(f32[2] %y), replica_groups={{0,1}}, to_apply=%add
      }
      """;

  private static final String STABLEHLO =
      """
      module @training attributes {mhlo.num_replicas = 2 : i32} {
        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
          %y = stablehlo.multiply %x, %c : tensor<2xf32>
          %z = stablehlo.custom_call @_c10d_functional.all_reduce(%y) {
            api_version = 4 : i32, has_side_effect = true, backend_config = {reduce_op = "sum"}
          } : (tensor<2xf32>) -> tensor<2xf32>
          return %z : tensor<2xf32>
        }
      }
      """;

  private StartupTraining() {}

  /** Runs every command that stands here. */
  public static void main(String[] args) {
    run(List.of("--help"), "");
    for (String program : new String[] {HLO, STABLEHLO}) {
      run(List.of("opt", "-", "--cse", "--dce"), program);
      run(List.of("verify", "-", "--roundtrip"), program);
      run(List.of("comm", "-"), program);
      run(List.of("run", "-", "--random", "1"), program);
    }
    run(List.of("opt", "-"), "module {");
  }

  private static void run(List<String> arguments, String input) {
    PrintStream nowhere =
        new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            nowhere,
            nowhere,
            false);
    int ignored = CommandLineRunner.run(arguments, console);
  }
}
