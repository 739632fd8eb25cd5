package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.pass.analysis.DistributedCall;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes operations. Values are numbered where they are defined; one that is not defined in what is
 * written is an input, numbered and written with its type where it is first used.
 */
final class CanonicalOps {
  private static final String CONTROL_PREDECESSORS = "control-predecessors";
  private static final ImmutableSet<String> RESOLVED =
      ImmutableSet.of(
          "replica_groups", "source_target_pairs", "use_global_device_ids", CONTROL_PREDECESSORS);
  private static final ImmutableSet<String> CONFIG = ImmutableSet.of("backend_config");
  private static final ImmutableSet<String> VALUE = ImmutableSet.of("value", CONTROL_PREDECESSORS);
  private static final ImmutableSet<String> CONTROL = ImmutableSet.of(CONTROL_PREDECESSORS);

  private final Syntax syntax;
  private final @Nullable DeviceGrid grid;
  private final CanonicalSink sink;
  private final CanonicalTypes types;
  private final CanonicalAttributes attributes;
  private final Map<Value, Integer> numbers = new IdentityHashMap<>();
  private final Map<String, Integer> names = new HashMap<>();

  /**
   * Creates a writer.
   *
   * @param grid the devices, to which groups are resolved; null when they are not known
   * @param symbols what to write for names of functions and other symbols
   */
  CanonicalOps(
      Syntax syntax,
      @Nullable DeviceGrid grid,
      CanonicalSink sink,
      java.util.function.Function<Attribute.Symbol, String> symbols) {
    this.syntax = syntax;
    this.grid = grid;
    this.sink = sink;
    this.types = new CanonicalTypes(sink);
    this.attributes = new CanonicalAttributes(sink, types, symbols);
  }

  CanonicalTypes types() {
    return types;
  }

  CanonicalAttributes attributes() {
    return attributes;
  }

  /** Returns the number of {@code value}, or -1 when it was not met. */
  int number(Value value) {
    return numbers.getOrDefault(value, -1);
  }

  private void define(Value value) {
    int number = numbers.size();
    numbers.put(value, number);
    if (syntax == Syntax.HLO && value.name() != null) {
      names.put(value.name(), number);
    }
    types.write(value.type());
  }

  /** Writes a block: parameters, operations, and what it gives back. */
  void block(Block block) {
    ImmutableList<Value> parameters = Function.parametersOf(block);
    sink.word("block");
    sink.number(parameters.size());
    parameters.forEach(this::define);
    for (Operation operation : block.operations()) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        // Only what it says besides its number and type: a sharding, say.
        attributes.write(operation.attributes(), ImmutableSet.of(BuiltinOps.PARAMETER_NUMBER));
      } else {
        write(operation);
      }
    }
    Operation root = block.root();
    if (root != null) {
      sink.word("root");
      root.results().forEach(this::use);
    }
  }

  /** Writes one operation with everything inside it. */
  void write(Operation operation) {
    sink.word(operation.def().name());
    sink.number(operation.operands().size());
    operation.operands().forEach(this::use);
    entries(operation);
    sink.number(operation.regions().size());
    for (Region region : operation.regions()) {
      sink.number(region.blocks().size());
      region.blocks().forEach(this::block);
    }
    sink.number(operation.results().size());
    operation.results().forEach(this::define);
  }

  /** Writes what {@code operation} is, without its operands' values and what is inside it. */
  void kind(Operation operation) {
    sink.word(operation.def().name());
    types.write(operation.operandTypes());
    entries(operation);
    sink.number(operation.regions().size());
    types.write(operation.resultTypes());
  }

  private void use(Value value) {
    Integer number = numbers.get(value);
    if (number == null) {
      sink.word("input");
      define(value);
    } else {
      sink.number(number);
    }
  }

  /** Writes the attributes of {@code operation}, with groups and configs in their meaning. */
  void entries(Operation operation) {
    Attributes written = operation.attributes();
    if (DistributedCall.target(operation) != null) {
      attributes.write(written, CONFIG);
      attributes.write(DistributedCall.entries(operation), ImmutableSet.of());
    } else if (operation.def().semantics() instanceof Semantics.Collective) {
      attributes.write(written, RESOLVED);
      groups(operation);
    } else if (operation.def().has(Trait.CONSTANT)) {
      attributes.write(written, VALUE);
      constant(written.get("value"));
    } else {
      attributes.write(written, CONTROL);
    }
    Attribute control = written.get(CONTROL_PREDECESSORS);
    if (control instanceof Attribute.Array) {
      for (Attribute name : ((Attribute.Array) control).elements()) {
        sink.word("after");
        sink.number(
            name instanceof Attribute.Symbol && !names.isEmpty()
                ? names.getOrDefault(((Attribute.Symbol) name).name(), -1)
                : -1);
      }
    }
  }

  private void constant(@Nullable Attribute value) {
    if (value instanceof Attribute.Dense) {
      sink.constant(((Attribute.Dense) value).literal());
    } else if (value != null) {
      attributes.write(value);
    }
  }

  private void groups(Operation operation) {
    for (ImmutableLongArray pair : Collectives.pairs(operation)) {
      sink.word("pair");
      pair.forEach(sink::number);
    }
    DeviceGrid devices = grid;
    if (devices != null) {
      try {
        MemberOrder order =
            syntax == Syntax.HLO ? MemberOrder.REPLICA_MAJOR : MemberOrder.PARTITION_MAJOR;
        ImmutableList<ImmutableIntArray> groups =
            ((Semantics.Collective) operation.def().semantics())
                .groups(operation, devices, order)
                .groups();
        for (ImmutableIntArray group : groups) {
          sink.word("group");
          group.forEach(sink::number);
        }
        return;
      } catch (IllegalArgumentException e) {
        // Groups that mean nothing on these devices stay as they are written.
        sink.word("unresolved");
      }
    }
    sink.word(Collectives.mode(operation).name());
    for (ImmutableLongArray group : Collectives.groups(operation).lists()) {
      sink.word("group");
      group.forEach(sink::number);
    }
  }
}
