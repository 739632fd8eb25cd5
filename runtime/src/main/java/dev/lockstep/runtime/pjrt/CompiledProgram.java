package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.proto.HloProtos;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/** What a plugin made of a program: shapes, optimised code, what it needs. */
public final class CompiledProgram extends PjrtHandle {
  private static final ImmutableList<String> MEMORY =
      ImmutableList.of(
          "generated_code_size_in_bytes",
          "argument_size_in_bytes",
          "output_size_in_bytes",
          "alias_size_in_bytes",
          "temp_size_in_bytes",
          "host_generated_code_size_in_bytes",
          "host_argument_size_in_bytes",
          "host_output_size_in_bytes",
          "host_alias_size_in_bytes",
          "host_temp_size_in_bytes",
          "peak_memory_in_bytes");

  CompiledProgram(PjrtPlugin plugin, long address) {
    super(plugin, null, address, PjrtNative.EXECUTABLE_DESTROY, "compiled program");
  }

  int outputCount() {
    return Math.toIntExact(
        use(e -> PjrtNative.size(plugin().address(), PjrtNative.EXECUTABLE_OUTPUTS, e)));
  }

  /** Returns the types of the results on each device. */
  public ImmutableList<TensorType> outputTypes() {
    long[] raw = use(e -> PjrtNative.outputs(plugin().address(), e));
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    int at = 0;
    while (at < raw.length) {
      int rank = (int) raw[at + 1];
      out.add(
          TensorType.of(
              PjrtTypes.element((int) raw[at]), Arrays.copyOfRange(raw, at + 2, at + 2 + rank)));
      at += 2 + rank;
    }
    return out.build();
  }

  /**
   * Returns the program as the plugin optimised it.
   *
   * @throws PjrtException if the plugin does not show it
   */
  public Module optimized() {
    byte[][] parts = use(e -> PjrtNative.optimized(plugin().address(), e));
    return HloProtos.read(Source.of("optimized program", parts[1]), new DiagnosticSink());
  }

  /** Returns the bytes that the program needs, by name. */
  public ImmutableMap<String, Long> memory() {
    long[] raw = use(e -> PjrtNative.memory(plugin().address(), e));
    ImmutableMap.Builder<String, Long> out = ImmutableMap.builder();
    for (int i = 0; i < MEMORY.size(); i++) {
      out.put(MEMORY.get(i), raw[i]);
    }
    return out.buildOrThrow();
  }

  /** Returns what the plugin expects the program to cost, by name. */
  public ImmutableMap<String, String> costs() {
    return PjrtPlugin.values(PjrtNative.string(use(e -> PjrtNative.costs(plugin().address(), e))));
  }
}
