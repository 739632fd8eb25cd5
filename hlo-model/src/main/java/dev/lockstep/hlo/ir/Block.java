package dev.lockstep.hlo.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import org.jspecify.annotations.Nullable;

/**
 * A list of operations in program order, with arguments.
 *
 * <p>In MLIR the last operation is a terminator whose operands the block gives back. In HLO there
 * are no block arguments (parameters are operations) and {@link #root} names the operation whose
 * result is given back; it may stand anywhere.
 */
public final class Block {
  private final ImmutableList<Value> arguments;
  private final ImmutableList<Operation> operations;
  private final @Nullable Operation root;
  private final ImmutableList<Attribute> argumentLocations;

  /**
   * Creates a block.
   *
   * @param arguments the arguments
   * @param operations the operations
   * @param root HLO's ROOT, one of {@code operations}; null in MLIR
   * @param argumentLocations MLIR {@code loc(...)} of each argument, or empty when none has one
   */
  public Block(
      ImmutableList<Value> arguments,
      ImmutableList<Operation> operations,
      @Nullable Operation root,
      ImmutableList<Attribute> argumentLocations) {
    this.arguments = requireNonNull(arguments);
    this.operations = requireNonNull(operations);
    this.root = root;
    this.argumentLocations = requireNonNull(argumentLocations);
  }

  /** Creates an MLIR block without argument locations. */
  public static Block of(ImmutableList<Value> arguments, ImmutableList<Operation> operations) {
    return new Block(arguments, operations, null, ImmutableList.of());
  }

  /** Returns the arguments. */
  public ImmutableList<Value> arguments() {
    return arguments;
  }

  /** Returns the operations in program order. */
  public ImmutableList<Operation> operations() {
    return operations;
  }

  /** Returns HLO's ROOT, or null in MLIR. */
  public @Nullable Operation root() {
    return root;
  }

  /** Returns the MLIR locations of the arguments, or an empty list when none has one. */
  public ImmutableList<Attribute> argumentLocations() {
    return argumentLocations;
  }

  /** Returns the last operation, or null in an empty block. */
  public @Nullable Operation last() {
    return operations.isEmpty() ? null : operations.get(operations.size() - 1);
  }

  /**
   * Returns the values that the block gives back: ROOT's results, or the operands of the last
   * operation when it is a terminator, else none.
   */
  public ImmutableList<Value> returned() {
    if (root != null) {
      return root.results();
    }
    Operation last = last();
    return last != null && last.def().isTerminator() ? last.operands() : ImmutableList.of();
  }

  /** Returns this block with other operations; {@code newRoot} replaces ROOT. */
  public Block withOperations(ImmutableList<Operation> newOperations, @Nullable Operation newRoot) {
    return newOperations.equals(operations) && newRoot == root
        ? this
        : new Block(arguments, newOperations, newRoot, argumentLocations);
  }
}
