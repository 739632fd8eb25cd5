package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.nio.file.Path;
import java.util.Map;

/** What tests launch. */
final class Launchable {
  /** Adds up four numbers of two devices. */
  static final String REDUCE =
      """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %1 = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %1 : tensor<f32>
        }) : (tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      """;

  private Launchable() {}

  static PjrtClient open(Path plugin, int devices) {
    return PjrtRunner.open(PjrtPlugin.load(plugin), devices, Map.of());
  }

  static PjrtProgram program(String text) {
    return PjrtProgram.of(Texts.read(Source.of("program", text)));
  }

  static Literal floats(float... values) {
    return Literal.of(TensorType.of(ElementType.F32, values.length), values);
  }
}
