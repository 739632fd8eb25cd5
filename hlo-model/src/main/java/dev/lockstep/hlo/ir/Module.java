package dev.lockstep.hlo.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A program: what one text or proto holds. Immutable.
 *
 * <p>Its operations are functions (computations in HLO, in textual order, so callees come first)
 * and whatever else stands at the top level in MLIR, such as {@code sdy.mesh}. In HLO the
 * attributes are the header's, in the order written, and the tables of files and stack frames.
 */
public final class Module {
  /** HLO header attribute: number of replicas. */
  public static final String REPLICA_COUNT = "replica_count";

  /** HLO header attribute: number of partitions. */
  public static final String NUM_PARTITIONS = "num_partitions";

  /** StableHLO module attribute: number of replicas. */
  public static final String MHLO_NUM_REPLICAS = "mhlo.num_replicas";

  /** StableHLO module attribute: number of partitions. */
  public static final String MHLO_NUM_PARTITIONS = "mhlo.num_partitions";

  private final Syntax syntax;
  private final @Nullable String name;
  private final Attributes attributes;
  private final ImmutableList<Operation> operations;
  private final @Nullable String entry;
  private final Location location;
  private final @Nullable Attribute debugLocation;
  private @Nullable Map<String, Function> functionsByName;

  /**
   * Creates a module.
   *
   * @param syntax the syntax it prints as
   * @param name its name, or null when MLIR text gave none
   * @param attributes header or module attributes
   * @param operations top-level operations
   * @param entry name of HLO's ENTRY computation; null in MLIR
   * @param location the whole text
   * @param debugLocation MLIR location of the module, or null
   */
  public Module(
      Syntax syntax,
      @Nullable String name,
      Attributes attributes,
      ImmutableList<Operation> operations,
      @Nullable String entry,
      Location location,
      @Nullable Attribute debugLocation) {
    this.syntax = requireNonNull(syntax);
    this.name = name;
    this.attributes = requireNonNull(attributes);
    this.operations = requireNonNull(operations);
    this.entry = entry;
    this.location = requireNonNull(location);
    this.debugLocation = debugLocation;
  }

  /** Returns the syntax this module was written in and prints as. */
  public Syntax syntax() {
    return syntax;
  }

  /** Returns the name, or null. */
  public @Nullable String name() {
    return name;
  }

  /** Returns the header or module attributes. */
  public Attributes attributes() {
    return attributes;
  }

  /** Returns the top-level operations in order. */
  public ImmutableList<Operation> operations() {
    return operations;
  }

  /** Returns the name of HLO's ENTRY computation, or null in MLIR. */
  public @Nullable String entry() {
    return entry;
  }

  /** Returns the place of the whole module. */
  public Location location() {
    return location;
  }

  /** Returns the MLIR location, or null. */
  public @Nullable Attribute debugLocation() {
    return debugLocation;
  }

  /** Returns the functions in order. */
  public ImmutableList<Function> functions() {
    ImmutableList.Builder<Function> out = ImmutableList.builder();
    for (Operation operation : operations) {
      if (operation.is(BuiltinOps.FUNC)) {
        out.add(new Function(operation));
      }
    }
    return out.build();
  }

  /** Returns the function called {@code functionName}. */
  public Optional<Function> function(String functionName) {
    Map<String, Function> index = functionsByName;
    if (index == null) {
      index = new HashMap<>();
      for (Function function : functions()) {
        index.putIfAbsent(function.name(), function);
      }
      functionsByName = index;
    }
    return Optional.ofNullable(index.get(functionName));
  }

  /**
   * Returns the function where execution starts, which has a body: ENTRY in HLO; in MLIR {@code
   * main}, else the only function with a body, else the only one of these that is not private.
   */
  public Optional<Function> entryFunction() {
    Optional<Function> named = function(entry == null ? "main" : entry);
    if (entry != null || named.isPresent()) {
      return named.filter(function -> !function.isDeclaration());
    }
    ImmutableList<Function> all =
        functions().stream()
            .filter(function -> !function.isDeclaration())
            .collect(ImmutableList.toImmutableList());
    if (all.size() == 1) {
      return Optional.of(all.get(0));
    }
    ImmutableList<Function> visible =
        all.stream()
            .filter(f -> f.operation().attribute(BuiltinOps.SYM_VISIBILITY) == null)
            .collect(ImmutableList.toImmutableList());
    return visible.size() == 1 ? Optional.of(visible.get(0)) : Optional.empty();
  }

  /**
   * Returns the function where execution starts.
   *
   * @throws DiagnosticException with the code {@code no-entry} if there is none
   */
  public Function requireEntry() {
    return entryFunction()
        .orElseThrow(
            () ->
                DiagnosticException.error(
                    "no-entry",
                    syntax == Syntax.HLO
                        ? "the program has no ENTRY computation"
                        : "the program has no function to start at; call it main",
                    location));
  }

  /** Returns the number of replicas that the module states; absent means unknown, not one. */
  public OptionalInt replicas() {
    return count(syntax == Syntax.HLO ? REPLICA_COUNT : MHLO_NUM_REPLICAS);
  }

  /** Returns the number of partitions that the module states; absent means unknown, not one. */
  public OptionalInt partitions() {
    return count(syntax == Syntax.HLO ? NUM_PARTITIONS : MHLO_NUM_PARTITIONS);
  }

  private OptionalInt count(String attribute) {
    Attribute value = attributes.get(attribute);
    return value instanceof Attribute.Int
        ? OptionalInt.of(Math.toIntExact(((Attribute.Int) value).value()))
        : OptionalInt.empty();
  }

  /** Returns this module with the given counts where it states none; this object when it does. */
  public Module withCounts(OptionalInt newReplicas, OptionalInt newPartitions) {
    boolean isHlo = syntax == Syntax.HLO;
    Attributes out = attributes;
    if (replicas().isEmpty() && newReplicas.isPresent()) {
      out = out.with(isHlo ? REPLICA_COUNT : MHLO_NUM_REPLICAS, stated(newReplicas.getAsInt()));
    }
    if (partitions().isEmpty() && newPartitions.isPresent()) {
      out =
          out.with(isHlo ? NUM_PARTITIONS : MHLO_NUM_PARTITIONS, stated(newPartitions.getAsInt()));
    }
    return out == attributes ? this : withAttributes(out);
  }

  private Attribute stated(int count) {
    return syntax == Syntax.HLO ? Attribute.Int.untyped(count) : Attribute.Int.i32(count);
  }

  /** Returns this module with other top-level operations. */
  public Module withOperations(ImmutableList<Operation> newOperations) {
    return new Module(syntax, name, attributes, newOperations, entry, location, debugLocation);
  }

  /** Returns this module with other attributes. */
  public Module withAttributes(Attributes newAttributes) {
    return new Module(syntax, name, newAttributes, operations, entry, location, debugLocation);
  }

  /**
   * Shows {@code visitor} every operation in the functions, those of inner regions after theirs.
   */
  public void walk(Consumer<Operation> visitor) {
    for (Function function : functions()) {
      if (!function.isDeclaration()) {
        for (Block block : function.operation().regions().get(0).blocks()) {
          block.operations().forEach(operation -> operation.walk(visitor));
        }
      }
    }
  }

  /**
   * Returns this module with every function that has a body replaced by what {@code change} makes
   * of it; this object when nothing changed.
   */
  public Module mapFunctions(UnaryOperator<Function> change) {
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    boolean changed = false;
    for (Operation operation : operations) {
      Operation now = operation;
      if (operation.is(BuiltinOps.FUNC)) {
        Function function = new Function(operation);
        if (!function.isDeclaration()) {
          now = change.apply(function).operation();
        }
      }
      changed |= now != operation;
      out.add(now);
    }
    return changed ? withOperations(out.build()) : this;
  }

  /**
   * Returns this module with the function where execution starts replaced by what {@code change}
   * makes of it; this object when nothing changed, or when there is none.
   */
  public Module mapEntry(UnaryOperator<Function> change) {
    Operation entry = entryFunction().map(Function::operation).orElse(null);
    return mapFunctions(
        function -> function.operation() == entry ? change.apply(function) : function);
  }
}
