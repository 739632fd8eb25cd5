package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.flat.FlatEntry;
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
 * @param entry the program with the tuples of its entry function taken apart
 */
record PjrtRequest(PjrtProgram program, CompileOptions options, FlatEntry entry) {
  /**
   * Returns the request for {@code module} on {@code grid}.
   *
   * @param platform the plugin's name of its platform: {@code cpu}, {@code cuda}, {@code tpu}
   * @throws DiagnosticException if it is a program that must not reach such a plugin, or that it is
   *     known not to compile
   */
  static PjrtRequest of(Module module, DeviceGrid grid, String platform) {
    FlatEntry entry = FlatEntry.of(module);
    Module flat = entry.module();
    flat.entryFunction().ifPresent(PjrtRequest::checkArguments);
    boolean addresses = OnDevices.addressesPartitions(flat, grid);
    DeviceGrid places = addresses ? new DeviceGrid(grid.size(), 1) : grid;
    Module told = WholeArguments.of(flat, grid.partitions());
    PjrtProgram program = PjrtProgram.of(addresses ? OnDevices.all(flat, grid) : told, platform);
    CompileOptions options =
        CompileOptions.grid(places.replicas(), places.partitions())
            .withShardy(program.usesShardy())
            .fitTo(platform);
    return new PjrtRequest(program, options, entry);
  }

  private static void checkArguments(Function entry) {
    for (Value parameter : entry.parameters()) {
      Type type = parameter.type();
      if (!(type instanceof TensorType) || !((TensorType) type).isStatic()) {
        throw DiagnosticException.error(
            "pjrt-argument",
            "a plugin takes static tensors; " + entry.name() + " takes " + type,
            entry.operation().location());
      }
    }
  }
}
