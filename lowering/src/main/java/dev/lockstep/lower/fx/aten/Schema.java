package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator takes, as torch writes it: {@code sum.dim_IntList(Tensor self, int[1]? dim, bool
 * keepdim=False, *, ScalarType? dtype=None) -> Tensor}.
 *
 * @param name namespace, name and overload: {@code aten.sum.dim_IntList}; {@code aten} and {@code
 *     default} where the schema names none
 * @param text all of it
 * @param parameters what it takes, in order
 * @param positional how many of them may be given by place
 */
record Schema(String name, String text, ImmutableList<Parameter> parameters, int positional) {
  /**
   * A parameter.
   *
   * @param type as written, sizes and alias marks left out: {@code int[]?}
   * @param fallback the default as written, or null when it must be given
   */
  record Parameter(String name, String type, @Nullable String fallback) {
    boolean isOptional() {
      return type.endsWith("?");
    }
  }

  /** Reads a schema. */
  static Schema parse(String text) {
    int open = text.indexOf('(');
    int close = text.lastIndexOf(") ->");
    String name = text.substring(0, open);
    ImmutableList.Builder<Parameter> parameters = ImmutableList.builder();
    int positional = -1;
    int count = 0;
    for (String part : split(text.substring(open + 1, close))) {
      if (part.equals("*")) {
        positional = count;
        continue;
      }
      int space = part.lastIndexOf(' ', part.contains("=") ? part.indexOf('=') : part.length());
      String[] named = part.substring(space + 1).split("=", 2);
      String type =
          part.substring(0, space)
              .replaceAll("\\([a-z!|> -]*\\)", "")
              .replaceAll("\\[\\d+\\]", "[]")
              .replace("SymInt", "int");
      parameters.add(new Parameter(named[0], type, named.length > 1 ? named[1] : null));
      count++;
    }
    return new Schema(full(name), text, parameters.build(), positional < 0 ? count : positional);
  }

  private static String full(String name) {
    String dotted = name.contains("::") ? name.replace("::", ".") : "aten." + name;
    return dotted.indexOf('.') == dotted.lastIndexOf('.') ? dotted + ".default" : dotted;
  }

  /** Returns the parts between commas that stand in no brackets. */
  private static List<String> split(String text) {
    List<String> out = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i <= text.length(); i++) {
      char c = i == text.length() ? ',' : text.charAt(i);
      depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        String part = text.substring(begin, i).strip();
        if (!part.isEmpty()) {
          out.add(part);
        }
        begin = i + 1;
      }
    }
    return out;
  }

  /** Returns the parameter called {@code parameter}, or null. */
  @Nullable Parameter parameter(String parameter) {
    for (Parameter each : parameters) {
      if (each.name().equals(parameter)) {
        return each;
      }
    }
    return null;
  }
}
