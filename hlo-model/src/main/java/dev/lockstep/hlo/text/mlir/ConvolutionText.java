package dev.lockstep.hlo.text.mlir;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the dimension numbers of a convolution as labels: {@code [b, 0, f]x[0, i, o]->[b, 0, f]}.
 */
final class ConvolutionText {
  private static final Pattern LABELS =
      Pattern.compile("\\[([^]\\[]*)]\\s*x\\s*\\[([^]\\[]*)]\\s*->\\s*\\[([^]\\[]*)]");

  private ConvolutionText() {}

  /** Returns the labels of what {@code #d.conv<raw ...>} says, or null when it says too little. */
  static @Nullable String labels(Attributes fields) {
    String input =
        side(
            fields,
            "input_batch_dimension",
            'b',
            "input_feature_dimension",
            'f',
            "input_spatial_dimensions");
    String kernel =
        side(
            fields,
            "kernel_input_feature_dimension",
            'i',
            "kernel_output_feature_dimension",
            'o',
            "kernel_spatial_dimensions");
    String output =
        side(
            fields,
            "output_batch_dimension",
            'b',
            "output_feature_dimension",
            'f',
            "output_spatial_dimensions");
    return input == null || kernel == null || output == null
        ? null
        : input + "x" + kernel + "->" + output;
  }

  /** Returns what is wrong with labels such as {@code [b, 0, f]x[0, i, o]->[b, 0, f]}, or null. */
  static @Nullable String wrong(String labels) {
    Matcher parts = LABELS.matcher(labels.strip());
    if (!parts.matches()) {
      return "expected dimension labels like [b, 0, f]x[0, i, o]->[b, 0, f]";
    }
    String[] named = {"bf", "io", "bf"};
    for (int part = 0; part < named.length; part++) {
      ImmutableList<String> got =
          ImmutableList.copyOf(
              Splitter.on(',').trimResults().omitEmptyStrings().split(parts.group(part + 1)));
      for (int i = 0; i < got.size(); i++) {
        String wanted = i < 2 ? String.valueOf(named[part].charAt(i)) : Integer.toString(i - 2);
        if (!got.contains(wanted) && !got.contains("?")) {
          return String.format(
              "dimension labels %s must be %s, %s and the numbers from 0 on, each once",
              got, named[part].charAt(0), named[part].charAt(1));
        }
      }
      if (got.size() < 2) {
        return String.format(
            "dimension labels %s must have %s and %s",
            got, named[part].charAt(0), named[part].charAt(1));
      }
    }
    return null;
  }

  private static @Nullable String side(
      Attributes fields, String first, char a, String second, char b, String spatial) {
    Attribute list = fields.get(spatial);
    ImmutableLongArray dims =
        list instanceof Attribute.Longs
            ? ((Attribute.Longs) list).values()
            : ImmutableLongArray.of();
    String[] labels = new String[dims.length() + 2];
    if (!put(labels, number(fields, first), String.valueOf(a))
        || !put(labels, number(fields, second), String.valueOf(b))) {
      return null;
    }
    for (int i = 0; i < dims.length(); i++) {
      if (!put(labels, dims.get(i), Integer.toString(i))) {
        return null;
      }
    }
    return "[" + String.join(", ", labels) + "]";
  }

  private static boolean put(@Nullable String[] labels, long at, String label) {
    if (at < 0 || at >= labels.length || labels[(int) at] != null) {
      return false;
    }
    labels[(int) at] = label;
    return true;
  }

  /** Returns a number; zero may be left out. */
  private static long number(Attributes fields, String name) {
    Attribute value = fields.get(name);
    return value instanceof Attribute.Int
        ? ((Attribute.Int) value).value()
        : value == null ? 0 : -1;
  }
}
