package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What corresponds within a block and those around it. */
final class Scope {
  private final AlignedBlock block;
  private final @Nullable Scope outer;
  private final Map<ImmutableList<Operation>, AlignedOp> operations = new HashMap<>();
  private final Map<ImmutableList<Value>, AlignedValue> arguments = new HashMap<>();

  Scope(AlignedBlock block, @Nullable Scope outer) {
    this.block = block;
    this.outer = outer;
  }

  /** Makes the values of {@code aligned} known as arguments. */
  void argument(AlignedValue aligned) {
    arguments.put(aligned.values(), aligned);
  }

  @Nullable AlignedValue findArgument(ImmutableList<Value> values) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      AlignedValue found = scope.arguments.get(values);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  @Nullable AlignedOp find(ImmutableList<Operation> operations) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      AlignedOp found = scope.operations.get(operations);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Returns the scope of the block that {@code base} is the first rank's of, else this one. */
  Scope of(Block base) {
    for (Scope scope = this; scope != null; scope = scope.outer) {
      if (scope.block.base() == base) {
        return scope;
      }
    }
    return this;
  }

  void add(AlignedOp operation) {
    operations.put(operation.operations(), operation);
    block.add(operation);
  }
}
