package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import org.jspecify.annotations.Nullable;

/** Kinds of keys that only ops in this package need. */
final class DataKeys {
  private DataKeys() {}

  /** Returns a key of one integer that HLO writes as a list of one. */
  static AttrKey<Long> oneOf(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, DataKeys::single, "one integer");
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
