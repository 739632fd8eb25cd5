package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.flat.FlatEntry;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.Flattening;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs a program on the devices of a client, as the interpreter runs it on a grid. */
public final class PjrtRunner implements AutoCloseable {
  private final PjrtClient client;
  private final PjrtExecutable executable;
  private final FlatEntry entry;

  private PjrtRunner(PjrtClient client, PjrtExecutable executable, FlatEntry entry) {
    this.client = client;
    this.executable = executable;
    this.entry = entry;
  }

  /**
   * Opens the devices of {@code plugin}, at least {@code devices} of them where the plugin makes
   * devices up.
   *
   * @param options the plugin's own
   * @throws PjrtException if there are fewer
   */
  public static PjrtClient open(PjrtPlugin plugin, int devices, Map<String, String> options) {
    ImmutableMap.Builder<String, String> all = ImmutableMap.builder();
    // XLA's CPU plugin takes any option; others refuse those of the CPU.
    if (plugin.path().getFileName().toString().contains("cpu")
        && !options.containsKey("cpu_device_count")) {
      all.put("cpu_device_count", Integer.toString(devices));
    }
    PjrtClient client = PjrtClient.create(plugin, all.putAll(options).buildOrThrow());
    if (client.devices().size() < devices) {
      int there = client.devices().size();
      client.close();
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "the program is for " + devices + " devices, but the plugin has " + there);
    }
    return client;
  }

  /**
   * Compiles {@code module} for {@code grid}.
   *
   * @throws DiagnosticException if it is a program that must not reach a plugin
   * @throws PjrtException if the plugin refuses it
   */
  public static PjrtRunner compile(PjrtClient client, Module module, DeviceGrid grid) {
    PjrtRequest request = PjrtRequest.of(module, grid, client.platformName());
    return new PjrtRunner(
        client, client.compile(request.program(), request.options()), request.entry());
  }

  /** Returns the compiled program. */
  public PjrtExecutable executable() {
    return executable;
  }

  /**
   * Runs once.
   *
   * @param arguments for each device, its arguments
   * @return for each device, its results, as the interpreter gives them: tuples in tuples
   * @throws PjrtException if the arguments do not fit, or the program fails
   */
  public ImmutableList<ImmutableList<Datum>> run(List<ImmutableList<Datum>> arguments) {
    // Nobody else has these, and some programs insist on taking arguments over.
    List<List<PjrtBuffer>> inputs = upload(arguments);
    try {
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (ImmutableList<Datum> device :
          download(executable.execute(inputs, ImmutableLongArray.of()))) {
        out.add(Flattening.nest(entry.results(), device));
      }
      return out.build();
    } finally {
      inputs.forEach(device -> device.forEach(PjrtBuffer::close));
    }
  }

  /**
   * Copies arguments to the devices, tuples taken apart; the caller closes the buffers.
   *
   * @throws PjrtException if they do not fit the program, or there is no room
   */
  public List<List<PjrtBuffer>> upload(List<ImmutableList<Datum>> arguments) {
    int devices = executable.devices().size();
    if (arguments.size() != devices) {
      throw new PjrtException(
          PjrtCode.INVALID_ARGUMENT,
          "arguments for " + arguments.size() + " devices, the program runs on " + devices);
    }
    int wanted = Flattening.tensors(entry.arguments()).size();
    List<List<PjrtBuffer>> out = new ArrayList<>();
    try {
      for (int d = 0; d < devices; d++) {
        List<PjrtBuffer> own = new ArrayList<>();
        out.add(own);
        ImmutableList<Literal> literals = Flattening.flatten(arguments.get(d));
        if (literals.size() != wanted) {
          throw new PjrtException(
              PjrtCode.INVALID_ARGUMENT,
              literals.size() + " arguments, the program takes " + wanted);
        }
        for (Literal literal : literals) {
          own.add(client.toDevice(literal, executable.devices().get(d)));
        }
      }
    } catch (RuntimeException e) {
      out.forEach(device -> device.forEach(PjrtBuffer::close));
      throw e;
    }
    return out;
  }

  /** Copies results from the devices and closes the buffers. */
  public static ImmutableList<ImmutableList<Datum>> download(
      List<ImmutableList<PjrtBuffer>> results) {
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    try {
      for (ImmutableList<PjrtBuffer> device : results) {
        ImmutableList.Builder<Datum> own = ImmutableList.builder();
        device.forEach(buffer -> own.add(buffer.toLiteral()));
        out.add(own.build());
      }
    } finally {
      results.forEach(device -> device.forEach(PjrtBuffer::close));
    }
    return out.build();
  }

  @Override
  public void close() {
    executable.close();
  }
}
