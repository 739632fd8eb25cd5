package dev.lockstep.hlo.shard;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import org.jspecify.annotations.Nullable;

/** Where the texts of shardings stand among attributes. */
final class ShardingAttributes {
  private ShardingAttributes() {}

  /** Returns the frontend attribute {@code name}, which travels through all of XLA, or null. */
  static @Nullable Attribute frontend(Attributes attributes, String name) {
    Attribute dict = attributes.get("frontend_attributes");
    if (dict == null) {
      dict = attributes.get("mhlo.frontend_attributes");
    }
    return dict instanceof Attribute.Dict ? ((Attribute.Dict) dict).entries().get(name) : null;
  }

  /** Returns the text of an attribute, or null. */
  static @Nullable String text(@Nullable Attribute attribute) {
    if (attribute instanceof Attribute.Raw) {
      return ((Attribute.Raw) attribute).text();
    }
    return attribute instanceof Attribute.Str ? ((Attribute.Str) attribute).value() : null;
  }

  /** Returns Shardy's sharding, or null. */
  static @Nullable String shardy(Attributes attributes) {
    String text = text(attributes.get("sdy.sharding"));
    return text != null ? text : text(frontend(attributes, "xla.sdy.sharding"));
  }

  /** Returns the sharding of XLA's own partitioner, or null. */
  static @Nullable String gspmd(Attributes attributes) {
    String text = text(attributes.get("mhlo.sharding"));
    return text != null ? text : text(attributes.get("sharding"));
  }

  /** Returns whether a sharding among {@code attributes} may cut the value. */
  static boolean isCut(Attributes attributes) {
    String text = shardy(attributes);
    String own = gspmd(attributes);
    return text != null || own != null && (own.contains("devices=") || !own.startsWith("{"));
  }

  /** Returns the shardings of values that {@code operation} has under {@code name}. */
  static ImmutableList<SdySharding> list(Operation operation, String name) {
    String text = text(operation.attribute(name));
    if (text == null) {
      text = text(frontend(operation.attributes(), "xla.sdy." + name));
    }
    return text == null ? ImmutableList.of() : SdySharding.parseList(text);
  }

  /** Returns the axes along which the body of {@code operation} works on parts. */
  static ImmutableList<String> manualAxes(Operation operation) {
    String text = text(operation.attribute("manual_axes"));
    if (text == null) {
      text = text(frontend(operation.attributes(), "xla.sdy.manual_axes"));
    }
    return text == null ? ImmutableList.of() : SdySharding.parseAxes(text);
  }
}
