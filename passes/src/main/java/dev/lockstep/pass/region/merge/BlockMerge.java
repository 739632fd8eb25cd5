package dev.lockstep.pass.region.merge;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.AlignedBlock;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.align.ProgramClasses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one block for all ranks; what {@link MergeRule}s ask and build with. */
public final class BlockMerge {

  /** What code a block is, which decides what may stand in it. */
  public enum Kind {
    /** The entry function's own block. */
    ENTRY,
    /** A region of control flow within the entry, which may use the entry's values. */
    INSIDE_ENTRY,
    /** Code with nothing but its arguments. */
    CLOSED,
    /** A reducer, comparator or other code that runs for single elements. */
    SCALAR
  }

  private final Merger merger;
  private final AlignedBlock block;
  private final Kind kind;
  private final OpBuilder builder;
  private final RankTables tables;
  private final List<Operation> out = new ArrayList<>();
  private final Map<AlignedOp, Value> lifted;

  BlockMerge(Merger merger, AlignedBlock block, Kind kind) {
    this(merger, block, kind, Map.of());
  }

  /**
   * Creates the merge of a block.
   *
   * @param lifted operations that are not written, and the arguments that stand for their results
   */
  private BlockMerge(Merger merger, AlignedBlock block, Kind kind, Map<AlignedOp, Value> lifted) {
    this.lifted = lifted;
    this.merger = merger;
    this.block = block;
    this.kind = kind;
    this.builder = new OpBuilder(merger.scope());
    this.tables = new RankTables(merger.classes());
  }

  /** Returns the block for all ranks. */
  Block merge() {
    ImmutableList.Builder<Value> arguments = ImmutableList.builder();
    for (AlignedValue argument : block.arguments()) {
      Value value = merger.fresh(argument.base(), type(argument), "arg", builder);
      merger.bind(argument, value);
      arguments.add(value);
    }
    for (AlignedOp operation : block.operations()) {
      builder.at(operation.base());
      ImmutableList<Value> results;
      try {
        results = one(operation);
      } catch (DiagnosticException e) {
        merger.log().problems(e.diagnostics());
        // Something must stand here, so that the rest is looked at as well.
        results = copy(operation);
      }
      out.addAll(builder.take());
      for (int i = 0; i < results.size(); i++) {
        merger.bind(operation.results().get(i), results.get(i));
      }
    }
    if (kind == Kind.ENTRY) {
      arguments.addAll(merger.addedArguments());
    }
    AlignedValue root = block.root();
    return new Block(
        arguments.build(),
        ImmutableList.copyOf(out),
        root == null ? null : definition(merger.value(root)),
        block.base().argumentLocations().size() == arguments.build().size()
            ? block.base().argumentLocations()
            : ImmutableList.of());
  }

  private Operation definition(Value value) {
    for (Operation operation : out) {
      if (operation.results().contains(value)) {
        return operation;
      }
    }
    throw new IllegalStateException(value + " is the root but was not built");
  }

  private ImmutableList<Value> one(AlignedOp operation) {
    Value argument = lifted.get(operation);
    if (argument != null) {
      return ImmutableList.of(argument);
    }
    for (MergeRule rule : merger.rules()) {
      if (rule.applies(operation, this)) {
        return rule.merge(operation, this);
      }
    }
    ImmutableSet<String> differing = Differences.of(operation);
    if (!differing.isEmpty()) {
      throw refusal(
          "repair-attribute",
          operation.def().shortName()
              + " differs between ranks in "
              + String.join(", ", differing)
              + advice(operation),
          operation);
    }
    for (AlignedValue operand : operation.operands()) {
      checkEven(operation, operand);
    }
    for (AlignedValue result : operation.results()) {
      checkEven(operation, result);
    }
    return copy(operation);
  }

  private static String advice(AlignedOp operation) {
    String target = CustomCall.TARGET.getOr(operation.base(), "");
    return operation.is(CustomCall.DEF)
            && (target.startsWith("_c10d_functional") || target.startsWith("c10d."))
        ? "; match the calls of all ranks first, with lower-c10d"
        : ", and there is no form of it that takes that at run time";
  }

  private void checkEven(AlignedOp operation, AlignedValue value) {
    if (merger.sizes().isUneven(value)) {
      throw refusal(
          "repair-shape",
          operation.def().shortName()
              + " of tensors whose sizes differ between ranks cannot be written for padded ones",
          operation);
    }
  }

  /** Returns an operation like the first rank's, with the merged operands, types and bodies. */
  public ImmutableList<Value> copy(AlignedOp operation) {
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operation.operands().forEach(operand -> operands.add(value(operand)));
    return copy(operation, operands.build());
  }

  /** As {@link #copy(AlignedOp)} with other operands. */
  public ImmutableList<Value> copy(AlignedOp operation, ImmutableList<Value> operands) {
    ImmutableList.Builder<Type> types = ImmutableList.builder();
    operation.results().forEach(result -> types.add(type(result)));
    return copy(operation, operands, types.build(), operation.base().attributes());
  }

  /** Returns an operation with everything given but the bodies, which are the merged ones. */
  public ImmutableList<Value> copy(
      AlignedOp operation,
      ImmutableList<Value> operands,
      ImmutableList<Type> types,
      Attributes attributes) {
    Operation base = operation.base();
    ImmutableList.Builder<Value> results = ImmutableList.builder();
    for (int i = 0; i < types.size(); i++) {
      String name = base.def().nameIn(merger.scope().syntax());
      results.add(merger.fresh(base.results().get(i), types.get(i), name, builder));
    }
    ImmutableList.Builder<Region> regions = ImmutableList.builder();
    for (AlignedBlock region : operation.regions()) {
      regions.add(Region.of(new BlockMerge(merger, region, inside(operation)).merge()));
    }
    builder.add(
        new Operation(
            base.def(),
            operands,
            results.build(),
            merger.withCallees(operation, attributes),
            regions.build(),
            base.location(),
            base.debugLocation()));
    return results.build();
  }

  /**
   * Returns {@code body}, a reducer of {@code count} pairs, for pairs of which each {@code lifted}
   * constant is one more: its argument on the right stands for it, and is given back.
   */
  public Region reducer(AlignedBlock body, int count, ImmutableList<AlignedOp> constants) {
    Map<AlignedOp, Value> arguments = new LinkedHashMap<>();
    ImmutableList.Builder<Value> left = ImmutableList.builder();
    for (AlignedOp constant : constants) {
      left.add(new Value(type(constant.result())));
      arguments.put(constant, new Value(type(constant.result())));
    }
    Block made = new BlockMerge(merger, body, Kind.SCALAR, arguments).merge();
    Operation end = requireNonNull(made.last());
    ImmutableList<Value> right = ImmutableList.copyOf(arguments.values());
    ImmutableList.Builder<Operation> operations = ImmutableList.builder();
    operations.addAll(made.operations().subList(0, made.operations().size() - 1));
    operations.add(
        end.withOperands(
            ImmutableList.<Value>builder().addAll(end.operands()).addAll(right).build()));
    return Region.of(
        Block.of(
            ImmutableList.<Value>builder()
                .addAll(made.arguments().subList(0, count))
                .addAll(left.build())
                .addAll(made.arguments().subList(count, 2 * count))
                .addAll(right)
                .build(),
            operations.build()));
  }

  private Kind inside(AlignedOp operation) {
    if (!(operation.def().semantics() instanceof Semantics.Control)) {
      return Kind.SCALAR;
    }
    return kind == Kind.ENTRY ? Kind.INSIDE_ENTRY : kind;
  }

  /** Returns what code this block is. */
  public Kind kind() {
    return kind;
  }

  /** Returns the builder of operations in the current place. */
  public OpBuilder builder() {
    return builder;
  }

  /** Returns tables by rank in this block. */
  public RankTables tables() {
    return tables;
  }

  /** Returns the sizes of dimensions for all ranks. */
  public Sizes sizes() {
    return merger.sizes();
  }

  /** Returns the programs. */
  public ProgramClasses classes() {
    return merger.classes();
  }

  /** Returns what stands for {@code value}. */
  public Value value(AlignedValue value) {
    return merger.value(value);
  }

  /** Returns the type that {@code value} has for all ranks. */
  public Type type(AlignedValue value) {
    return merger.sizes().type(value);
  }

  /** Returns an additional argument of the program; the block must be within the entry. */
  public Value input(AddedInputs.Values byClass) {
    return merger.inputs().add(byClass, builder);
  }

  /** Notes what was done in place of {@code operation}. */
  public void step(String kindOfStep, String message, AlignedOp operation) {
    merger.log().step(kindOfStep, message, operation.base());
  }

  /** Returns the error that {@code operation} cannot be written for all ranks. */
  public DiagnosticException refusal(String code, String message, AlignedOp operation) {
    Diagnostic diagnostic = Diagnostic.error(code, message, operation.base().location());
    Map<Attributes, List<Integer>> sides = new LinkedHashMap<>();
    for (int k = 0; k < operation.operations().size(); k++) {
      sides
          .computeIfAbsent(
              operation.operations().get(k).attributes(), attributes -> new ArrayList<>())
          .add(k);
    }
    int most = 4;
    for (List<Integer> numbers : sides.values()) {
      @Nullable Operation there = operation.operations().get(numbers.get(0));
      if (!numbers.contains(0) && diagnostic.notes().size() < most) {
        diagnostic =
            diagnostic.withNote(
                classes().ranks(numbers) + ": here", requireNonNull(there).location());
      }
    }
    return new DiagnosticException(diagnostic);
  }
}
