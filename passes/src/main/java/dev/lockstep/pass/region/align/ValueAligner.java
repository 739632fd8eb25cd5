package dev.lockstep.pass.region.align;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what corresponds within blocks: from the operations that must keep their order, and from
 * what blocks give back, along operands.
 *
 * <p>Names, places and the order of independent operations play no part, and an operation that one
 * rank shares between two users may be two on another.
 */
final class ValueAligner {
  /** Operations that give values which correspond, and which of their results those are. */
  private record Source(ImmutableList<Operation> operations, int index) {}

  private final ImmutableList<Definitions> definitions;
  private final Partings partings;
  private final Bodies bodies;
  private final Views views;
  private final Map<ImmutableList<Value>, Source> sources = new HashMap<>();

  /** Aligns the code that operations run. */
  interface Bodies {
    /** Returns the functions that {@code operations} run, in order. */
    ImmutableList<AlignedFunction> callees(ImmutableList<Operation> operations);
  }

  ValueAligner(ImmutableList<Definitions> definitions, Partings partings, Bodies bodies) {
    this.definitions = definitions;
    this.partings = partings;
    this.bodies = bodies;
    this.views = new Views(definitions);
  }

  /** Returns {@code blocks} side by side. */
  AlignedBlock block(ImmutableList<Block> blocks, @Nullable Scope outer, Location place) {
    ImmutableList.Builder<AlignedValue> arguments = ImmutableList.builder();
    int count = blocks.get(0).arguments().size();
    for (int i = 0; i < count; i++) {
      ImmutableList.Builder<Value> values = ImmutableList.builder();
      for (Block block : blocks) {
        if (block.arguments().size() != count) {
          throw partings.differ("repair-arguments", counts(blocks), repeated(place, blocks.size()));
        }
        values.add(block.arguments().get(i));
      }
      arguments.add(typed(new AlignedValue(values.build()), place));
    }
    AlignedBlock aligned = new AlignedBlock(blocks, arguments.build());
    Scope scope = new Scope(aligned, outer);
    aligned.arguments().forEach(scope::argument);
    parameters(blocks, scope);
    anchors(blocks, scope);
    if (blocks.get(0).root() != null) {
      ImmutableList.Builder<Value> roots = ImmutableList.builder();
      blocks.forEach(block -> roots.add(requireNonNull(block.root()).result()));
      aligned.setRoot(value(roots.build(), scope, place));
    }
    return aligned;
  }

  private static List<String> counts(ImmutableList<Block> blocks) {
    List<String> words = new ArrayList<>();
    blocks.forEach(
        block -> words.add(RankText.counted(Function.parametersOf(block).size(), "argument")));
    return words;
  }

  private static ImmutableList<Location> repeated(Location place, int count) {
    return ImmutableList.copyOf(Collections.nCopies(count, place));
  }

  /** Makes HLO's parameters correspond by their numbers, used or not. */
  private void parameters(ImmutableList<Block> blocks, Scope scope) {
    for (Operation operation : blocks.get(0).operations()) {
      if (!operation.is(BuiltinOps.PARAMETER)) {
        continue;
      }
      ImmutableList.Builder<Operation> operations = ImmutableList.builder();
      for (int k = 0; k < blocks.size(); k++) {
        Operation same = parameter(blocks.get(k), operation);
        if (same == null) {
          throw partings.differ(
              "repair-arguments", counts(blocks), repeated(operation.location(), blocks.size()));
        }
        operations.add(same);
      }
      finish(operations.build(), ImmutableList.of(), scope);
    }
    List<String> words = counts(blocks);
    if (words.stream().distinct().count() > 1) {
      Location place = blocks.get(0).operations().get(0).location();
      throw partings.differ("repair-arguments", words, repeated(place, blocks.size()));
    }
  }

  private static @Nullable Operation parameter(Block block, Operation model) {
    for (Operation operation : block.operations()) {
      if (operation.is(BuiltinOps.PARAMETER)
          && requireNonNull(operation.attribute(BuiltinOps.PARAMETER_NUMBER))
              .equals(model.attribute(BuiltinOps.PARAMETER_NUMBER))) {
        return operation;
      }
    }
    return null;
  }

  private void anchors(ImmutableList<Block> blocks, Scope scope) {
    List<ImmutableList<Operation>> all = new ArrayList<>();
    int most = 0;
    for (int k = 0; k < blocks.size(); k++) {
      ImmutableList<Operation> anchors = definitions.get(k).anchors(blocks.get(k));
      all.add(anchors);
      most = Math.max(most, anchors.size());
    }
    for (int i = 0; i < most; i++) {
      List<@Nullable Operation> row = new ArrayList<>();
      for (ImmutableList<Operation> anchors : all) {
        row.add(i < anchors.size() ? anchors.get(i) : null);
      }
      if (row.contains(null) || row.stream().map(ValueAligner::kindOf).distinct().count() > 1) {
        throw partings.operations(row, Location.UNKNOWN);
      }
      ImmutableList.Builder<Operation> operations = ImmutableList.builder();
      row.forEach(operation -> operations.add(requireNonNull(operation)));
      operation(operations.build(), scope);
    }
  }

  private static Object kindOf(@Nullable Operation operation) {
    return Definitions.kind(requireNonNull(operation));
  }

  private AlignedValue value(ImmutableList<Value> values, Scope scope, Location use) {
    AlignedValue argument = scope.findArgument(values);
    if (argument != null) {
      return argument;
    }
    Source source = source(values, repeated(use, values.size()));
    return operation(source.operations(), scope).results().get(source.index());
  }

  /** Returns {@code root} side by side, after all that it needs. */
  private AlignedOp operation(ImmutableList<Operation> root, Scope scope) {
    // A stack of our own: chains of operations are far longer than Java's stack is deep.
    Deque<ImmutableList<Operation>> stack = new ArrayDeque<>();
    stack.push(root);
    while (true) {
      ImmutableList<Operation> operations = stack.getFirst();
      AlignedOp known = scope.find(operations);
      if (known != null) {
        stack.pop();
        if (stack.isEmpty()) {
          return known;
        }
        continue;
      }
      if (operations != root) {
        checkMayStandAnywhere(operations);
      }
      int waiting = stack.size();
      ImmutableList.Builder<AlignedValue> operands = ImmutableList.builder();
      int count = operandCount(operations);
      for (int i = 0; i < count; i++) {
        AlignedValue found = operand(operations, i, scope, stack);
        if (found != null) {
          operands.add(found);
        }
      }
      if (stack.size() == waiting) {
        finish(operations, operands.build(), scope);
      }
    }
  }

  /** Returns an operand that is known, or puts what gives it on the stack. */
  private @Nullable AlignedValue operand(
      ImmutableList<Operation> operations,
      int index,
      Scope scope,
      Deque<ImmutableList<Operation>> stack) {
    ImmutableList.Builder<Value> collected = ImmutableList.builder();
    operations.forEach(operation -> collected.add(operation.operand(index)));
    ImmutableList<Value> values = collected.build();
    AlignedValue argument = scope.findArgument(values);
    if (argument != null) {
      return argument;
    }
    Source source = source(values, locations(operations));
    AlignedOp known = scope.find(source.operations());
    if (known == null) {
      stack.push(source.operations());
      return null;
    }
    return known.results().get(source.index());
  }

  private int operandCount(ImmutableList<Operation> operations) {
    int count = operations.get(0).operands().size();
    for (Operation operation : operations) {
      if (operation.operands().size() != count) {
        List<String> words = new ArrayList<>();
        List<Location> places = new ArrayList<>();
        for (Operation one : operations) {
          words.add(
              one.def().shortName() + " of " + RankText.counted(one.operands().size(), "operand"));
          places.add(one.location());
        }
        throw partings.differ("repair-operand", words, places, Partings.SPLIT);
      }
    }
    return count;
  }

  /** Operations with an order of their own correspond by that order or not at all. */
  private void checkMayStandAnywhere(ImmutableList<Operation> operations) {
    for (int k = 0; k < operations.size(); k++) {
      if (definitions.get(k).isAnchor(operations.get(k))) {
        ImmutableList.Builder<Value> values = ImmutableList.builder();
        operations.forEach(operation -> values.add(operation.results().get(0)));
        throw partings.values(values.build(), locations(operations));
      }
    }
  }

  private static ImmutableList<Location> locations(ImmutableList<Operation> operations) {
    return operations.stream().map(Operation::location).collect(ImmutableList.toImmutableList());
  }

  private Source source(ImmutableList<Value> values, List<Location> uses) {
    Source known = sources.get(values);
    if (known != null) {
      return known;
    }
    ImmutableList.Builder<Operation> operations = ImmutableList.builder();
    Operation first = definitions.get(0).definer(values.get(0));
    int index = first == null ? 0 : first.results().indexOf(values.get(0));
    boolean same = first != null;
    for (int k = 0; k < values.size() && same; k++) {
      Operation definer = definitions.get(k).definer(values.get(k));
      same =
          definer != null
              && Definitions.kind(definer).equals(Definitions.kind(requireNonNull(first)))
              && definer.results().indexOf(values.get(k)) == index;
      if (definer != null) {
        operations.add(definer);
      }
    }
    ImmutableList<Operation> found = same ? operations.build() : views.complete(values);
    if (found == null) {
      throw partings.values(values, uses);
    }
    Source source = new Source(found, same ? index : 0);
    sources.put(values, source);
    return source;
  }

  private void finish(
      ImmutableList<Operation> operations, ImmutableList<AlignedValue> operands, Scope scope) {
    Operation base = operations.get(0);
    Definitions.Place place = definitions.get(0).place(base);
    Scope home = scope.of(place.block());
    ImmutableList.Builder<AlignedValue> results = ImmutableList.builder();
    for (int i = 0; i < base.results().size(); i++) {
      ImmutableList.Builder<Value> values = ImmutableList.builder();
      for (Operation operation : operations) {
        if (operation.results().size() != base.results().size()) {
          throw partings.values(
              operations.stream()
                  .map(it -> it.results().get(0))
                  .collect(ImmutableList.toImmutableList()),
              locations(operations));
        }
        values.add(operation.results().get(i));
      }
      results.add(typed(new AlignedValue(values.build()), base.location()));
    }
    home.add(
        new AlignedOp(
            operations,
            operands,
            results.build(),
            regions(operations, scope),
            bodies.callees(operations),
            place.position()));
  }

  private ImmutableList<AlignedBlock> regions(ImmutableList<Operation> operations, Scope scope) {
    Operation base = operations.get(0);
    ImmutableList.Builder<AlignedBlock> out = ImmutableList.builder();
    for (int r = 0; r < base.regions().size(); r++) {
      ImmutableList.Builder<Block> blocks = ImmutableList.builder();
      for (Operation operation : operations) {
        if (operation.regions().size() != base.regions().size()
            || operation.regions().get(r).blocks().size() != 1) {
          throw partings.operations(new ArrayList<>(operations), base.location());
        }
        blocks.add(operation.regions().get(r).entry());
      }
      out.add(block(blocks.build(), scope, base.location()));
    }
    return out.build();
  }

  private AlignedValue typed(AlignedValue value, Location place) {
    if (!TypeShapes.correspond(value.values())) {
      List<String> words = new ArrayList<>();
      List<Location> places = new ArrayList<>();
      for (int k = 0; k < value.values().size(); k++) {
        words.add(value.values().get(k).type().toString());
        Operation definer = definitions.get(k).definer(value.values().get(k));
        places.add(definer == null ? place : definer.location());
      }
      throw partings.differ("repair-type", words, places, Partings.SPLIT);
    }
    return value;
  }
}
