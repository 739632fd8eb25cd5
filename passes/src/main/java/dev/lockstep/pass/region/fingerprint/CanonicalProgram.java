package dev.lockstep.pass.region.fingerprint;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a whole module: what the compiler is told in its header, then its functions in the order
 * in which code that runs first names them, then whatever is named by nobody.
 */
final class CanonicalProgram {
  /** Counts of the header, which are written as the grid. */
  private static final ImmutableSet<String> COUNTS =
      ImmutableSet.of(
          Module.REPLICA_COUNT,
          Module.NUM_PARTITIONS,
          Module.MHLO_NUM_REPLICAS,
          Module.MHLO_NUM_PARTITIONS);

  private final Module module;
  private final @Nullable DeviceGrid grid;
  private final CanonicalSink sink;
  private final CanonicalOps ops;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Operation> symbols = new HashMap<>();
  private final ArrayDeque<String> pending = new ArrayDeque<>();

  private CanonicalProgram(Module module, @Nullable DeviceGrid grid, CanonicalSink sink) {
    this.module = module;
    this.grid = grid;
    this.sink = sink;
    this.ops = new CanonicalOps(module.syntax(), grid, sink, this::symbol);
    for (Operation operation : module.operations()) {
      String name = name(operation);
      if (name != null) {
        symbols.putIfAbsent(name, operation);
      }
    }
  }

  static void write(Module module, @Nullable DeviceGrid grid, CanonicalSink sink) {
    new CanonicalProgram(module, grid, sink).write();
  }

  private static @Nullable String name(Operation operation) {
    Attribute name = operation.attribute(BuiltinOps.SYM_NAME);
    return name instanceof Attribute.Str ? ((Attribute.Str) name).value() : null;
  }

  /** Returns what is written for a symbol: its number when the module holds it, else its name. */
  private String symbol(Attribute.Symbol symbol) {
    String name = symbol.path().get(0);
    if (!symbols.containsKey(name)) {
      return "@" + String.join("::", symbol.path());
    }
    Integer number = numbers.get(name);
    if (number == null) {
      number = numbers.size();
      numbers.put(name, number);
      pending.add(name);
    }
    return "symbol " + number;
  }

  private void write() {
    sink.word(module.syntax().name());
    options();
    Function entry = module.entryFunction().orElse(null);
    if (entry != null) {
      symbol(Attribute.Symbol.of(entry.name()));
    }
    drain();
    for (Operation operation : module.operations()) {
      String name = name(operation);
      if (name == null) {
        ops.write(operation);
      } else if (!numbers.containsKey(name)) {
        symbol(Attribute.Symbol.of(name));
      }
      drain();
    }
  }

  private void options() {
    DeviceGrid devices = grid;
    if (devices == null) {
      sink.word("devices not known");
      sink.number(module.replicas().orElse(0));
      sink.number(module.partitions().orElse(0));
    } else {
      sink.word("devices");
      sink.number(module.replicas().orElse(devices.replicas()));
      sink.number(module.partitions().orElse(devices.partitions()));
    }
    Attributes header = module.attributes();
    ops.attributes().write(header, COUNTS);
  }

  /** Writes the symbols that were named and are not yet written. */
  private void drain() {
    while (!pending.isEmpty()) {
      definition(requireNonNull(symbols.get(pending.remove())));
    }
  }

  private void definition(Operation operation) {
    if (!operation.is(BuiltinOps.FUNC)) {
      ops.write(operation);
      return;
    }
    sink.word("function");
    ops.attributes().write(operation.attributes(), ImmutableSet.of());
    Function function = new Function(operation);
    if (!function.isDeclaration()) {
      ops.block(function.body());
    } else if (operation.attribute(BuiltinOps.FUNCTION_TYPE) instanceof Attribute.TypeOf) {
      sink.word("declared");
      ops.attributes().write(requireNonNull(operation.attribute(BuiltinOps.FUNCTION_TYPE)));
    }
  }
}
