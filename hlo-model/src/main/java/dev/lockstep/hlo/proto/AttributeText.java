package dev.lockstep.hlo.proto;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.text.hlo.HloFragments;
import java.util.HashSet;
import java.util.Set;

/** Collects the attributes of one instruction as text. */
final class AttributeText {
  private final StringBuilder out;
  private final Set<String> names = new HashSet<>();

  AttributeText(StringBuilder out) {
    this.out = out;
  }

  /** Returns whether {@code name} has been put. */
  boolean has(String name) {
    return names.contains(name);
  }

  /** Appends {@code , name=value}. */
  void put(String name, String value) {
    names.add(name);
    out.append(", ").append(name).append('=').append(value);
  }

  /** Appends {@code , name="value"}. */
  void putQuoted(String name, Attribute.Str value) {
    names.add(name);
    out.append(", ").append(name).append('=');
    HloFragments.quoted(out, value);
  }
}
