package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.kernel.Fold;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** A collective whose groups are the usual ones; what members get is left to each op. */
abstract class Meeting implements Semantics.Collective {

  @Override
  public final ProcessGroups groups(Operation operation, DeviceGrid grid, MemberOrder order) {
    return Collectives.processGroups(operation, grid, order);
  }

  /** Returns {@code results} once for every member. */
  static ImmutableList<ImmutableList<Datum>> toAll(ImmutableList<Datum> results, int members) {
    ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
    for (int m = 0; m < members; m++) {
      out.add(results);
    }
    return out.build();
  }

  /**
   * Folds the members' tensors, in group order, starting with the first member's. A reducer of two
   * arguments works on every operand by itself, one of more works on all operands together.
   *
   * @param count how many operands of each member are folded
   */
  static ImmutableList<Literal> foldAll(
      Operation operation,
      ImmutableList<ImmutableList<Datum>> operands,
      int count,
      Semantics.BodyRunner bodies) {
    boolean together = count > 1 && Function.parametersOf(bodies.body(0)).size() == 2 * count;
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int i = 0; i < count; i += together ? count : 1) {
      int to = together ? count : i + 1;
      ImmutableList.Builder<Literal> starts = ImmutableList.builder();
      for (int k = i; k < to; k++) {
        starts.add(
            Wide.cast(
                Results.literal(operation, operands.get(0), k),
                Results.tensor(operation, k).element()));
      }
      out.addAll(fold(operation, operands, i, to, Fold.of(bodies, 0, starts.build())));
    }
    return out.build();
  }

  /** As {@link #foldAll} with a known kind. */
  static ImmutableList<Literal> foldAll(
      Operation operation, ImmutableList<ImmutableList<Datum>> operands, ReductionKind kind) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int i = 0; i < operands.get(0).size(); i++) {
      Literal start = Results.literal(operation, operands.get(0), i);
      out.addAll(fold(operation, operands, i, i + 1, Fold.of(kind, start)));
    }
    return out.build();
  }

  private static ImmutableList<Literal> fold(
      Operation operation,
      ImmutableList<ImmutableList<Datum>> operands,
      int from,
      int to,
      Fold fold) {
    int elements = Results.literal(operation, operands.get(0), from).count();
    for (ImmutableList<Datum> member : operands.subList(1, operands.size())) {
      ImmutableList<Literal> inputs = Results.literals(operation, member, from, to);
      checkArgument(
          inputs.get(0).count() == elements,
          "members bring %s and %s elements",
          elements,
          inputs.get(0).count());
      fold.fold(0, 1, fold.source(inputs), 0, 1, elements);
    }
    return fold.build();
  }

  /** Returns zeros of every result type. */
  static ImmutableList<Datum> zeros(Operation operation) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (Type type : Results.types(operation)) {
      out.add(Literal.zeros((TensorType) type));
    }
    return out.build();
  }

  /** Returns zeros like {@code tensors}. */
  static ImmutableList<Datum> zerosLike(ImmutableList<Literal> tensors) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (Literal tensor : tensors) {
      out.add(Literal.zeros(tensor.type()));
    }
    return out.build();
  }

  /**
   * Returns the position of the root for operand {@code i}: the first member, or what the first
   * member's last operand says.
   */
  static int root(
      Operation operation,
      ImmutableList<ImmutableList<Datum>> operands,
      int i,
      boolean hasDynamicRoot) {
    if (!hasDynamicRoot) {
      return 0;
    }
    ImmutableList<Datum> first = operands.get(0);
    long root = Results.literal(operation, first, first.size() - 1).getLong(i);
    checkArgument(
        root >= 0 && root < operands.size(),
        "root %s is not in a group of %s",
        root,
        operands.size());
    return (int) root;
  }
}
