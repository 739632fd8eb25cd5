package dev.lockstep.hlo.shard;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.shard.SdySharding.Cut;
import dev.lockstep.hlo.shard.SdySharding.SubAxis;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What rules about Shardy's words look up in a module. */
final class ShardyFacts {
  /**
   * Where a value comes from.
   *
   * @param operation the operation that gives it, or whose block takes it
   * @param index its number among these
   * @param isResult whether the operation gives it
   */
  record Origin(Operation operation, int index, boolean isResult) {}

  private final Map<Operation, Operation> parents = new IdentityHashMap<>();
  private final Map<Value, Origin> origins = new IdentityHashMap<>();
  private final Map<Value, Integer> uses = new IdentityHashMap<>();
  private final Map<@Nullable Operation, Map<String, DeviceMesh>> meshes = new IdentityHashMap<>();
  private final Set<String> malformed = new HashSet<>();

  ShardyFacts(Module module) {
    for (Operation operation : module.operations()) {
      add(operation, null);
    }
  }

  private void add(Operation operation, @Nullable Operation parent) {
    if (parent != null) {
      parents.put(operation, parent);
    }
    mesh(operation, parent);
    for (Value operand : operation.operands()) {
      uses.merge(operand, 1, Integer::sum);
    }
    for (int i = 0; i < operation.results().size(); i++) {
      origins.put(operation.results().get(i), new Origin(operation, i, true));
    }
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        for (int i = 0; i < block.arguments().size(); i++) {
          origins.put(block.arguments().get(i), new Origin(operation, i, false));
        }
        block.operations().forEach(inner -> add(inner, operation));
      }
    }
  }

  private void mesh(Operation operation, @Nullable Operation parent) {
    if (operation.attribute("mesh") instanceof Attribute.Raw mesh
        && operation.attribute(BuiltinOps.SYM_NAME) instanceof Attribute.Str name) {
      try {
        meshes
            .computeIfAbsent(parent, module -> new HashMap<>())
            .put(name.value(), DeviceMesh.parse(mesh.text()));
      } catch (IllegalArgumentException | ArithmeticException e) {
        // The rule of the op that holds the mesh says so.
        malformed.add(name.value());
      }
    }
  }

  /**
   * Returns the mesh of {@code sharding}, which stands on {@code operation}; null where that mesh
   * is itself wrong.
   *
   * @throws IllegalArgumentException if there is none
   */
  @Nullable DeviceMesh mesh(SdySharding sharding, Operation operation) {
    String symbol = sharding.symbol();
    if (symbol == null) {
      return sharding.mesh();
    }
    Operation module = parents.get(operation);
    while (module != null && !module.is(BuiltinOps.MODULE)) {
      module = parents.get(module);
    }
    DeviceMesh found = meshes.getOrDefault(module, Map.of()).get(symbol);
    if (found == null && !malformed.contains(symbol)) {
      throw new IllegalArgumentException("there is no mesh @" + symbol);
    }
    return found;
  }

  /** Returns the operation in whose region {@code operation} stands, or null. */
  @Nullable Operation parent(Operation operation) {
    return parents.get(operation);
  }

  /** Returns where {@code value} comes from, or null. */
  @Nullable Origin origin(Value value) {
    return origins.get(value);
  }

  /** Returns how often {@code value} is an operand. */
  int uses(Value value) {
    return uses.getOrDefault(value, 0);
  }

  /**
   * Returns the sharding that the text gives {@code value}, or null where it gives none.
   *
   * @throws IllegalArgumentException if that is malformed
   */
  @Nullable SdySharding sharding(Value value) {
    Origin origin = origins.get(value);
    if (origin == null) {
      return null;
    }
    Operation operation = origin.operation();
    if (origin.isResult()) {
      Attributes attributes = operation.attributes();
      for (String name : new String[] {"out_sharding", "sharding"}) {
        if (attributes.get(name) instanceof Attribute.Raw raw) {
          return SdySharding.parse(raw.text());
        }
      }
      String list =
          ShardingAttributes.text(
              attributes.has("out_shardings")
                  ? attributes.get("out_shardings")
                  : attributes.get("sdy.sharding"));
      return entry(list, origin.index());
    }
    if (operation.is(BuiltinOps.FUNC)) {
      Attribute each =
          operation.attribute(BuiltinOps.ARG_ATTRS) instanceof Attribute.Array all
                  && origin.index() < all.elements().size()
              ? all.elements().get(origin.index())
              : null;
      String text =
          each instanceof Attribute.Dict dict
              ? ShardingAttributes.text(dict.entries().get("sdy.sharding"))
              : null;
      return text == null ? null : SdySharding.parse(text);
    }
    SdySharding outside =
        entry(ShardingAttributes.text(operation.attribute("in_shardings")), origin.index());
    return outside == null ? null : inside(outside, ShardingAttributes.manualAxes(operation));
  }

  private static @Nullable SdySharding entry(@Nullable String list, int index) {
    if (list == null) {
      return null;
    }
    ImmutableList<SdySharding> all = SdySharding.parseList(list);
    return index < all.size() ? all.get(index) : null;
  }

  /** Returns what is left of {@code sharding} where its manual axes have done their work. */
  private static SdySharding inside(SdySharding sharding, ImmutableList<String> manual) {
    Predicate<SubAxis> stays = axis -> !manual.contains(axis.axis());
    ImmutableList.Builder<Cut> cuts = ImmutableList.builder();
    for (Cut cut : sharding.cuts()) {
      cuts.add(new Cut(only(cut.axes(), stays), cut.open(), cut.priority()));
    }
    return new SdySharding(
        sharding.mesh(),
        sharding.symbol(),
        cuts.build(),
        only(sharding.replicated(), stays),
        only(sharding.unreduced(), stays),
        sharding.combine());
  }

  private static ImmutableList<SubAxis> only(
      ImmutableList<SubAxis> axes, Predicate<SubAxis> which) {
    return axes.stream().filter(which).collect(ImmutableList.toImmutableList());
  }
}
