package dev.lockstep.runtime.values;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.type.ElementType;
import java.util.Comparator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys under which value files keep arguments and results. */
public final class ValueKeys {
  /** Orders keys as people count: {@code out2} before {@code out10}. */
  public static final Comparator<String> NATURAL_ORDER = ValueKeys::compareNaturally;

  private static final Pattern DIGITS = Pattern.compile("\\d+");

  private static final ImmutableMap<String, ElementType> BY_SUFFIX = bySuffix();

  private ValueKeys() {}

  private static ImmutableMap<String, ElementType> bySuffix() {
    ImmutableMap.Builder<String, ElementType> out = ImmutableMap.builder();
    for (ElementType element : ElementType.values()) {
      if (!NpyArray.isNumpyType(element)) {
        out.put(element.fileSuffix(), element);
      }
    }
    return out.buildOrThrow();
  }

  /** Returns {@code in<index>}: the argument of every device alike. */
  public static String argument(int index) {
    return "in" + index;
  }

  /** Returns {@code in<index>.dev<device>}. */
  public static String argument(int index, int device) {
    return "in" + index + ".dev" + device;
  }

  /** Returns {@code out<index>}: the result of every device alike. */
  public static String result(int index) {
    return "out" + index;
  }

  /** Returns {@code out<index>.dev<device>}. */
  public static String result(int index, int device) {
    return "out" + index + ".dev" + device;
  }

  /** Returns {@code key} with the suffix that numpy files need for {@code element}, if any. */
  static String withSuffix(String key, ElementType element) {
    return NpyArray.isNumpyType(element) ? key : key + "." + element.fileSuffix();
  }

  /** Returns the type that numpy has no name for and {@code suffix} stands for, or null. */
  static @Nullable ElementType elementOfSuffix(String suffix) {
    return BY_SUFFIX.get(suffix);
  }

  /**
   * Returns whether numpy files keep {@code element}, for which numpy has no type, as {@code
   * stored}.
   */
  static boolean isStoredAs(ElementType element, ElementType stored) {
    if (element.isInteger() && element.bits() < 8) {
      return stored == (element.isUnsigned() ? ElementType.UI8 : ElementType.I8);
    }
    return !NpyArray.isNumpyType(element)
        && stored == (element.bits() == 16 ? ElementType.UI16 : ElementType.UI8);
  }

  private static int compareNaturally(String left, String right) {
    Matcher leftDigits = DIGITS.matcher(left);
    Matcher rightDigits = DIGITS.matcher(right);
    int leftEnd = 0;
    int rightEnd = 0;
    while (leftDigits.find() && rightDigits.find()) {
      int order =
          left.substring(leftEnd, leftDigits.start())
              .compareTo(right.substring(rightEnd, rightDigits.start()));
      order = order != 0 ? order : compareNumbers(leftDigits, rightDigits);
      if (order != 0) {
        return order;
      }
      leftEnd = leftDigits.end();
      rightEnd = rightDigits.end();
    }
    int order = left.substring(leftEnd).compareTo(right.substring(rightEnd));
    return order != 0 ? order : left.compareTo(right);
  }

  private static int compareNumbers(MatchResult left, MatchResult right) {
    String one = left.group().replaceFirst("^0+(?=.)", "");
    String other = right.group().replaceFirst("^0+(?=.)", "");
    return one.length() != other.length()
        ? Integer.compare(one.length(), other.length())
        : one.compareTo(other);
  }
}
