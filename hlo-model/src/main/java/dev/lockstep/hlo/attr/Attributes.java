package dev.lockstep.hlo.attr;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Named attributes in the order in which they were written. Immutable; equality ignores nothing,
 * order included.
 *
 * <p>Look-up is a linear scan: operations have a handful of attributes, and a scan over interned
 * names beats any map at that size.
 */
public final class Attributes {
  /** No attributes. */
  public static final Attributes EMPTY = new Attributes(new String[0], new Attribute[0]);

  private final String[] names;
  private final Attribute[] values;

  private Attributes(String[] names, Attribute[] values) {
    this.names = names;
    this.values = values;
  }

  /** Returns attributes with one entry. */
  public static Attributes of(String name, Attribute value) {
    return new Attributes(new String[] {name}, new Attribute[] {value});
  }

  /** Returns attributes with two entries. */
  public static Attributes of(String name1, Attribute value1, String name2, Attribute value2) {
    return builder().put(name1, value1).put(name2, value2).build();
  }

  /** Returns a builder without entries. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns a builder that starts with these entries. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    for (int i = 0; i < names.length; i++) {
      builder.put(names[i], values[i]);
    }
    return builder;
  }

  /** Returns the number of entries. */
  public int size() {
    return names.length;
  }

  /** Returns whether there are no entries. */
  public boolean isEmpty() {
    return names.length == 0;
  }

  /** Returns the name of entry {@code i}. */
  public String name(int i) {
    return names[i];
  }

  /** Returns the value of entry {@code i}. */
  public Attribute value(int i) {
    return values[i];
  }

  /** Returns the value under {@code name}, or null. */
  public @Nullable Attribute get(String name) {
    int i = indexOf(name);
    return i < 0 ? null : values[i];
  }

  /** Returns whether there is an entry under {@code name}. */
  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /** Returns these entries with {@code name} set, in its place if it was there, else at the end. */
  public Attributes with(String name, Attribute value) {
    return toBuilder().set(name, value).build();
  }

  /** Returns these entries without {@code name}; this object if there was none. */
  public Attributes without(String name) {
    if (!has(name)) {
      return this;
    }
    Builder builder = new Builder();
    for (int i = 0; i < names.length; i++) {
      if (!names[i].equals(name)) {
        builder.put(names[i], values[i]);
      }
    }
    return builder.build();
  }

  /** Calls {@code action} with every entry in order. */
  public void forEach(BiConsumer<String, Attribute> action) {
    for (int i = 0; i < names.length; i++) {
      action.accept(names[i], values[i]);
    }
  }

  private int indexOf(String name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Attributes
        && Arrays.equals(names, ((Attributes) object).names)
        && Arrays.equals(values, ((Attributes) object).values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(names) * 31 + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("{");
    for (int i = 0; i < names.length; i++) {
      out.append(i == 0 ? "" : ", ").append(names[i]).append(" = ").append(values[i]);
    }
    return out.append('}').toString();
  }

  /** Collects entries. */
  public static final class Builder {
    private final List<String> names = new ArrayList<>(6);
    private final List<Attribute> values = new ArrayList<>(6);

    private Builder() {}

    /** Adds an entry; a name may be put once. */
    public Builder put(String name, Attribute value) {
      checkArgument(!names.contains(name), "attribute '%s' is given twice", name);
      names.add(name);
      values.add(value);
      return this;
    }

    /** Adds or replaces an entry. */
    public Builder set(String name, Attribute value) {
      int i = names.indexOf(name);
      if (i >= 0) {
        values.set(i, value);
        return this;
      }
      return put(name, value);
    }

    /** Returns whether {@code name} was put. */
    public boolean has(String name) {
      return names.contains(name);
    }

    /** Returns the entries put so far. */
    public Attributes build() {
      return names.isEmpty()
          ? EMPTY
          : new Attributes(names.toArray(new String[0]), values.toArray(new Attribute[0]));
    }
  }
}
