package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.Arrays;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What all members of a group must agree on when they meet in a collective, as one rank has it. The
 * same for both syntaxes and for synchronous and asynchronous forms.
 *
 * @param op the operation without its form, {@code stablehlo.all_reduce}, or the name of a
 *     torch.distributed call
 * @param group the ranks of this rank's group, in group order
 * @param operands types of the operands, tuples taken apart, without layouts
 * @param results types of the results, tuples taken apart, without layouts
 * @param reduction {@code add}, {@code maximum}, ..., canonical text for any other reducer; empty
 *     for none
 * @param pairs sources and targets as ranks
 * @param attributes dimensions, roots and whatever else the op has, by name
 * @param own numbers that every member has for itself, such as torch's {@code send_counts}
 * @param channel XLA's channel; members may number it differently, see {@link #difference}
 */
public record CollectiveSignature(
    String op,
    ImmutableIntArray group,
    ImmutableList<Type> operands,
    ImmutableList<Type> results,
    String reduction,
    ImmutableList<ImmutableIntArray> pairs,
    ImmutableMap<String, String> attributes,
    ImmutableMap<String, ImmutableLongArray> own,
    OptionalLong channel) {

  /** In what two calls differ. */
  public enum Kind {
    OP,
    GROUP,
    SHAPE,
    TYPE,
    REDUCTION,
    PAIRS,
    ATTRIBUTE
  }

  /**
   * A difference between two calls.
   *
   * @param kind in what
   * @param what the name of what differs, {@code reduction}
   * @param left what the first has
   * @param right what the second has
   */
  public record Difference(Kind kind, String what, String left, String right) {}

  /** Returns the ranks of the group in ascending order, which name the group. */
  public ImmutableIntArray members() {
    int[] sorted = group.toArray();
    Arrays.sort(sorted);
    return ImmutableIntArray.copyOf(sorted);
  }

  /**
   * Returns the first difference from {@code other}, or null when both can meet. Numbers of
   * channels may differ: ranks that take part in different groups count them differently, and the
   * order within the group decides. Whether there is one at all is part of the group's meaning.
   */
  public @Nullable Difference difference(CollectiveSignature other) {
    if (!op.equals(other.op)) {
      return new Difference(Kind.OP, "op", op, other.op);
    }
    if (!group.equals(other.group)) {
      return new Difference(Kind.GROUP, "group", group.toString(), other.group.toString());
    }
    Difference types = types("operands", operands, other.operands);
    if (types == null) {
      types = types("results", results, other.results);
    }
    if (types != null) {
      return types;
    }
    if (!reduction.equals(other.reduction)) {
      return new Difference(Kind.REDUCTION, "reduction", reduction, other.reduction);
    }
    if (!pairs.equals(other.pairs)) {
      return new Difference(Kind.PAIRS, "pairs", pairs.toString(), other.pairs.toString());
    }
    if (channel.isPresent() != other.channel.isPresent()) {
      return new Difference(Kind.ATTRIBUTE, "channel", word(channel), word(other.channel));
    }
    for (String name : Sets.union(attributes.keySet(), other.attributes.keySet())) {
      String left = attributes.getOrDefault(name, "absent");
      String right = other.attributes.getOrDefault(name, "absent");
      if (!left.equals(right)) {
        return new Difference(Kind.ATTRIBUTE, name, left, right);
      }
    }
    return null;
  }

  private static String word(OptionalLong channel) {
    return channel.isPresent() ? Long.toString(channel.getAsLong()) : "absent";
  }

  private static @Nullable Difference types(
      String what, ImmutableList<Type> left, ImmutableList<Type> right) {
    if (left.equals(right)) {
      return null;
    }
    boolean sameElements = left.size() == right.size();
    for (int i = 0; sameElements && i < left.size(); i++) {
      sameElements =
          left.get(i) instanceof TensorType
              && right.get(i) instanceof TensorType
              && ((TensorType) left.get(i)).element() == ((TensorType) right.get(i)).element();
    }
    return new Difference(
        sameElements ? Kind.SHAPE : Kind.TYPE, what, left.toString(), right.toString());
  }
}
