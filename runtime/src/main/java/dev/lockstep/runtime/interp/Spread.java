package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Values of strands that stand for several devices: one for all, or a {@link Datum.Split} of one
 * for each. Tuples are never split themselves, their elements are.
 */
final class Spread {
  private Spread() {}

  /** Returns whether any of {@code values} differs between devices. */
  static boolean isSplit(List<Datum> values) {
    for (Datum value : values) {
      if (value instanceof Datum.Split
          || value instanceof Datum.Tuple && isSplit(((Datum.Tuple) value).elements())) {
        return true;
      }
    }
    return false;
  }

  /** Returns the values of the device at place {@code part} of its strand. */
  static ImmutableList<Datum> of(List<Datum> values, int part) {
    ImmutableList.Builder<Datum> out = ImmutableList.builderWithExpectedSize(values.size());
    for (Datum value : values) {
      out.add(of(value, part));
    }
    return out.build();
  }

  /** Returns the value of the device at place {@code part}. */
  static Datum of(Datum value, int part) {
    if (value instanceof Datum.Split) {
      return ((Datum.Split) value).parts().get(part);
    }
    return value instanceof Datum.Tuple && isSplit(((Datum.Tuple) value).elements())
        ? new Datum.Tuple(of(((Datum.Tuple) value).elements(), part))
        : value;
  }

  /** Returns the value that the devices at {@code places} have, as a strand of those has it. */
  static Datum select(Datum value, List<Integer> places) {
    List<Datum> out = new ArrayList<>();
    for (int place : places) {
      out.add(of(value, place));
    }
    return join(out);
  }

  /** Returns {@code parts}, one a device, as one value: itself where all have the same. */
  static Datum join(List<? extends Datum> parts) {
    Datum first = parts.get(0);
    boolean same = true;
    boolean tuples = true;
    for (Datum part : parts) {
      same = same && isSame(first, part);
      tuples = tuples && part instanceof Datum.Tuple;
    }
    if (same) {
      return first;
    }
    if (!tuples) {
      return new Datum.Split(ImmutableList.copyOf(parts));
    }
    List<ImmutableList<Datum>> elements = new ArrayList<>();
    for (Datum part : parts) {
      elements.add(((Datum.Tuple) part).elements());
    }
    return new Datum.Tuple(joinLists(elements));
  }

  /** Returns lists of results, one list a device, as one list. */
  static ImmutableList<Datum> joinLists(List<ImmutableList<Datum>> each) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (int i = 0; i < each.get(0).size(); i++) {
      List<Datum> parts = new ArrayList<>(each.size());
      for (ImmutableList<Datum> results : each) {
        parts.add(results.get(i));
      }
      out.add(join(parts));
    }
    return out.build();
  }

  /** Returns whether two values are bit for bit the same, as far as that is cheap to know. */
  static boolean isSame(Datum left, Datum right) {
    if (left == right) {
      return true;
    }
    if (left instanceof Literal && right instanceof Literal) {
      Literal a = (Literal) left;
      Literal b = (Literal) right;
      return a.type().equals(b.type())
          && a.isSplat() == b.isSplat()
          && isSameStorage(a.rawStorage(), b.rawStorage());
    }
    return left instanceof Datum.Token && right instanceof Datum.Token;
  }

  private static boolean isSameStorage(Object a, Object b) {
    if (a == b) {
      return true;
    }
    // Arrays.equals on floating-point arrays compares bits, except that all NaNs are equal.
    return a instanceof byte[] x && Arrays.equals(x, (byte[]) b)
        || a instanceof short[] s && Arrays.equals(s, (short[]) b)
        || a instanceof int[] i && Arrays.equals(i, (int[]) b)
        || a instanceof long[] l && Arrays.equals(l, (long[]) b)
        || a instanceof float[] f && Arrays.equals(f, (float[]) b)
        || a instanceof double[] d && Arrays.equals(d, (double[]) b);
  }
}
