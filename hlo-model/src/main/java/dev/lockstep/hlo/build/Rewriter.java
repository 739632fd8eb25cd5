package dev.lockstep.hlo.build;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Goes through a program operation by operation and asks a {@link Rule} what becomes of each; uses
 * of replaced values follow by themselves. Whatever nothing happened to stays the same object, up
 * to the whole module.
 *
 * <p>Operations are seen in program order, those in regions before the operation that holds them.
 * Functions and modules themselves are not shown to the rule; their bodies are.
 */
public final class Rewriter {

  /** Decides about one operation. */
  public interface Rule {
    /**
     * Returns what stands for the results of {@code operation} from now on, one value a result, or
     * null to keep the operation. What was built is inserted in its place, before it if it is kept.
     *
     * @param operation the operation, already with replaced operands and rewritten regions
     * @param builder builds in the place of {@code operation}
     */
    @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder);
  }

  private final BuildScope scope;
  private final Rule rule;
  private final Map<Value, Value> replaced = new HashMap<>();

  private Rewriter(BuildScope scope, Rule rule) {
    this.scope = scope;
    this.rule = rule;
  }

  /** Returns {@code module} rewritten; the same object when no rule applied. */
  public static Module rewrite(Module module, Rule rule) {
    return rewrite(module, BuildScope.of(module), rule);
  }

  /**
   * Returns {@code module} rewritten with what {@code scope} has to add; the same object when
   * nothing happened.
   */
  public static Module rewrite(Module module, BuildScope scope, Rule rule) {
    Rewriter rewriter = new Rewriter(scope, rule);
    ImmutableList<Operation> operations = rewriter.nested(module.operations());
    Module rewritten =
        operations == module.operations() ? module : module.withOperations(operations);
    return scope.finish(rewritten);
  }

  /** Returns {@code block} rewritten, and the same object when no rule applied. */
  public static Block rewrite(Block block, BuildScope scope, Rule rule) {
    return new Rewriter(scope, rule).block(block);
  }

  /** Returns {@code block} with uses of the keys of {@code values} replaced, regions included. */
  public static Block substitute(Block block, BuildScope scope, Map<Value, Value> values) {
    Rewriter rewriter = new Rewriter(scope, (operation, builder) -> null);
    rewriter.replaced.putAll(values);
    return rewriter.block(block);
  }

  private ImmutableList<Operation> nested(ImmutableList<Operation> operations) {
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    boolean changed = false;
    for (Operation operation : operations) {
      boolean holdsCode = operation.is(BuiltinOps.MODULE) || operation.is(BuiltinOps.FUNC);
      Operation now = holdsCode ? withRegions(operation) : operation;
      changed |= now != operation;
      out.add(now);
    }
    return changed ? out.build() : operations;
  }

  private Operation withRegions(Operation operation) {
    return operation.mapBlocks(this::block);
  }

  private Block block(Block block) {
    List<Operation> out = new ArrayList<>();
    Operation root = block.root();
    Operation newRoot = root;
    boolean changed = false;
    Map<String, String> renamed = new HashMap<>();
    for (Operation operation : block.operations()) {
      if (operation.is(BuiltinOps.FUNC) || operation.is(BuiltinOps.MODULE)) {
        Operation now = withRegions(operation);
        changed |= now != operation;
        out.add(now);
        continue;
      }
      OpBuilder builder = new OpBuilder(scope).at(operation);
      Operation current = withOperands(withRegions(operation));
      ImmutableList<Value> values = rule.rewrite(current, builder);
      ImmutableList<Operation> built = builder.take();
      out.addAll(built);
      if (values == null) {
        changed |= current != operation || !built.isEmpty();
        out.add(current);
        if (operation == root) {
          newRoot = current;
        }
        continue;
      }
      changed = true;
      replace(operation, values, renamed);
      if (operation == root) {
        newRoot = null;
      }
    }
    if (!changed) {
      return block;
    }
    ImmutableList<Operation> operations = ControlOrder.renamed(out, renamed);
    if (root == null) {
      return block.withOperations(operations, null);
    }
    Value returned = newRoot == null ? find(root.result()) : newRoot.result();
    return block.withOperations(operations, definition(operations, returned));
  }

  private void replace(
      Operation operation, ImmutableList<Value> values, Map<String, String> renamed) {
    checkState(
        values.size() == operation.results().size(),
        "%s has %s results and %s replacements",
        operation,
        operation.results().size(),
        values.size());
    for (int i = 0; i < values.size(); i++) {
      Value old = operation.results().get(i);
      Value now = find(values.get(i));
      if (old == now) {
        continue;
      }
      replaced.put(old, now);
      if (scope.isHlo() && old.name() != null && now.name() != null) {
        renamed.put(old.name(), now.name());
      }
    }
  }

  private static Operation definition(ImmutableList<Operation> operations, Value value) {
    for (Operation operation : operations) {
      if (operation.results().contains(value)) {
        return operation;
      }
    }
    throw new IllegalStateException(value + " replaced ROOT but is not in its computation");
  }

  /** Returns what stands for {@code value}, following replacements of replacements. */
  private Value find(Value value) {
    Value now = value;
    Value next = replaced.get(now);
    while (next != null) {
      now = next;
      next = replaced.get(now);
    }
    return now;
  }

  private Operation withOperands(Operation operation) {
    ImmutableList<Value> operands = operation.operands();
    for (Value operand : operands) {
      if (replaced.containsKey(operand)) {
        ImmutableList.Builder<Value> out = ImmutableList.builder();
        for (Value old : operands) {
          out.add(find(old));
        }
        return operation.withOperands(out.build());
      }
    }
    return operation;
  }
}
