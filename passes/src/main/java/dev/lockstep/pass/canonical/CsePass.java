package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.analysis.Effects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes one operation of several that compute the same. */
public final class CsePass implements Pass {
  /** The pass; it holds no state. */
  public static final CsePass INSTANCE = new CsePass();

  private static final PassInfo INFO =
      PassInfo.of(
          "cse",
          "Makes one operation of several that compute the same",
          """
          Of operations in one block with the same op, operands, attributes, bodies and result
          types, the first stays and takes the place of the others. Metadata may differ.

          Collectives never merge: that two look alike does not prove that every rank issues both,
          and dropping one changes the sequence of the group. Side effects, barriers, random numbers
          and custom calls do not merge either. replica-id and partition-id do: they differ between
          devices, but not between two places on one device.
          """);

  private CsePass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    Effects effects = new Effects(module);
    return BlockWalk.functions(module, top -> new Merge(effects, context).regions(top));
  }

  /**
   * Merges within one function. {@code replaced} maps results of dropped operations to those of the
   * survivors. Each block has a scope of its own: what stands in a body is not merged with what
   * stands around it, because bodies of some ops may not use values from outside.
   */
  private static final class Merge {
    private final Effects effects;
    private final PassContext context;
    private final Map<Value, Value> replaced = new IdentityHashMap<>();

    Merge(Effects effects, PassContext context) {
      this.effects = effects;
      this.context = context;
    }

    Operation regions(Operation operation) {
      return operation.mapBlocks(this::block);
    }

    private Block block(Block block) {
      Set<String> ordered = BlockWalk.ordered(block);
      Map<ImmutableList<Object>, Operation> seen = new HashMap<>();
      ImmutableList.Builder<Operation> kept = ImmutableList.builder();
      Operation root = block.root();
      boolean changed = false;
      for (Operation operation : block.operations()) {
        Operation current = regions(withNewOperands(operation));
        Operation first =
            mayMerge(current, ordered) ? seen.putIfAbsent(key(current), current) : null;
        if (first != null) {
          changed = true;
          context.count("operations merged", 1);
          for (int i = 0; i < current.results().size(); i++) {
            replaced.put(current.results().get(i), first.results().get(i));
          }
          root = operation == block.root() ? first : root;
          continue;
        }
        changed |= current != operation;
        root = operation == block.root() ? current : root;
        kept.add(current);
      }
      return changed ? block.withOperations(kept.build(), root) : block;
    }

    private boolean mayMerge(Operation operation, Set<String> ordered) {
      if (operation.results().isEmpty()
          || operation.attribute("control-predecessors") != null
          || !effects.mayMerge(operation)) {
        return false;
      }
      return operation.results().stream()
          .noneMatch(result -> ordered.contains(String.valueOf(result.name())));
    }

    private Operation withNewOperands(Operation operation) {
      boolean changed = false;
      ImmutableList.Builder<Value> operands = ImmutableList.builder();
      for (Value operand : operation.operands()) {
        Value now = replaced.getOrDefault(operand, operand);
        changed |= now != operand;
        operands.add(now);
      }
      return changed ? operation.withOperands(operands.build()) : operation;
    }
  }

  /** Returns what two operations must share to be one. */
  private static ImmutableList<Object> key(Operation operation) {
    List<Object> parts = new ArrayList<>();
    describe(operation, new IdentityHashMap<>(), parts);
    return ImmutableList.copyOf(parts);
  }

  /**
   * Appends what {@code operation} is. Values defined inside are described by their number in
   * {@code inner}, those from outside by themselves, whose equality is identity.
   */
  private static void describe(Operation operation, Map<Value, Integer> inner, List<Object> parts) {
    parts.add(operation.def());
    parts.add(withoutMetadata(operation.attributes()));
    parts.add(operation.resultTypes());
    for (Value operand : operation.operands()) {
      @Nullable Integer number = inner.get(operand);
      parts.add(number == null ? operand : number);
    }
    for (Region region : operation.regions()) {
      parts.add("region");
      for (Block block : region.blocks()) {
        parts.add("block");
        for (Value argument : block.arguments()) {
          parts.add(argument.type());
          inner.put(argument, inner.size());
        }
        for (Operation nested : block.operations()) {
          describe(nested, inner, parts);
          for (Value result : nested.results()) {
            inner.put(result, inner.size());
          }
        }
      }
    }
  }

  private static Attributes withoutMetadata(Attributes attributes) {
    return attributes.without("metadata");
  }
}
