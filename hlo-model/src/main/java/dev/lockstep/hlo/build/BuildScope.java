package dev.lockstep.hlo.build;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all builders in one module share while it is rewritten: its syntax, the names and channel
 * ids that are taken, and the computations to be added. Used by one thread, for one rewrite.
 */
public final class BuildScope {
  private final Module module;
  private final Set<String> names = new HashSet<>();
  private final Map<String, Integer> suffixes = new HashMap<>();
  private final List<Operation> added = new ArrayList<>();
  private final Map<String, String> reducers = new HashMap<>();
  private long lastChannel;

  private BuildScope(Module module) {
    this.module = module;
  }

  /** Returns a scope that knows what is taken in {@code module}. */
  public static BuildScope of(Module module) {
    BuildScope scope = new BuildScope(module);
    module.operations().forEach(operation -> operation.walk(scope::collect));
    return scope;
  }

  private void collect(Operation operation) {
    if (operation.attribute(BuiltinOps.SYM_NAME) instanceof Attribute.Str name) {
      names.add(name.value());
    }
    collectChannel(operation);
    if (module.syntax() == Syntax.HLO) {
      for (Value result : operation.results()) {
        if (result.name() != null) {
          names.add(result.name());
        }
      }
    }
  }

  private void collectChannel(Operation operation) {
    Attribute channel = operation.attribute("channel_id");
    if (operation.attribute("channel_handle") instanceof Attribute.Struct handle) {
      channel = handle.fields().get("handle");
    }
    if (channel instanceof Attribute.Int number) {
      lastChannel = Math.max(lastChannel, number.value());
    }
  }

  /** Returns the module as it was when the scope was made. */
  public Module module() {
    return module;
  }

  /** Returns the syntax to build in. */
  public Syntax syntax() {
    return module.syntax();
  }

  /** Returns whether the syntax is HLO text. */
  public boolean isHlo() {
    return module.syntax() == Syntax.HLO;
  }

  /** Returns a name that nothing in the module has: {@code base}, or {@code base.N}. */
  public String freshName(String base) {
    String name = base;
    while (!names.add(name)) {
      name = base + "." + suffixes.merge(base, 1, Integer::sum);
    }
    return name;
  }

  /** Returns a channel id above all that were used. */
  public long freshChannel() {
    return ++lastChannel;
  }

  /**
   * Returns the name of an HLO computation that joins two scalars: one that the module has, or a
   * new one that {@link #finish} adds.
   */
  public String reducer(ReductionKind kind, ElementType element) {
    checkState(isHlo(), "StableHLO has reducers in regions");
    return reducers.computeIfAbsent(
        kind + " " + element,
        key -> {
          String existing = existingReducer(kind, element);
          return existing != null ? existing : newReducer(kind, element);
        });
  }

  private @Nullable String existingReducer(ReductionKind kind, ElementType element) {
    for (Function function : module.functions()) {
      Block body = function.body();
      if (body.operations().size() == 3
          && ReductionKind.of(body) == kind
          && body.returned().get(0).type().isSameShape(TensorType.of(element))
          && Function.parametersOf(body).get(0).type().isSameShape(TensorType.of(element))) {
        return function.name();
      }
    }
    return null;
  }

  private String newReducer(ReductionKind kind, ElementType element) {
    String opcode = kind.def().shortName();
    String name = freshName(opcode + "_" + element.hloName());
    TensorType type = TensorType.of(element);
    Operation left = parameter(type, 0, "lhs");
    Operation right = parameter(type, 1, "rhs");
    Operation root =
        new Operation(
            kind.def(),
            ImmutableList.of(left.result(), right.result()),
            ImmutableList.of(new Value(type, freshName(opcode))),
            Attributes.EMPTY,
            ImmutableList.of(),
            Location.UNKNOWN,
            null);
    addComputation(
        name,
        new Block(
            ImmutableList.of(), ImmutableList.of(left, right, root), root, ImmutableList.of()));
    return name;
  }

  private Operation parameter(TensorType type, int number, String base) {
    return new Operation(
        BuiltinOps.PARAMETER,
        ImmutableList.of(),
        ImmutableList.of(new Value(type, freshName(base))),
        Attributes.of(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(number)),
        ImmutableList.of(),
        Location.UNKNOWN,
        null);
  }

  /** Adds an HLO computation, before everything that the module has and after those added. */
  public void addComputation(String name, Block body) {
    addFunction(
        new Operation(
            BuiltinOps.FUNC,
            ImmutableList.of(),
            ImmutableList.of(),
            Attributes.of(BuiltinOps.SYM_NAME, Attribute.Str.of(name)),
            ImmutableList.of(Region.of(body)),
            Location.UNKNOWN,
            null));
  }

  /** Adds a function: in HLO before all that the module has, in MLIR after it. */
  public void addFunction(Operation function) {
    added.add(function);
  }

  /** Returns {@code rewritten} with what was added; the same object when nothing was. */
  public Module finish(Module rewritten) {
    if (added.isEmpty()) {
      return rewritten;
    }
    ImmutableList.Builder<Operation> all = ImmutableList.builder();
    if (isHlo()) {
      all.addAll(added).addAll(rewritten.operations());
    } else {
      all.addAll(rewritten.operations()).addAll(added);
    }
    added.clear();
    return rewritten.withOperations(all.build());
  }
}
