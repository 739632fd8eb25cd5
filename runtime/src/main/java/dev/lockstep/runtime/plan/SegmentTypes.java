package dev.lockstep.runtime.plan;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.Flattening;
import org.jspecify.annotations.Nullable;

/**
 * The tensors that the entry function of a segment takes and gives.
 *
 * @param inputs what it takes, in order
 * @param outputs what it gives, in order
 */
record SegmentTypes(ImmutableList<TensorType> inputs, ImmutableList<TensorType> outputs) {
  static SegmentTypes of(Module module) {
    Function entry = module.requireEntry();
    return new SegmentTypes(Flattening.arguments(entry), Flattening.results(entry));
  }

  /** Returns the type that {@code text} spells, {@code tensor<4xf32>}, or null. */
  static @Nullable TensorType parse(String text) {
    if (text.contains("\n")) {
      return null;
    }
    try {
      Module module =
          Texts.read(
              Source.of(
                  "type", "func.func private @f(" + text + ")\nfunc.func @g() {\n  return\n}\n"));
      return module.function("f").orElseThrow().operation().attribute("function_type")
                  instanceof dev.lockstep.hlo.attr.Attribute.TypeOf type
              && type.type() instanceof dev.lockstep.hlo.type.FunctionType function
              && function.inputs().size() == 1
              && function.inputs().get(0) instanceof TensorType tensor
          ? tensor
          : null;
    } catch (DiagnosticException e) {
      return null;
    }
  }
}
