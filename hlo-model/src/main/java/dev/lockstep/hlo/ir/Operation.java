package dev.lockstep.hlo.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.Type;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operation: an HLO instruction or an MLIR op. One immutable class for all of them; what one
 * means is in its {@link OpDef}. Identity is the object.
 */
public final class Operation {
  private final OpDef def;
  private final ImmutableList<Value> operands;
  private final ImmutableList<Value> results;
  private final Attributes attributes;
  private final ImmutableList<Region> regions;
  private final Location location;
  private final @Nullable Attribute debugLocation;

  /**
   * Creates an operation.
   *
   * @param def what it is
   * @param operands what it uses, in order
   * @param results what it defines; in HLO exactly one, a tuple when there are several
   * @param attributes all attributes, inherent and discardable, under their names in the syntax of
   *     the module
   * @param regions nested code; always empty in HLO, where bodies are computations named by
   *     attributes
   * @param location where it came from in the text that was read
   * @param debugLocation MLIR {@code loc(...)}, or null when the text had none
   */
  public Operation(
      OpDef def,
      ImmutableList<Value> operands,
      ImmutableList<Value> results,
      Attributes attributes,
      ImmutableList<Region> regions,
      Location location,
      @Nullable Attribute debugLocation) {
    this.def = requireNonNull(def);
    this.operands = requireNonNull(operands);
    this.results = requireNonNull(results);
    this.attributes = requireNonNull(attributes);
    this.regions = requireNonNull(regions);
    this.location = requireNonNull(location);
    this.debugLocation = debugLocation;
  }

  /** Returns what this operation is. */
  public OpDef def() {
    return def;
  }

  /** Returns whether this is an operation of {@code other}. */
  public boolean is(OpDef other) {
    return def == other;
  }

  /** Returns the operands. */
  public ImmutableList<Value> operands() {
    return operands;
  }

  /** Returns operand {@code i}. */
  public Value operand(int i) {
    return operands.get(i);
  }

  /** Returns the results. */
  public ImmutableList<Value> results() {
    return results;
  }

  /** Returns the one result; fails when there are none or several. */
  public Value result() {
    if (results.size() != 1) {
      throw new IllegalStateException(def.name() + " has " + results.size() + " results");
    }
    return results.get(0);
  }

  /** Returns the attributes. */
  public Attributes attributes() {
    return attributes;
  }

  /** Returns the attribute under {@code name}, or null. */
  public @Nullable Attribute attribute(String name) {
    return attributes.get(name);
  }

  /** Returns the regions. */
  public ImmutableList<Region> regions() {
    return regions;
  }

  /** Returns the place in the text that was read. */
  public Location location() {
    return location;
  }

  /** Returns the MLIR location, or null. */
  public @Nullable Attribute debugLocation() {
    return debugLocation;
  }

  /** Returns the types of the results. */
  public ImmutableList<Type> resultTypes() {
    ImmutableList.Builder<Type> out = ImmutableList.builderWithExpectedSize(results.size());
    for (Value result : results) {
      out.add(result.type());
    }
    return out.build();
  }

  /** Returns the types of the operands. */
  public ImmutableList<Type> operandTypes() {
    ImmutableList.Builder<Type> out = ImmutableList.builderWithExpectedSize(operands.size());
    for (Value operand : operands) {
      out.add(operand.type());
    }
    return out.build();
  }

  /** Returns this operation with other operands and the same result values. */
  public Operation withOperands(ImmutableList<Value> newOperands) {
    return new Operation(def, newOperands, results, attributes, regions, location, debugLocation);
  }

  /** Returns this operation with other attributes and the same result values. */
  public Operation withAttributes(Attributes newAttributes) {
    return new Operation(def, operands, results, newAttributes, regions, location, debugLocation);
  }

  /** Returns this operation with other regions and the same result values. */
  public Operation withRegions(ImmutableList<Region> newRegions) {
    return new Operation(def, operands, results, attributes, newRegions, location, debugLocation);
  }

  /** Returns this operation with other result values. */
  public Operation withResults(ImmutableList<Value> newResults) {
    return new Operation(def, operands, newResults, attributes, regions, location, debugLocation);
  }

  /**
   * Returns this operation with each block of its regions replaced by what {@code change} makes of
   * it; this object when nothing changed.
   */
  public Operation mapBlocks(UnaryOperator<Block> change) {
    ImmutableList.Builder<Region> out = ImmutableList.builder();
    boolean changed = false;
    for (Region region : regions) {
      ImmutableList.Builder<Block> blocks = ImmutableList.builder();
      boolean changedHere = false;
      for (Block block : region.blocks()) {
        Block now = change.apply(block);
        changedHere |= now != block;
        blocks.add(now);
      }
      changed |= changedHere;
      out.add(changedHere ? new Region(blocks.build()) : region);
    }
    return changed ? withRegions(out.build()) : this;
  }

  /** Shows {@code visitor} this operation, then all inside its regions, each before its own. */
  public void walk(Consumer<Operation> visitor) {
    visitor.accept(this);
    for (Region region : regions) {
      for (Block block : region.blocks()) {
        block.operations().forEach(inner -> inner.walk(visitor));
      }
    }
  }

  /** Returns whether {@code wanted} holds for this operation or for one inside its regions. */
  public boolean anyMatch(Predicate<Operation> wanted) {
    return wanted.test(this)
        || regions.stream()
            .flatMap(region -> region.blocks().stream())
            .flatMap(block -> block.operations().stream())
            .anyMatch(inner -> inner.anyMatch(wanted));
  }

  @Override
  public String toString() {
    return results + " = " + def.name() + operands + " " + attributes + " at " + location;
  }
}
