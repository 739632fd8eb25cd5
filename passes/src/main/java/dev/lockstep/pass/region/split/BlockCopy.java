package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** Copies code with new values, so that it may stand in a module twice. Names stay fresh in HLO. */
final class BlockCopy {
  private final BuildScope scope;
  private final Map<Value, Value> values = new IdentityHashMap<>();
  private final Map<String, String> names = new HashMap<>();

  BlockCopy(BuildScope scope) {
    this.scope = scope;
  }

  /** Says what stands for {@code old} in the copy. */
  void put(Value old, Value now) {
    values.put(old, now);
  }

  /** Returns what stands for {@code old} in the copy. */
  ImmutableList<Value> of(ImmutableList<Value> old) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    old.forEach(value -> out.add(values.getOrDefault(value, value)));
    return out.build();
  }

  Operation of(Operation operation) {
    ImmutableList.Builder<Region> regions = ImmutableList.builder();
    for (Region region : operation.regions()) {
      ImmutableList.Builder<Block> blocks = ImmutableList.builder();
      region.blocks().forEach(block -> blocks.add(of(block)));
      regions.add(new Region(blocks.build()));
    }
    Operation copied =
        operation
            .withOperands(of(operation.operands()))
            .withRegions(regions.build())
            .withResults(fresh(operation.results()));
    return copied.attribute(ControlNames.ATTRIBUTE) instanceof Attribute.Array
        ? ControlNames.renamed(copied, names)
        : copied;
  }

  Block of(Block block) {
    ImmutableList<Value> arguments = fresh(block.arguments());
    ImmutableList.Builder<Operation> operations = ImmutableList.builder();
    Operation root = null;
    for (Operation inner : block.operations()) {
      Operation copied = of(inner);
      root = inner == block.root() ? copied : root;
      operations.add(copied);
    }
    return new Block(arguments, operations.build(), root, block.argumentLocations());
  }

  private ImmutableList<Value> fresh(ImmutableList<Value> old) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value value : old) {
      String name = value.name();
      Value copied =
          new Value(value.type(), name == null || !scope.isHlo() ? name : scope.freshName(name));
      if (name != null && copied.name() != null) {
        names.put(name, copied.name());
      }
      values.put(value, copied);
      out.add(copied);
    }
    return out.build();
  }
}
