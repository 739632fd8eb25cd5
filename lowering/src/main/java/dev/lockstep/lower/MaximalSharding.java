package dev.lockstep.lower;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKeys;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shardings that put an operation on one device: {@code {maximal device=3}}. */
final class MaximalSharding {
  private static final Pattern MAXIMAL = Pattern.compile("maximal device=(\\d{1,9})");

  private MaximalSharding() {}

  /** Returns the device, or null when there is no such sharding, or the parts differ. */
  static @Nullable Long device(Operation operation) {
    Attribute sharding = operation.attribute("sharding");
    sharding = sharding == null ? operation.attribute("mhlo.sharding") : sharding;
    if (sharding == null) {
      return null;
    }
    String text = sharding instanceof Attribute.Raw raw ? raw.text() : AttrKeys.asWord(sharding);
    Long device = null;
    Matcher matcher = MAXIMAL.matcher(text == null ? "" : text);
    while (matcher.find()) {
      long found = Long.parseLong(matcher.group(1));
      if (device != null && device != found) {
        return null;
      }
      device = found;
    }
    return device;
  }
}
