package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics.BodyRunner;

/**
 * A question about two elements that a body answers: does the first come before, or win over, the
 * second? Bodies that are one comparison of two arguments run without the body.
 */
public interface Order {
  /** Returns the answer for elements {@code i} and {@code j} of the inputs. */
  boolean test(int i, int j);

  /**
   * Returns the order that body {@code index} defines; its parameters are two a tensor, one from
   * each side.
   */
  static Order of(BodyRunner bodies, int index, ImmutableList<Literal> inputs) {
    Order known = ComparisonOrder.of(bodies.body(index), inputs);
    if (known != null) {
      return known;
    }
    return (i, j) -> {
      ImmutableList.Builder<Datum> arguments = ImmutableList.builder();
      for (Literal input : inputs) {
        arguments.add(Wide.scalarAt(input, i), Wide.scalarAt(input, j));
      }
      return ((Literal) bodies.run(index, arguments.build()).get(0)).getBoolean(0);
    };
  }

  /**
   * Sorts {@code items} by merging, so that the result is stable and an order that contradicts
   * itself does no harm: the right one goes first only where the order says so.
   */
  static void sort(int[] items, Order order) {
    int[] from = items;
    int[] to = items.clone();
    for (int width = 1; width < items.length; width *= 2) {
      for (int low = 0; low < items.length; low += 2 * width) {
        int middle = Math.min(low + width, items.length);
        int high = Math.min(low + 2 * width, items.length);
        int left = low;
        int right = middle;
        for (int k = low; k < high; k++) {
          boolean takeRight = left >= middle || right < high && order.test(from[right], from[left]);
          to[k] = takeRight ? from[right++] : from[left++];
        }
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    if (from != items) {
      System.arraycopy(from, 0, items, 0, items.length);
    }
  }
}
