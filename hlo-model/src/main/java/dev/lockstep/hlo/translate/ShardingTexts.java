package dev.lockstep.hlo.translate;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import java.util.ArrayList;
import java.util.List;

/** Shardings of tuples, as text. */
final class ShardingTexts {
  private ShardingTexts() {}

  /**
   * Returns a sharding as HLO text has it.
   *
   * @throws DiagnosticException if it is the bytes of a proto
   */
  static Attribute.Raw ofHlo(Attribute.Str sharding, Location location) {
    if (!sharding.value().startsWith("{")) {
      throw DiagnosticException.error(
          "translate", "a sharding that is a proto in a string is not translated", location);
    }
    return new Attribute.Raw(sharding.value());
  }

  /** Returns the shardings of the elements of a tuple's sharding, or the one that it is. */
  static List<String> split(String text) {
    String trimmed = text.strip();
    String inside = trimmed.length() < 2 ? "" : trimmed.substring(1, trimmed.length() - 1).strip();
    List<String> out = new ArrayList<>();
    if (!inside.startsWith("{") && !inside.startsWith("/*")) {
      out.add(trimmed);
      return out;
    }
    int depth = 0;
    int start = 0;
    for (int i = 0; i < inside.length(); i++) {
      char c = inside.charAt(i);
      if (c == '{' && depth++ == 0) {
        start = i;
      } else if (c == '}' && --depth == 0) {
        out.add(inside.substring(start, i + 1));
      }
    }
    return out;
  }
}
