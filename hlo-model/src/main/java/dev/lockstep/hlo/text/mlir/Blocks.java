package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The blocks of one region while it is read. */
final class Blocks {
  private final List<Block> done = new ArrayList<>();
  private final List<Value> arguments = new ArrayList<>();
  private final List<@Nullable Attribute> locations = new ArrayList<>();
  private List<Operation> operations = new ArrayList<>();
  private boolean started;

  /** Where the names of the region begin in the undo log, and the scope around it. */
  final int undoMark;

  final int outerScope;
  final boolean outerFunction;

  Blocks(int undoMark, int outerScope, boolean outerFunction) {
    this.undoMark = undoMark;
    this.outerScope = outerScope;
    this.outerFunction = outerFunction;
  }

  void add(Operation operation) {
    operations.add(operation);
    started = true;
  }

  List<Operation> operations() {
    return operations;
  }

  void argument(Value value) {
    arguments.add(value);
    locations.add(null);
    started = true;
  }

  void argumentLocation(Attribute location) {
    locations.set(locations.size() - 1, location);
  }

  /** Ends the block before a label, if there was one. */
  void label() {
    if (started) {
      finish();
    }
    started = true;
  }

  private void finish() {
    done.add(
        new Block(
            ImmutableList.copyOf(arguments),
            ImmutableList.copyOf(operations),
            null,
            locationList()));
    arguments.clear();
    locations.clear();
    operations = new ArrayList<>();
    started = false;
  }

  private ImmutableList<Attribute> locationList() {
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Attribute location : locations) {
      if (location == null) {
        return ImmutableList.of();
      }
      out.add(location);
    }
    return out.build();
  }

  /** Returns the region. */
  Region region() {
    if (started) {
      finish();
    }
    return new Region(ImmutableList.copyOf(done));
  }
}
