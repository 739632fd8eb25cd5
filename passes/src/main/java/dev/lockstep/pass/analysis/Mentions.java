package dev.lockstep.pass.analysis;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that attributes mention: functions that are called, meshes, and in HLO the instructions
 * of control dependencies. Text that no reader looked into counts with every name in it.
 */
public final class Mentions {
  private static final Pattern NAME = Pattern.compile("[@%]?\"?([A-Za-z0-9_.$-]+)\"?");

  private final Set<String> names = new TreeSet<>();

  private Mentions() {}

  /** Returns the names mentioned by {@code operation} and everything inside it. */
  public static Set<String> of(Operation operation) {
    Mentions mentions = new Mentions();
    operation.walk(inner -> mentions.add(inner.attributes()));
    return mentions.names;
  }

  /** Returns the names mentioned by the attributes of {@code operation} itself. */
  public static Set<String> ofAttributes(Operation operation) {
    Mentions mentions = new Mentions();
    mentions.add(operation.attributes());
    return mentions.names;
  }

  /** Returns the names mentioned by {@code attributes}. */
  public static Set<String> of(Attributes attributes) {
    Mentions mentions = new Mentions();
    mentions.add(attributes);
    return mentions.names;
  }

  private void add(Attributes attributes) {
    attributes.forEach((name, value) -> add(value));
  }

  private void add(Attribute attribute) {
    if (attribute instanceof Attribute.Symbol) {
      names.addAll(((Attribute.Symbol) attribute).path());
    } else if (attribute instanceof Attribute.Array) {
      ((Attribute.Array) attribute).elements().forEach(this::add);
    } else if (attribute instanceof Attribute.Dict) {
      add(((Attribute.Dict) attribute).entries());
    } else if (attribute instanceof Attribute.Struct) {
      add(((Attribute.Struct) attribute).fields());
    } else if (attribute instanceof Attribute.Raw) {
      Matcher matcher = NAME.matcher(((Attribute.Raw) attribute).text());
      while (matcher.find()) {
        names.add(matcher.group(1));
      }
    }
  }
}
