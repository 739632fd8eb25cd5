package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** torch's reductions over the groups of a call. */
final class Reductions {
  private final Emitter emit;
  private final RankValues ranks;
  private final GridCollectives collectives;

  Reductions(Emitter emit, RankValues ranks, GridCollectives collectives) {
    this.emit = emit;
    this.ranks = ranks;
    this.collectives = collectives;
  }

  /**
   * Returns all operands of the call, reduced over their group. Operands of one element type share
   * an all-reduce; complex numbers go as their parts, since few run times reduce them.
   */
  ImmutableList<Value> allReduce(C10dCall call, CallGroups groups) {
    CallConfig config = call.config();
    ReduceOp op = config.reduceOp();
    List<Value> parts = new ArrayList<>();
    for (Value operand : call.operands()) {
      ElementType element = Emitter.type(operand).element();
      op.check(element, config.rounding(), config);
      if (element.isComplex()) {
        parts.add(emit.real(operand));
        parts.add(emit.imag(operand));
      } else {
        parts.add(operand);
      }
    }
    Value[] reduced = reduceParts(parts, op, call, groups);
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    int next = 0;
    for (Value operand : call.operands()) {
      ElementType element = Emitter.type(operand).element();
      if (element.isComplex()) {
        Value real = average(reduced[next++], op, call, groups);
        Value imag = average(reduced[next++], op, call, groups);
        out.add(emit.complex(real, imag));
      } else {
        out.add(average(reduced[next++], op, call, groups));
      }
    }
    return out.build();
  }

  private Value[] reduceParts(List<Value> parts, ReduceOp op, C10dCall call, CallGroups groups) {
    Value[] reduced = new Value[parts.size()];
    if (op.isGathered()) {
      for (int i = 0; i < reduced.length; i++) {
        reduced[i] = fold(parts.get(i), op, call, groups);
      }
      return reduced;
    }
    Map<ElementType, List<Integer>> byType = new LinkedHashMap<>();
    for (int i = 0; i < reduced.length; i++) {
      byType.computeIfAbsent(Emitter.type(parts.get(i)).element(), key -> new ArrayList<>()).add(i);
    }
    ImmutableList<ImmutableIntArray> completed = groups.completed(false, call.config());
    byType.forEach(
        (element, places) -> {
          ImmutableList.Builder<Value> values = ImmutableList.builder();
          places.forEach(i -> values.add(parts.get(i)));
          ImmutableList<Value> results =
              collectives.allReduce(values.build(), op.kind(element), completed);
          for (int i = 0; i < results.size(); i++) {
            reduced[places.get(i)] = results.get(i);
          }
        });
    return reduced;
  }

  /**
   * Gathers the operand of every member and combines them one by one. Groups of several sizes
   * gather from all ranks, and each rank leaves out what is not from its group.
   */
  private Value fold(Value value, ReduceOp op, C10dCall call, CallGroups groups) {
    TensorType type = Emitter.type(value);
    ReductionKind kind = op.kind(type.element());
    int ranksInAll = groups.grid().size();
    boolean uniform =
        groups.groups().stream().mapToInt(ImmutableIntArray::length).distinct().count() == 1
            && (ranksInAll - groups.groups().size() * groups.maxSize()) % groups.maxSize() == 0;
    ImmutableList<ImmutableIntArray> meeting =
        uniform ? groups.completed(true, call.config()) : ImmutableList.of(everybody(ranksInAll));
    int size = meeting.get(0).length();
    Value all = collectives.allGather(Rows.stacked(value, emit), meeting);
    Value result = null;
    for (int i = 0; i < size; i++) {
      Value part = emit.reshape(emit.rows(all, i, i + 1), type.dims());
      if (!uniform) {
        part = ranks.choose(fromGroupOf(i, groups), part, emit.zeros(type));
      }
      result = result == null ? part : emit.binary(kind.def(), result, part);
    }
    Value folded = java.util.Objects.requireNonNull(result);
    return groups.isEverybody() ? folded : ranks.choose(groups.members(), folded, value);
  }

  private static ImmutableIntArray everybody(int count) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder(count);
    for (int r = 0; r < count; r++) {
      out.add(r);
    }
    return out.build();
  }

  private static boolean[] fromGroupOf(int rank, CallGroups groups) {
    boolean[] out = new boolean[groups.grid().size()];
    for (int r = 0; r < out.length; r++) {
      out[r] = groups.groupOf(r) >= 0 && groups.groupOf(r) == groups.groupOf(rank);
    }
    return out;
  }

  /** Returns the rank's share of the rows of {@code value}, reduced over its group. */
  Value reduceScatter(Value value, C10dCall call, CallGroups groups) {
    CallConfig config = call.config();
    ReduceOp op = config.reduceOp();
    ElementType element = Emitter.type(value).element();
    op.check(element, config.rounding(), config);
    if (element.isComplex()) {
      Value real = reduceScatterPart(emit.real(value), op, call, groups);
      Value imag = reduceScatterPart(emit.imag(value), op, call, groups);
      return emit.complex(real, imag);
    }
    return reduceScatterPart(value, op, call, groups);
  }

  private Value reduceScatterPart(Value value, ReduceOp op, C10dCall call, CallGroups groups) {
    TensorType type = Emitter.type(value);
    int size = groups.uniformSize(call.config());
    Value share;
    if (op.isGathered()) {
      long rows = type.dim(0) / size;
      long[] places = new long[groups.grid().size()];
      for (int r = 0; r < places.length; r++) {
        places[r] = Math.max(0, groups.indexOf(r)) * rows;
      }
      Value folded = fold(value, op, call, groups);
      share = emit.rowsAt(folded, ranks.number(places), rows);
    } else {
      share =
          collectives.reduceScatter(
              value, op.kind(type.element()), groups.completed(true, call.config()));
    }
    return average(share, op, call, groups);
  }

  /**
   * Divides a sum by the size of the group. Dividing after the sum rounds once; it is what torch's
   * averages are defined as.
   */
  private Value average(Value sum, ReduceOp op, C10dCall call, CallGroups groups) {
    if (op != ReduceOp.AVG) {
      return sum;
    }
    TensorType type = Emitter.type(sum);
    long[] sizes = new long[groups.grid().size()];
    for (int r = 0; r < sizes.length; r++) {
      sizes[r] = groups.sizeAt(r);
    }
    ElementType element = divisorType(type.element(), sizes);
    if (element != type.element()) {
      Value wide = emit.convert(sum, element);
      return emit.convert(quotient(wide, sizes, call), type.element());
    }
    return quotient(sum, sizes, call);
  }

  /**
   * Returns the type to divide in: {@code element} unless it cannot hold the sizes of groups, as i8
   * cannot hold 128 and bf16 not 257. torch divides such floats as f32, too.
   */
  private static ElementType divisorType(ElementType element, long[] sizes) {
    for (long size : sizes) {
      Literal held = Literal.scalar(element, size);
      boolean exact = element.isFloat() ? held.getDouble(0) == size : held.getLong(0) == size;
      if (!exact) {
        return element.isFloat() ? ElementType.F32 : ElementType.I32;
      }
    }
    return element;
  }

  private Value quotient(Value sum, long[] sizes, C10dCall call) {
    TensorType type = Emitter.type(sum);
    Value size = emit.broadcast(ranks.numberAs(sizes, type.element()), type);
    Value quotient = emit.build().divide(sum, size);
    if (call.config().rounding() != Rounding.FLOOR
        || !type.element().isInteger()
        || type.element().isUnsigned()) {
      return quotient;
    }
    // Division truncates; below zero with a remainder the floor is one less.
    Value zero = emit.zeros(type);
    Value rest = emit.build().subtract(sum, emit.build().multiply(quotient, size));
    Value one = emit.broadcast(emit.constant(Literal.scalar(type.element(), 1L)), type);
    return emit.select(
        emit.compare("LT", rest, zero), emit.build().subtract(quotient, one), quotient);
  }
}
