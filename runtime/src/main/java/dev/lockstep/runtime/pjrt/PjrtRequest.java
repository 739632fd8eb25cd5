package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/**
 * A program as a plugin is asked to compile it.
 *
 * @param program the program
 * @param options how
 * @param entry the entry function
 */
record PjrtRequest(PjrtProgram program, CompileOptions options, Function entry) {
  /**
   * Returns the request for {@code module} on {@code grid}.
   *
   * @param platform the plugin's name of its platform: {@code cpu}, {@code cuda}, {@code tpu}
   * @throws DiagnosticException if it is a program that must not reach such a plugin, or that it is
   *     known not to compile
   */
  static PjrtRequest of(Module module, DeviceGrid grid, String platform) {
    Function entry =
        module
            .entryFunction()
            .orElseThrow(
                () ->
                    DiagnosticException.error(
                        "no-entry", "the program has no entry function", module.location()));
    for (Value parameter : entry.parameters()) {
      checkArgument(parameter.type(), entry);
    }
    boolean addresses = OnDevices.addressesPartitions(module, grid);
    DeviceGrid places = addresses ? new DeviceGrid(grid.size(), 1) : grid;
    PjrtProgram program =
        PjrtProgram.of(addresses ? OnDevices.all(module, grid) : module, platform);
    CompileOptions options =
        CompileOptions.grid(places.replicas(), places.partitions())
            .withShardy(program.usesShardy())
            .fitTo(platform);
    return new PjrtRequest(program, options, entry);
  }

  private static void checkArgument(Type type, Function entry) {
    if (!(type instanceof TensorType) || !((TensorType) type).isStatic()) {
      throw DiagnosticException.error(
          "pjrt-argument",
          "a plugin takes static tensors; " + entry.name() + " takes " + type,
          entry.operation().location());
    }
  }
}
