package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The dictionary of a torch.distributed call, read with types. Whatever is wrong with it becomes a
 * diagnostic at the call.
 *
 * @param target the call's name
 * @param entries the dictionary
 * @param location the call
 */
record CallConfig(String target, Attributes entries, Location location) {
  /** Returns a diagnostic at the call. */
  DiagnosticException error(String code, String message) {
    return DiagnosticException.error(code, target + ": " + message, location);
  }

  /** Refuses entries that nobody reads, since a misspelt one would silently change the meaning. */
  void allowOnly(ImmutableSet<String> names) {
    for (int i = 0; i < entries.size(); i++) {
      if (!names.contains(entries.name(i))) {
        throw error(
            "c10d-config",
            "unknown entry '" + entries.name(i) + "', expected " + String.join(", ", names));
      }
    }
  }

  /** Returns whether {@code name} is given. */
  boolean has(String name) {
    return entries.has(name);
  }

  /** Returns a flag. */
  boolean flagOr(String name, boolean fallback) {
    Attribute value = entries.get(name);
    if (value == null) {
      return fallback;
    }
    if (value instanceof Attribute.Bool) {
      return ((Attribute.Bool) value).value();
    }
    if (value instanceof Attribute.Unit) {
      return true;
    }
    throw wrong(name, "true or false");
  }

  /** Returns the reduction; every call that has one must say which. */
  ReduceOp reduceOp() {
    String word = word("reduce_op");
    ReduceOp op = ReduceOp.byWord(word);
    if (op == null) {
      throw error(
          "c10d-reduce-op",
          "reduce_op is \"" + word + "\", expected sum, avg, product, min, max, band, bor or bxor");
    }
    return op;
  }

  /** Returns how integers are averaged, or null when the call does not say. */
  @Nullable Rounding rounding() {
    if (!has("rounding")) {
      return null;
    }
    String word = word("rounding");
    return switch (word) {
      case "trunc" -> Rounding.TRUNC;
      case "floor" -> Rounding.FLOOR;
      default -> throw wrong("rounding", "\"trunc\" or \"floor\"");
    };
  }

  /** Returns a word. */
  String word(String name) {
    String word = AttrKeys.asWord(need(name));
    if (word == null) {
      throw wrong(name, "a string");
    }
    return word;
  }

  /** Returns a list of words. */
  ImmutableList<String> words(String name) {
    Attribute value = need(name);
    ImmutableList.Builder<String> out = ImmutableList.builder();
    if (!(value instanceof Attribute.Array)) {
      throw wrong(name, "a list of strings");
    }
    for (Attribute element : ((Attribute.Array) value).elements()) {
      String word = AttrKeys.asWord(element);
      if (word == null) {
        throw wrong(name, "a list of strings");
      }
      out.add(word);
    }
    return out.build();
  }

  /** Returns an integer. */
  long integerOr(String name, long fallback) {
    Attribute value = entries.get(name);
    if (value == null) {
      return fallback;
    }
    Long number = AttrKeys.asLong(value);
    if (number == null) {
      throw wrong(name, "an integer");
    }
    return number;
  }

  /** Returns a list of integers. */
  ImmutableLongArray longs(String name) {
    ImmutableLongArray numbers = AttrKeys.asLongs(need(name));
    if (numbers == null) {
      throw wrong(name, "a list of integers");
    }
    return numbers;
  }

  /**
   * Returns a tensor of integers; one integer is of rank zero, nested lists of them of rank two.
   */
  Literal table(String name) {
    Attribute value = need(name);
    if (value instanceof Attribute.Dense) {
      Literal literal = ((Attribute.Dense) value).literal();
      if (literal.element().isInteger()) {
        return literal;
      }
    }
    if (value instanceof Attribute.Int) {
      return Literal.scalar(ElementType.I64, ((Attribute.Int) value).value());
    }
    ImmutableLongArray flat = AttrKeys.asLongs(value);
    if (flat != null) {
      return Literal.ofLongs(flat.toArray());
    }
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(value);
    if (rows == null
        || rows.isEmpty()
        || rows.stream().mapToInt(ImmutableLongArray::length).distinct().count() != 1) {
      throw wrong(name, "a tensor of integers");
    }
    int columns = rows.get(0).length();
    LiteralBuilder out = new LiteralBuilder(TensorType.of(ElementType.I64, rows.size(), columns));
    for (int r = 0; r < rows.size(); r++) {
      for (int c = 0; c < columns; c++) {
        out.setLong(r * columns + c, rows.get(r).get(c));
      }
    }
    return out.build();
  }

  /** Returns rows of integers; a flat list is one row. */
  ImmutableList<ImmutableLongArray> rows(String name) {
    Attribute value = need(name);
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(value);
    if (rows != null) {
      return rows;
    }
    ImmutableLongArray row = AttrKeys.asLongs(value);
    if (row == null) {
      throw wrong(name, "rows of integers");
    }
    return ImmutableList.of(row);
  }

  /** Returns a number for each of {@code groups} groups: given once for all, or once for each. */
  ImmutableLongArray perGroup(String name, int groups) {
    Long one = AttrKeys.asLong(need(name));
    if (one != null) {
      ImmutableLongArray.Builder all = ImmutableLongArray.builder(groups);
      for (int i = 0; i < groups; i++) {
        all.add(one);
      }
      return all.build();
    }
    ImmutableLongArray numbers = longs(name);
    if (numbers.length() != groups) {
      throw error(
          "c10d-config",
          name
              + " has "
              + numbers.length()
              + " entries, expected one, or one for each of "
              + groups
              + " groups");
    }
    return numbers;
  }

  /** Returns the value under {@code name}, which must be there. */
  Attribute need(String name) {
    Attribute value = entries.get(name);
    if (value == null) {
      throw error("c10d-config", "needs '" + name + "' in its config");
    }
    return value;
  }

  /** Returns the diagnostic for a value of the wrong form. */
  DiagnosticException wrong(String name, String expected) {
    return error("c10d-config", "'" + name + "' must be " + expected);
  }
}
