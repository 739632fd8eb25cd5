package dev.lockstep.golden.pjrt;

import static org.junit.jupiter.api.Assumptions.abort;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.testing.Checkout;
import dev.lockstep.tools.run.Results;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs programs on an installed CPU plugin with 8 devices and compares with the interpreter, which
 * goes first. What the plugin does not take, or gives otherwise, must be just what {@link
 * KnownLimits} lists.
 */
public final class OnPjrt implements AutoCloseable {
  private final PjrtClient client;
  private final Map<String, String> found = new TreeMap<>();
  private int agreed;

  private OnPjrt(PjrtClient client) {
    this.client = client;
  }

  /** Returns the installed plugins, or leaves the calling test out where there are none. */
  public static Stream<Path> plugins() {
    PjrtPlugin.whyUnavailable().ifPresent(why -> abort("left out: " + why));
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

  /**
   * Runs {@code module} on both and remembers how they compare.
   *
   * @throws DiagnosticException if it does not run on the interpreter
   */
  public void check(
      String name, Module module, DeviceGrid grid, List<ImmutableList<Datum>> arguments) {
    Program program = Program.of(module);
    EntryLayout layout = EntryLayout.of(program, grid);
    ImmutableList<ImmutableList<Datum>> reference =
        GridInterpreter.run(program, grid, arguments, InterpreterOptions.DEFAULT);
    Results expected = Results.of(reference, layout);
    try (PjrtRunner runner = PjrtRunner.compile(client, module, grid)) {
      ImmutableList<ImmutableList<Datum>> results = runner.run(arguments);
      if (!nesting(results).equals(nesting(reference))) {
        found.put(name, "nests: " + nesting(results) + ", expected " + nesting(reference));
        return;
      }
      Results.Comparison comparison = Results.of(results, layout).compareWith(expected, null, null);
      if (comparison.differences().isEmpty()) {
        agreed++;
      } else {
        found.put(name, "differs: " + comparison.differences().get(0));
      }
    } catch (PjrtException e) {
      found.put(name, e.code() + ": " + e.getMessage());
    } catch (DiagnosticException e) {
      found.put(name, "refused: " + e.diagnostics().get(0).code());
    }
  }

  /** Returns how tuples lie in {@code values}: brackets, with a letter for anything else. */
  private static String nesting(Iterable<? extends Object> values) {
    StringBuilder out = new StringBuilder("(");
    for (Object value : values) {
      if (value instanceof Datum.Tuple) {
        out.append(nesting(((Datum.Tuple) value).elements()));
      } else if (value instanceof ImmutableList<?>) {
        out.append(nesting((ImmutableList<?>) value));
      } else {
        out.append(value instanceof Datum.Token ? 't' : 'x');
      }
    }
    return out.append(')').toString();
  }

  /** Returns the minor version of the plugin. */
  public int minor() {
    return client.plugin().minor();
  }

  /** Returns what the plugin did not take, or gave otherwise, and how. */
  public Map<String, String> found() {
    return found;
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
