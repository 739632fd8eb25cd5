package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;

/**
 * One program of several that a device runs one after the other. It takes and gives tensors; tuples
 * of its entry function are put together and taken apart.
 *
 * @param name what to call it in diagnostics: {@code segment s0}
 * @param module the text
 * @param inputs numbers of the device's values that the entry function takes
 * @param outputs numbers under which the device keeps what the entry function gives
 */
public record Stage(
    String name, Module module, ImmutableIntArray inputs, ImmutableIntArray outputs) {
  /** Checks that the numbers fit the entry function. */
  public Stage {
    Function entry = module.requireEntry();
    int takes = Flattening.arguments(entry).size();
    int gives = Flattening.results(entry).size();
    checkArgument(
        takes == inputs.length() && gives == outputs.length(),
        "%s takes %s tensors and gives %s, not %s and %s",
        name,
        takes,
        gives,
        inputs.length(),
        outputs.length());
  }
}
