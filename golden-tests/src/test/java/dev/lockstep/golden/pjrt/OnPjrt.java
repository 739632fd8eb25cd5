package dev.lockstep.golden.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.testing.Checkout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs programs on an installed CPU plugin with 8 devices and compares with the interpreter, which
 * goes first. What the plugin says it cannot do is told apart from what it does wrong.
 */
public final class OnPjrt implements AutoCloseable {
  /** What XLA's CPU compiler does not implement, by the words of its refusals; see docs/pjrt.md. */
  private static final Pattern NOT_IMPLEMENTED =
      Pattern.compile(
          "(?s).*(?:is not supported by XLA:CPU|Unsupported reduction computation|not implemented"
              + "|unimplemented|Unsupported|not supported|can't be translated to XLA HLO"
              + "|Failed to parse using StableHLO|nested-tupled|No registered implementation).*");

  private final PjrtClient client;
  private final List<String> wrong = new ArrayList<>();
  private final Map<String, String> refused = new LinkedHashMap<>();
  private int agreed;

  private OnPjrt(PjrtClient client) {
    this.client = client;
  }

  /** Returns the installed plugins, or leaves the calling test out where there are none. */
  public static Stream<Path> plugins() {
    ImmutableList<Path> plugins = PluginCache.cpuPlugins();
    if (plugins.isEmpty()) {
      Checkout.leaveOut(
          "no PJRT plugin: run `lockstep pjrt install cpu`, or name one in LOCKSTEP_PJRT_CPU");
    }
    return plugins.stream();
  }

  /** Opens 8 devices of {@code plugin}. */
  public static OnPjrt open(Path plugin) {
    return new OnPjrt(PjrtRunner.open(PjrtPlugin.load(plugin), 8, Map.of()));
  }

  /** Runs {@code module} on both and remembers how they compare. */
  public void check(
      String name, Module module, DeviceGrid grid, List<ImmutableList<Datum>> arguments) {
    ImmutableList<ImmutableList<Datum>> expected =
        GridInterpreter.run(Program.of(module), grid, arguments, InterpreterOptions.DEFAULT);
    ImmutableList<ImmutableList<Datum>> actual;
    try (PjrtRunner runner = PjrtRunner.compile(client, module, grid)) {
      actual = runner.run(arguments);
    } catch (PjrtException e) {
      String message = String.valueOf(e.getMessage());
      if (NOT_IMPLEMENTED.matcher(message).matches()) {
        refused.put(name, message);
      } else {
        wrong.add(name + ": " + e.code() + " " + message);
      }
      return;
    }
    for (int d = 0; d < grid.size(); d++) {
      ImmutableList<Literal> wanted = Flattening.flatten(expected.get(d));
      ImmutableList<Literal> got = Flattening.flatten(actual.get(d));
      for (int i = 0; i < wanted.size(); i++) {
        if (!wanted.get(i).type().equals(got.get(i).type())) {
          wrong.add(name + ": " + got.get(i).type() + " instead of " + wanted.get(i).type());
          return;
        }
        OptionalInt at =
            Tolerance.defaultFor(wanted.get(i).element())
                .firstDifference(wanted.get(i), got.get(i));
        if (at.isPresent()) {
          wrong.add(
              name
                  + ": result "
                  + i
                  + " on device "
                  + d
                  + " is "
                  + got.get(i)
                  + ", the interpreter has "
                  + wanted.get(i));
          return;
        }
      }
    }
    agreed++;
  }

  /** Returns what differs, or is refused for another reason than not being implemented. */
  public List<String> wrong() {
    return wrong;
  }

  /** Returns what the plugin does not implement, with its words. */
  public Map<String, String> refused() {
    return refused;
  }

  /** Returns how many programs gave the same on both. */
  public int agreed() {
    return agreed;
  }

  @Override
  public void close() {
    client.close();
  }
}
