package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.literal.Literal;
import org.jspecify.annotations.Nullable;

/** The usual kinds of {@link AttrKey}. */
public final class AttrKeys {
  private AttrKeys() {}

  /** Returns a key of one integer. */
  public static AttrKey<Long> integer(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, AttrKeys::asLong, "an integer");
  }

  /** Returns a key of one integer that HLO writes as a list of one, {@code dimensions={1}}. */
  public static AttrKey<Long> integerOrList(String mlirName, String hloName) {
    return AttrKey.of(
        mlirName,
        hloName,
        a -> {
          Long plain = asLong(a);
          ImmutableLongArray list = plain == null ? asLongs(a) : null;
          return list != null && list.length() == 1 ? (Long) list.get(0) : plain;
        },
        "one integer");
  }

  /** Returns a key of a flag: a unit, a bool, or HLO's {@code true}. */
  public static AttrKey<Boolean> flag(String mlirName, String hloName) {
    return AttrKey.of(
        mlirName,
        hloName,
        a ->
            a instanceof Attribute.Unit
                ? Boolean.TRUE
                : a instanceof Attribute.Bool ? (Boolean) ((Attribute.Bool) a).value() : null,
        "true or false");
  }

  /** Returns a key of a list of integers. */
  public static AttrKey<ImmutableLongArray> longs(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, AttrKeys::asLongs, "a list of integers");
  }

  /** Returns a key of a word or string. */
  public static AttrKey<String> word(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, AttrKeys::asWord, "a word");
  }

  /** Returns a key of groups of ids. */
  public static AttrKey<ReplicaGroups> groups(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, AttrKeys::asGroups, "groups of ids");
  }

  /** Returns a key of rows of integers, such as source-target pairs; -1 is kept. */
  public static AttrKey<ImmutableList<ImmutableLongArray>> rows(String mlirName, String hloName) {
    return AttrKey.of(mlirName, hloName, AttrKeys::asRows, "rows of integers");
  }

  /** Returns the integer that {@code attribute} holds, or null. */
  public static @Nullable Long asLong(Attribute attribute) {
    if (attribute instanceof Attribute.Int) {
      return ((Attribute.Int) attribute).value();
    }
    if (attribute instanceof Attribute.Dense) {
      Literal literal = ((Attribute.Dense) attribute).literal();
      return literal.count() == 1 && literal.type().rank() == 0 ? literal.getLong(0) : null;
    }
    return null;
  }

  /** Returns the integers that {@code attribute} holds in any of its list forms, or null. */
  public static @Nullable ImmutableLongArray asLongs(Attribute attribute) {
    if (attribute instanceof Attribute.Longs) {
      return ((Attribute.Longs) attribute).values();
    }
    if (attribute instanceof Attribute.Dense) {
      Literal literal = ((Attribute.Dense) attribute).literal();
      return literal.element().isInteger() || literal.element().isBool()
          ? ImmutableLongArray.copyOf(literal.toLongs())
          : null;
    }
    if (attribute instanceof Attribute.Array) {
      ImmutableLongArray.Builder out = ImmutableLongArray.builder();
      for (Attribute element : ((Attribute.Array) attribute).elements()) {
        Long value = asLong(element);
        if (value == null) {
          return null;
        }
        out.add(value);
      }
      return out.build();
    }
    return null;
  }

  /** Returns the word that {@code attribute} holds, or null. */
  public static @Nullable String asWord(Attribute attribute) {
    if (attribute instanceof Attribute.Word) {
      return ((Attribute.Word) attribute).value();
    }
    if (attribute instanceof Attribute.Str) {
      return ((Attribute.Str) attribute).value();
    }
    return attribute instanceof Attribute.Symbol ? ((Attribute.Symbol) attribute).name() : null;
  }

  /** Returns the rows of a rank-2 dense attribute or of nested lists, or null. */
  public static @Nullable ImmutableList<ImmutableLongArray> asRows(Attribute attribute) {
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    if (attribute instanceof Attribute.Dense) {
      Literal literal = ((Attribute.Dense) attribute).literal();
      if (!literal.element().isInteger()) {
        return null;
      }
      if (literal.type().rank() != 2) {
        return literal.count() == 0 ? ImmutableList.of() : null;
      }
      int rows = (int) literal.type().dim(0);
      int columns = (int) literal.type().dim(1);
      for (int r = 0; r < rows; r++) {
        ImmutableLongArray.Builder row = ImmutableLongArray.builder(columns);
        for (int c = 0; c < columns; c++) {
          row.add(literal.getLong(r * columns + c));
        }
        out.add(row.build());
      }
      return out.build();
    }
    if (attribute instanceof Attribute.Array) {
      for (Attribute element : ((Attribute.Array) attribute).elements()) {
        ImmutableLongArray row = asLongs(element);
        if (row == null) {
          return null;
        }
        out.add(row);
      }
      return out.build();
    }
    if (attribute instanceof Attribute.Groups) {
      return ((Attribute.Groups) attribute).groups().lists();
    }
    return attribute instanceof Attribute.Longs && ((Attribute.Longs) attribute).values().isEmpty()
        ? ImmutableList.of()
        : null;
  }

  private static @Nullable ReplicaGroups asGroups(Attribute attribute) {
    if (attribute instanceof Attribute.Groups) {
      return ((Attribute.Groups) attribute).groups();
    }
    if (attribute instanceof Attribute.Struct) {
      return MeshAxisGroups.decode((Attribute.Struct) attribute);
    }
    ImmutableList<ImmutableLongArray> rows = asRows(attribute);
    if (rows == null) {
      return null;
    }
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    for (ImmutableLongArray row : rows) {
      ImmutableLongArray.Builder members = ImmutableLongArray.builder();
      for (int i = 0; i < row.length(); i++) {
        if (row.get(i) != -1) {
          members.add(row.get(i));
        }
      }
      ImmutableLongArray group = members.build();
      if (!group.isEmpty()) {
        out.add(group);
      }
    }
    return new ReplicaGroups.Lists(out.build());
  }
}
