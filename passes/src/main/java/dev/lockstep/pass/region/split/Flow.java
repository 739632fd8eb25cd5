package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.control.TupleOp;
import dev.lockstep.pass.analysis.Effects;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entry function of one program, seen as values that flow between operations.
 *
 * <p>Calls of functions that communicate are written out. Making tuples, picking from them and
 * joining tokens are no operations here: segments get them anew where they need them. A wait of
 * torch is the value that it waits for, and goes with the operation that gives that. {@linkplain
 * CheapOps Cheap operations} are repeated where they are used.
 */
final class Flow {
  private static final AttrKey<Long> INDEX = AttrKeys.integer("index", "index");

  private final Module original;
  private final Module module;
  private final Function entry;
  private final Communication communication;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<Value, Tree> trees = new IdentityHashMap<>();
  private final Map<Value, Operation> definitions = new IdentityHashMap<>();
  private final Map<Value, Operation> repeated = new IdentityHashMap<>();
  private final Map<Leaf, Operation> waits = new HashMap<>();
  private final Map<Leaf, Operation> picks = new HashMap<>();
  private final ImmutableList<Leaf> arguments;
  private final ImmutableList<Leaf> results;

  private Flow(Module original, Module module) {
    this.original = original;
    this.module = module;
    this.entry = module.entryFunction().orElseThrow();
    this.communication = new Communication(module);
    ImmutableList.Builder<Leaf> leaves = ImmutableList.builder();
    for (Value parameter : entry.parameters()) {
      Leaf leaf = Leaf.of(this, parameter);
      trees.put(parameter, leaf);
      leaf.collect(leaves);
    }
    this.arguments = leaves.build();
    Block body = entry.body();
    Set<Value> given = given(body);
    CheapOps cheap = new CheapOps(module);
    for (Operation operation : body.operations()) {
      if (!operation.is(BuiltinOps.PARAMETER) && !operation.def().isTerminator()) {
        // What the program gives back must be given by some segment, cheap or not.
        add(operation, cheap.add(operation) && !given.contains(operation.result()));
      }
    }
    ImmutableList.Builder<Leaf> returned = ImmutableList.builder();
    body.returned().forEach(value -> tree(value).collect(returned));
    this.results = returned.build();
    dropUnused();
  }

  /** What computes and is used by nothing would make programs differ, and segments of nothing. */
  private void dropUnused() {
    Effects effects = new Effects(module);
    Set<Value> used = Collections.newSetFromMap(new IdentityHashMap<>());
    results.forEach(leaf -> used.add(leaf.base()));
    for (int i = operations.size() - 1; i >= 0; i--) {
      Operation operation = operations.get(i);
      if (effects.mustStay(operation) || operation.results().stream().anyMatch(used::contains)) {
        uses(operation).forEach(leaf -> used.add(leaf.base()));
      } else {
        operations.remove(i);
      }
    }
  }

  /** Returns what {@code body} gives back, and what is in tuples that it gives back. */
  private static Set<Value> given(Block body) {
    Set<Value> given = Collections.newSetFromMap(new IdentityHashMap<>());
    given.addAll(body.returned());
    for (Operation operation : body.operations().reverse()) {
      boolean isTuple = operation.is(TupleOp.DEF) || operation.is(GetTupleElement.DEF);
      if (isTuple && given.contains(operation.result())) {
        given.addAll(operation.operands());
      }
    }
    return given;
  }

  /**
   * Returns the flow of {@code module}.
   *
   * @throws DiagnosticException if it has no entry function with one block
   */
  static Flow of(Module module) {
    return new Flow(module, inlined(module));
  }

  private static Module inlined(Module module) {
    Function entry = module.requireEntry();
    if (entry.operation().regions().get(0).blocks().size() != 1) {
      throw DiagnosticException.error(
          "split-blocks",
          "the entry function has several blocks; only code in one block can be cut",
          entry.operation().location());
    }
    return CallInliner.inline(module);
  }

  private void add(Operation operation, boolean isCheap) {
    if (operation.is(TupleOp.DEF)) {
      ImmutableList.Builder<Tree> elements = ImmutableList.builder();
      operation.operands().forEach(operand -> elements.add(tree(operand)));
      trees.put(
          operation.result(),
          new Tree.Group(elements.build(), operation.result().type(), operation));
    } else if (operation.is(GetTupleElement.DEF)) {
      Tree element = tree(operation.operand(0)).element(Math.toIntExact(INDEX.get(operation)));
      trees.put(operation.result(), element);
      if (element instanceof Leaf leaf) {
        picks.putIfAbsent(leaf, operation);
      }
    } else if (Communication.isWait(operation) && tree(operation.operand(0)) instanceof Leaf leaf) {
      trees.put(operation.result(), leaf);
      waits.putIfAbsent(leaf, operation);
    } else {
      for (Value result : operation.results()) {
        trees.put(result, Leaf.of(this, result));
        definitions.put(result, operation);
      }
      if (isCheap || operation.def().semantics() == Semantics.Control.AFTER_ALL) {
        operation.results().forEach(result -> repeated.put(result, operation));
      } else {
        operations.add(operation);
      }
    }
  }

  /** Returns the program as it was given. */
  Module original() {
    return original;
  }

  /** Returns the program with its communicating calls written out. */
  Module module() {
    return module;
  }

  Function entry() {
    return entry;
  }

  Communication communication() {
    return communication;
  }

  /** Returns what computes or communicates, in program order. */
  List<Operation> operations() {
    return operations;
  }

  /** Returns the tensors and tokens that the entry takes, in order. */
  ImmutableList<Leaf> arguments() {
    return arguments;
  }

  /** Returns the tensors and tokens that the entry gives, in order. */
  ImmutableList<Leaf> results() {
    return results;
  }

  /** Returns what {@code value}, which the entry's block sees, consists of. */
  Tree tree(Value value) {
    Tree tree = trees.get(value);
    if (tree == null) {
      throw new IllegalStateException(value + " is used before it is defined");
    }
    return tree;
  }

  /** Returns the operation that gives {@code leaf}; null for an argument. */
  @Nullable Operation definition(Leaf leaf) {
    return definitions.get(leaf.base());
  }

  /** Returns the operation to repeat wherever {@code leaf} is used, or null. */
  @Nullable Operation repeated(Leaf leaf) {
    return repeated.get(leaf.base());
  }

  /** Returns torch's wait for {@code leaf}, or null. */
  @Nullable Operation waitFor(Leaf leaf) {
    return waits.get(leaf);
  }

  /** Returns the operation that picks {@code leaf} from a tuple, or null where none did. */
  @Nullable Operation pick(Leaf leaf) {
    return picks.get(leaf);
  }

  /**
   * Returns the leaves that {@code operation} uses, one for each use, those of its regions last.
   */
  ImmutableList<Leaf> uses(Operation operation) {
    ImmutableList.Builder<Leaf> out = ImmutableList.builder();
    operation.operands().forEach(operand -> tree(operand).collect(out));
    Captures.of(operation).forEach(captured -> tree(captured).collect(out));
    return out.build();
  }
}
