package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What surrounds a run: values that programs hand over and are fed, what they print, and the grids
 * that they start.
 */
final class HostSide {
  private static final AttrKey<String> PROBE_ID = AttrKeys.word("probe_id", "probe_id");
  private static final AttrKey<Long> ITERATION = AttrKeys.integer("iter", "iter");
  private static final AttrKey<ImmutableList<Attribute>> PROGRAMS = list("programs");
  private static final AttrKey<ImmutableList<Attribute>> FEEDS = list("infeed");

  private final InterpreterOptions options;
  private final Map<String, List<Datum>> probes = new HashMap<>();
  private final Deque<ImmutableList<Datum>> feed = new ArrayDeque<>();

  HostSide(InterpreterOptions options) {
    this.options = options;
  }

  private static AttrKey<ImmutableList<Attribute>> list(String name) {
    return AttrKey.of(
        name,
        name,
        a -> a instanceof Attribute.Array ? ((Attribute.Array) a).elements() : null,
        "a list of functions");
  }

  void print(Datum value) {
    options.printer().accept(value.toString());
  }

  void probe(Operation operation, Datum value) {
    probes.computeIfAbsent(PROBE_ID.get(operation), id -> new ArrayList<>()).add(value);
  }

  /** Fails unless {@code value} is what the probe that {@code operation} names was given. */
  void expectProbed(Operation operation, Datum value) {
    List<Datum> seen = probes.getOrDefault(PROBE_ID.get(operation), List.of());
    int iteration = Math.toIntExact(ITERATION.getOr(operation, 0L));
    if (iteration >= seen.size() || !seen.get(iteration).equals(value)) {
      throw DiagnosticException.error(
          "check-failed",
          String.format(
              "probe '%s' was given %s, must be %s",
              PROBE_ID.get(operation),
              iteration < seen.size() ? seen.get(iteration) : "nothing",
              value),
          operation.location());
    }
  }

  /** Returns the next values to be fed and a token. */
  ImmutableList<Datum> infeed(Operation operation) {
    ImmutableList<Datum> next = feed.poll();
    if (next == null) {
      throw DiagnosticException.error(
          "nothing-fed",
          operation.def().name() + " takes values from the host, and none are left",
          operation.location());
    }
    return ImmutableList.<Datum>builder().addAll(next).add(Datum.Token.TOKEN).build();
  }

  /** Runs the functions that {@code operation} names on a grid of their own. */
  ImmutableList<Datum> runGrid(Module module, Operation operation, ImmutableList<Datum> arguments) {
    List<Function> functions = new ArrayList<>();
    int replicas = 0;
    for (Attribute row : PROGRAMS.get(operation)) {
      replicas++;
      if (row instanceof Attribute.Array) {
        for (Attribute name : ((Attribute.Array) row).elements()) {
          functions.add(function(module, name, operation));
        }
      }
    }
    if (functions.isEmpty() || functions.size() % replicas != 0) {
      throw DiagnosticException.error(
          "programs",
          "the rows of 'programs' must hold the same number of functions, at least one",
          operation.location());
    }
    List<ImmutableList<Datum>> each = new ArrayList<>();
    int next = 0;
    for (Function function : functions) {
      int end = Math.min(next + function.parameters().size(), arguments.size());
      each.add(arguments.subList(next, end));
      next = end;
    }
    HostSide inner = new HostSide(options);
    for (Attribute name : FEEDS.getOr(operation, ImmutableList.of())) {
      inner.feed.add(
          GridInterpreter.run(
                  Program.ofFunctions(module, ImmutableList.of(function(module, name, operation))),
                  new DeviceGrid(1, 1),
                  ImmutableList.of(ImmutableList.of()),
                  options)
              .get(0));
    }
    DeviceGrid grid = new DeviceGrid(replicas, functions.size() / replicas);
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    GridInterpreter.run(Program.ofFunctions(module, functions), grid, each, options, inner)
        .forEach(out::addAll);
    return out.build();
  }

  private static Function function(Module module, Attribute name, Operation operation) {
    String word = AttrKeys.asWord(name);
    return module
        .function(word == null ? "" : word)
        .filter(found -> !found.isDeclaration())
        .orElseThrow(
            () ->
                DiagnosticException.error(
                    "unknown-callee",
                    "no function with a body is called " + word,
                    operation.location()));
  }
}
