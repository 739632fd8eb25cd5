package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.type.ElementType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys and index arithmetic that only ops in this package need. */
final class DataKeys {
  private DataKeys() {}

  /** Returns a key of one integer that HLO writes as a list of one. */
  static AttrKey<Long> oneOf(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, DataKeys::single, "one integer");
  }

  /** Returns the integers of one vector, or of several scalars: HLO's forms of a shape. */
  static ImmutableLongArray numbers(List<Datum> operands) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (Datum operand : operands) {
      for (long number : ((Literal) operand).toLongs()) {
        out.add(number);
      }
    }
    return out.build();
  }

  /** Returns where a part of {@code sizes} begins: as near to {@code indices} as it fits. */
  static long[] clampedStart(List<Datum> indices, ImmutableLongArray dims, long[] sizes) {
    ImmutableLongArray numbers = numbers(indices);
    checkArgument(numbers.length() == dims.length(), "one index for each dimension");
    boolean unsigned =
        !indices.isEmpty() && ((Literal) indices.get(0)).element() == ElementType.UI64;
    long[] start = new long[sizes.length];
    for (int d = 0; d < start.length; d++) {
      long limit = dims.get(d) - sizes[d];
      long index = numbers.get(d);
      start[d] = unsigned && index < 0 ? limit : Math.max(0, Math.min(index, limit));
    }
    return start;
  }

  /** Returns {@code count} ones. */
  static long[] ones(int count) {
    long[] out = new long[count];
    Arrays.fill(out, 1);
    return out;
  }

  private static @Nullable Long single(Attribute attribute) {
    Long plain = AttrKeys.asLong(attribute);
    if (plain != null) {
      return plain;
    }
    ImmutableLongArray list = AttrKeys.asLongs(attribute);
    return list != null && list.length() == 1 ? (Long) list.get(0) : null;
  }
}
