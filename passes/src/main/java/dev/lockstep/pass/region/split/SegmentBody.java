package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the operations of one segment: those of the program in their order, and between them what
 * the program had elsewhere and the segment needs: cheap operations, tuples, tokens.
 *
 * <p>Operations keep their places and, as far as they are the same, their objects. A value that
 * comes from outside is a parameter; which one, the caller says for each use.
 */
final class SegmentBody {
  private final Flow flow;
  private final BuildScope scope;
  private final ImmutableList<Value> parameters;
  private final List<Operation> out = new ArrayList<>();
  private final Set<Value> defined = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Operation> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Leaf, Value> picked = new HashMap<>();
  private final Map<List<Object>, Value> tuples = new HashMap<>();
  private @Nullable Value freshToken;

  /**
   * Creates a body without operations.
   *
   * @param operations what the segment runs, in program order
   * @param parameters values for what comes from outside
   */
  SegmentBody(
      Flow flow, BuildScope scope, List<Operation> operations, ImmutableList<Value> parameters) {
    this.flow = flow;
    this.scope = scope;
    this.parameters = parameters;
    own.addAll(operations);
  }

  /**
   * Adds {@code operation}.
   *
   * @param sources for each of its {@link Flow#uses} the number of the parameter that it is, or -1
   */
  void add(Operation operation, ImmutableList<Integer> sources) {
    if (operation.results().stream().anyMatch(defined::contains)) {
      // A cheap operation that an earlier one needed already.
      return;
    }
    Uses uses = new Uses(operation, sources);
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operation.operands().forEach(operand -> operands.add(uses.value(flow.tree(operand))));
    Map<Value, Value> captured = new IdentityHashMap<>();
    for (Value value : Captures.of(operation)) {
      Value now = uses.value(flow.tree(value));
      if (now != value) {
        captured.put(value, now);
      }
    }
    emit(withUses(operation, operands.build(), captured));
    for (Value result : operation.results()) {
      for (Leaf leaf : Leaf.of(flow, result).leaves()) {
        if (flow.waitFor(leaf) != null) {
          given(leaf);
        }
      }
    }
  }

  private Operation withUses(
      Operation operation, ImmutableList<Value> operands, Map<Value, Value> captured) {
    Operation now =
        same(operands, operation.operands()) ? operation : operation.withOperands(operands);
    if (captured.isEmpty()) {
      return now;
    }
    ImmutableList.Builder<Region> regions = ImmutableList.builder();
    for (Region region : now.regions()) {
      ImmutableList.Builder<Block> blocks = ImmutableList.builder();
      for (Block block : region.blocks()) {
        blocks.add(Rewriter.substitute(block, scope, captured));
      }
      regions.add(new Region(blocks.build()));
    }
    return now.withRegions(regions.build());
  }

  private static boolean same(List<Value> a, List<Value> b) {
    for (int i = 0; i < a.size(); i++) {
      if (a.get(i) != b.get(i)) {
        return false;
      }
    }
    return a.size() == b.size();
  }

  private void emit(Operation operation) {
    Set<String> names = new HashSet<>();
    if (operation.attribute(ControlNames.ATTRIBUTE) != null) {
      defined.forEach(value -> names.add(String.valueOf(value.name())));
    }
    out.add(ControlNames.within(operation, names));
    defined.addAll(operation.results());
  }

  /** Returns the value of {@code leaf}, which an operation of this segment gives. */
  Value given(Leaf leaf) {
    Value known = picked.get(leaf);
    if (known != null) {
      return known;
    }
    Value raw = raw(leaf);
    Operation wait = flow.waitFor(leaf);
    Value value = raw;
    if (wait != null) {
      emit(wait.withOperands(ImmutableList.of(raw)));
      value = wait.result();
    }
    picked.put(leaf, value);
    return value;
  }

  private Value raw(Leaf leaf) {
    if (leaf.path().isEmpty()) {
      return leaf.base();
    }
    Value whole = raw(leaf.parent());
    Operation pick = flow.pick(leaf);
    if (pick != null && !defined.contains(pick.result())) {
      emit(pick.withOperands(ImmutableList.of(whole)));
      return pick.result();
    }
    if (pick != null) {
      return pick.result();
    }
    OpBuilder builder = new OpBuilder(scope).at(at(leaf));
    Value value = builder.getTupleElement(whole, leaf.path().get(leaf.path().size() - 1));
    builder.take().forEach(this::emit);
    return value;
  }

  private Operation at(Leaf leaf) {
    Operation definition = flow.definition(leaf);
    return definition == null ? flow.entry().operation() : definition;
  }

  private boolean isOwn(Leaf leaf) {
    Operation definition = flow.definition(leaf);
    return definition != null && own.contains(definition);
  }

  private Value repeated(Operation operation) {
    if (!defined.contains(operation.result())) {
      ImmutableList.Builder<Value> operands = ImmutableList.builder();
      for (Value operand : operation.operands()) {
        Leaf leaf = (Leaf) flow.tree(operand);
        operands.add(leaf.isToken() ? token(leaf) : repeated(leaf));
      }
      emit(withUses(operation, operands.build(), Map.of()));
    }
    return operation.result();
  }

  private Value repeated(Leaf leaf) {
    Operation operation = flow.repeated(leaf);
    if (operation == null) {
      throw new IllegalStateException(leaf.base() + " comes from no segment");
    }
    return repeated(operation);
  }

  /** A token orders what this segment does; what came before it is over when it starts. */
  private Value token(Leaf leaf) {
    if (isOwn(leaf)) {
      return given(leaf);
    }
    if (flow.repeated(leaf) != null) {
      return repeated(leaf);
    }
    Value token = freshToken;
    if (token == null) {
      OpBuilder builder = new OpBuilder(scope).at(at(leaf));
      token = builder.afterAll(List.of());
      builder.take().forEach(this::emit);
      freshToken = token;
    }
    return token;
  }

  private Value tuple(Tree.Group group, ImmutableList<Value> elements) {
    return tuples.computeIfAbsent(
        ImmutableList.<Object>builder().add(group).addAll(elements).build(),
        key -> {
          Operation made = withUses(group.origin(), elements, Map.of());
          Value value = made.result();
          if (defined.contains(value)) {
            String name = value.name();
            value = new Value(value.type(), name == null ? null : scope.freshName(name));
            made = made.withResults(ImmutableList.of(value));
          }
          emit(made);
          return value;
        });
  }

  /** Returns the operations. */
  ImmutableList<Operation> operations() {
    return ImmutableList.copyOf(out);
  }

  /** The uses of one operation, taken one after the other. */
  private final class Uses {
    private final Operation operation;
    private final ImmutableList<Integer> sources;
    private int next;

    Uses(Operation operation, ImmutableList<Integer> sources) {
      this.operation = operation;
      this.sources = sources;
    }

    Value value(Tree tree) {
      if (tree instanceof Tree.Group group) {
        ImmutableList.Builder<Value> elements = ImmutableList.builder();
        group.elements().forEach(element -> elements.add(value(element)));
        return tuple(group, elements.build());
      }
      Leaf leaf = (Leaf) tree;
      if (leaf.type() instanceof TupleType type) {
        if (isOwn(leaf)) {
          next += leaf.leaves().size();
          return raw(leaf);
        }
        ImmutableList.Builder<Value> elements = ImmutableList.builder();
        for (int i = 0; i < type.elements().size(); i++) {
          elements.add(value(leaf.element(i)));
        }
        OpBuilder builder = new OpBuilder(scope).at(operation);
        Value tuple = builder.tuple(elements.build());
        builder.take().forEach(SegmentBody.this::emit);
        return tuple;
      }
      int source = sources.get(next++);
      if (source >= 0) {
        return parameters.get(source);
      }
      if (leaf.isToken()) {
        return token(leaf);
      }
      if (flow.repeated(leaf) != null) {
        return repeated(leaf);
      }
      if (isOwn(leaf)) {
        return given(leaf);
      }
      if (!leaf.isTensor()) {
        throw DiagnosticException.error(
            "split-value",
            String.format(
                "a value of type %s cannot leave the segment of the operation that gives it",
                leaf.type()),
            operation.location());
      }
      throw new IllegalStateException(leaf.base() + " comes from no segment");
    }
  }
}
