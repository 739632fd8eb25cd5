package dev.lockstep.hlo.translate;

import java.util.ArrayList;
import java.util.List;

/** Shardings of tuples, as text. */
final class ShardingTexts {
  private ShardingTexts() {}

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
