package dev.lockstep.golden.reference;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * What a call gives one member of a group. Tensors join and split along their first dimension,
 * which in row-major order is joining and splitting their elements.
 */
final class TorchMeaning {
  private final C10dCalls call;
  private final int group;
  private final List<ImmutableList<Literal>> operands;
  private final int me;
  private final ImmutableList<TensorType> types;

  /**
   * Creates the meaning for one member.
   *
   * @param call the call
   * @param group the number of the group
   * @param operands the operands of each member
   * @param me the member
   * @param types the types of its results
   */
  TorchMeaning(
      C10dCalls call,
      int group,
      List<ImmutableList<Literal>> operands,
      int me,
      ImmutableList<TensorType> types) {
    this.call = call;
    this.group = group;
    this.operands = operands;
    this.me = me;
    this.types = types;
  }

  /** Returns the results of the member. */
  ImmutableList<Literal> results() {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int i = 0; i < types.size(); i++) {
      out.add(result(i));
    }
    return out.build();
  }

  private int size() {
    return operands.size();
  }

  private Literal mine(int i) {
    return operands.get(me).get(i);
  }

  private Literal result(int i) {
    TensorType type = types.get(i);
    return switch (call.target()) {
      case "_c10d_functional.all_reduce", "_c10d_functional.all_reduce_coalesced" -> reduced(i);
      case "_c10d_functional.all_gather_into_tensor",
          "_c10d_functional.all_gather_into_tensor_coalesced" ->
          joined(everyones(i), type);
      case "_c10d_functional.reduce_scatter_tensor",
          "_c10d_functional.reduce_scatter_tensor_coalesced" ->
          chunk(reduced(i), me, type);
      case "_c10d_functional.broadcast" -> operands.get(call.ofGroup("src", group)).get(i);
      case "_c10d_functional.all_to_all_single" -> allToAllSingle(type);
      case "c10d.permute_tensor" -> permuted(type);
      case "c10d.all_gather" -> operands.get(i).get(0);
      case "c10d.gather" ->
          call.ofGroup("dst", group) == me ? operands.get(i).get(0) : Literal.zeros(type);
      case "c10d.scatter" -> operands.get(call.ofGroup("src", group)).get(me);
      case "c10d.reduce" -> call.ofGroup("dst", group) == me ? reduced(0) : mine(0);
      case "c10d.reduce_scatter" -> reduced(me);
      case "c10d.all_to_all" -> operands.get(i).get(me);
      default -> throw new IllegalArgumentException("no meaning of " + call.target());
    };
  }

  private List<Literal> everyones(int i) {
    List<Literal> out = new ArrayList<>();
    for (ImmutableList<Literal> member : operands) {
      out.add(member.get(i));
    }
    return out;
  }

  private Literal reduced(int i) {
    return TorchReduction.reduce(
        call.word("reduce_op", ""), call.word("rounding", "trunc"), everyones(i));
  }

  private static Literal joined(List<Literal> parts, TensorType type) {
    LiteralBuilder out = new LiteralBuilder(type);
    int at = 0;
    for (Literal part : parts) {
      out.copyRange(at, part, 0, part.count());
      at += part.count();
    }
    return out.build();
  }

  private static Literal chunk(Literal whole, int index, TensorType type) {
    LiteralBuilder out = new LiteralBuilder(type);
    int count = (int) type.count();
    out.copyRange(0, whole, index * count, count);
    return out.build();
  }

  private Literal permuted(TensorType type) {
    for (int source = 0; source < size(); source++) {
      if (call.ofIndex("src_dst", source) == me) {
        return operands.get(source).get(0);
      }
    }
    return Literal.zeros(type);
  }

  private Literal allToAllSingle(TensorType type) {
    LiteralBuilder out = new LiteralBuilder(type);
    int at = 0;
    for (int sender = 0; sender < size(); sender++) {
      Literal all = operands.get(sender).get(0);
      int rowWidth = all.count() == 0 ? 0 : all.count() / Math.toIntExact(all.type().dim(0));
      int even = all.count() / size();
      int begin = 0;
      for (int receiver = 0; receiver < me; receiver++) {
        begin += call.has("counts") ? count(sender, receiver) * rowWidth : even;
      }
      int length = call.has("counts") ? count(sender, me) * rowWidth : even;
      out.copyRange(at, all, begin, length);
      at += length;
    }
    return out.build();
  }

  private int count(int sender, int receiver) {
    int square = size() * size();
    int all =
        ((dev.lockstep.hlo.attr.Attribute.Dense)
                java.util.Objects.requireNonNull(call.config().get("counts")))
            .literal()
            .count();
    int base = all == square ? 0 : group * square;
    return call.ofIndex("counts", base + sender * size() + receiver);
  }
}
