package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import java.util.Map;

/**
 * Devices that need not be there: programs are compiled for them ahead of time. Closing it closes
 * what was compiled.
 */
public final class PjrtTopology extends PjrtHandle {
  private final String name;
  private final String platformName;
  private final ImmutableList<String> devices;

  private PjrtTopology(PjrtPlugin plugin, String name, long address) {
    super(plugin, null, address, PjrtNative.TOPOLOGY_DESTROY, "topology");
    this.name = name;
    long api = plugin.address();
    platformName =
        PjrtNative.string(PjrtNative.text(api, PjrtNative.TOPOLOGY_PLATFORM_NAME, address));
    ImmutableList.Builder<String> list = ImmutableList.builder();
    for (long description : PjrtNative.pointers(api, PjrtNative.TOPOLOGY_DEVICES, address)) {
      list.add(PjrtNative.string(PjrtNative.text(api, PjrtNative.DESCRIPTION_KIND, description)));
    }
    devices = list.build();
  }

  /**
   * Returns the topology that {@code plugin} calls {@code name}, such as {@code v5e:2x4}.
   *
   * @throws PjrtException with {@link PjrtCode#UNIMPLEMENTED} if the plugin cannot compile ahead of
   *     time, with another code if it knows no such topology
   */
  public static PjrtTopology create(PjrtPlugin plugin, String name, Map<String, String> options) {
    return new PjrtTopology(
        plugin,
        name,
        PjrtNative.createTopology(
            plugin.address(),
            PjrtNative.utf8(name),
            PjrtPlugin.encode(ImmutableMap.copyOf(options))));
  }

  /** Returns the kind of each device. */
  public ImmutableList<String> devices() {
    return devices;
  }

  /**
   * Compiles a program.
   *
   * @throws PjrtException with the plugin's words if the program is wrong or not supported
   */
  public CompiledProgram compile(PjrtProgram program, CompileOptions options) {
    return use(
        topology -> {
          CompiledProgram compiled =
              new CompiledProgram(
                  plugin(),
                  PjrtNative.compileAhead(
                      plugin().address(),
                      topology,
                      program.code(),
                      PjrtNative.utf8(program.format()),
                      options.toByteArray()));
          adopt(compiled);
          return compiled;
        });
  }

  /**
   * Compiles {@code module} for {@code grid}.
   *
   * @throws DiagnosticException if it is a program that must not reach a plugin, or is known not to
   *     compile
   * @throws PjrtException if the plugin refuses it
   */
  public CompiledProgram compile(Module module, DeviceGrid grid) {
    PjrtRequest request = PjrtRequest.of(module, grid, platformName);
    return compile(request.program(), request.options());
  }

  @Override
  public String toString() {
    return name + " (" + devices.size() + " devices)";
  }
}
