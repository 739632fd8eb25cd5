package dev.lockstep.tools.run;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.runtime.values.ValueKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What every device computed: its tensors in order after tuples are taken apart. */
public final class Results {
  /** Elements that are shown of one value. */
  private static final int SHOWN = 16;

  private final ImmutableList<ImmutableList<Literal>> byDevice;
  private final EntryLayout layout;

  private Results(ImmutableList<ImmutableList<Literal>> byDevice, EntryLayout layout) {
    this.byDevice = byDevice;
    this.layout = layout;
  }

  /** Returns the results that a run gave, one list a device, which lie as {@code layout} says. */
  public static Results of(List<? extends Iterable<? extends Datum>> values, EntryLayout layout) {
    ImmutableList.Builder<ImmutableList<Literal>> out = ImmutableList.builder();
    for (Iterable<? extends Datum> device : values) {
      out.add(Flattening.flatten(device));
    }
    return new Results(out.build(), layout);
  }

  /**
   * Returns how these compare with what another backend computed of the same program.
   *
   * @param relative overrides the relative tolerance of every type when given
   * @param absolute overrides the absolute tolerance of every type when given
   */
  public Comparison compareWith(
      Results reference, @Nullable Double relative, @Nullable Double absolute) {
    return new BackendComparison(layout, relative, absolute).compare(reference.byDevice, byDevice);
  }

  /** Returns the values by their keys in value files, as people count. */
  public ImmutableSortedMap<String, Literal> byKey() {
    ImmutableSortedMap.Builder<String, Literal> out =
        new ImmutableSortedMap.Builder<>(ValueKeys.NATURAL_ORDER);
    for (int device = 0; device < byDevice.size(); device++) {
      for (int i = 0; i < byDevice.get(device).size(); i++) {
        out.put(ValueKeys.result(i, device), byDevice.get(device).get(i));
      }
    }
    return out.buildOrThrow();
  }

  /** Returns lines for people; devices that have the same value share one. */
  public String describe() {
    return lines((key, value) -> value);
  }

  /** Returns a line for each result and each different thing that {@code facts} say of it. */
  private String lines(BiFunction<String, Literal, Object> facts) {
    StringBuilder out = new StringBuilder();
    int most = byDevice.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < most; i++) {
      Map<Object, List<Integer>> devices = new LinkedHashMap<>();
      for (int device = 0; device < byDevice.size(); device++) {
        if (i < byDevice.get(device).size()) {
          Object fact = facts.apply(ValueKeys.result(i, device), byDevice.get(device).get(i));
          devices.computeIfAbsent(fact, value -> new ArrayList<>()).add(device);
        }
      }
      for (Map.Entry<Object, List<Integer>> entry : devices.entrySet()) {
        Object fact = entry.getKey();
        out.append("out")
            .append(i)
            .append(" on ")
            .append(devices(entry.getValue()))
            .append(": ")
            .append(fact instanceof Literal ? show((Literal) fact) : fact)
            .append('\n');
      }
    }
    return out.toString();
  }

  private String devices(List<Integer> devices) {
    if (devices.size() == byDevice.size() && devices.size() > 1) {
      return "all " + devices.size() + " devices";
    }
    StringBuilder out = new StringBuilder(devices.size() == 1 ? "device " : "devices ");
    for (int i = 0; i < devices.size(); i++) {
      int first = i;
      while (i + 1 < devices.size() && devices.get(i + 1) == devices.get(i) + 1) {
        i++;
      }
      out.append(first == 0 ? "" : ", ").append(devices.get(first));
      if (i > first) {
        out.append(i == first + 1 ? ", " : "-").append(devices.get(i));
      }
    }
    return out.toString();
  }

  private static String show(Literal value) {
    StringBuilder out = new StringBuilder(value.type().toString()).append(" [");
    for (int i = 0; i < Math.min(SHOWN, value.count()); i++) {
      out.append(i == 0 ? "" : ", ").append(element(value, i));
    }
    return out.append(value.count() > SHOWN ? ", ...]" : "]").toString();
  }

  /** Returns element {@code i} as people write it. */
  static String element(Literal value, int i) {
    return switch (value.element().kind()) {
      case BOOL -> Boolean.toString(value.getBoolean(i));
      case SIGNED -> Long.toString(value.getLong(i));
      case UNSIGNED -> Long.toUnsignedString(value.getLong(i));
      case FLOAT -> number(value, value.getDouble(i));
      case COMPLEX ->
          "("
              + number(value, value.getDouble(i))
              + ", "
              + number(value, value.getImaginary(i))
              + ")";
    };
  }

  private static String number(Literal value, double number) {
    return value.element().bits() > (value.element().isComplex() ? 64 : 32)
        ? Double.toString(number)
        : Float.toString((float) number);
  }

  /** How one value compares with what is expected. */
  public enum Verdict {
    /** It is equal within the tolerance. */
    AS_EXPECTED,
    /** It is not. */
    DIFFERS,
    /** Nothing was expected of it. */
    NOT_COMPARED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * How two sets of values compare.
   *
   * @param compared how many values were
   * @param differences a line for each value that differs, naming its first differing element
   * @param verdicts by key in value files
   */
  public record Comparison(
      int compared, ImmutableList<String> differences, ImmutableMap<String, Verdict> verdicts) {}

  /** Returns lines for people that say of each value how it compared, and nothing of its data. */
  public String describe(Comparison comparison) {
    return lines(
        (key, value) ->
            value.type() + ", " + requireNonNull(comparison.verdicts().get(key)).toString());
  }

  /**
   * Compares with the results that {@code file} expects.
   *
   * @param relative overrides the relative tolerance of every type when given
   * @param absolute overrides the absolute tolerance of every type when given
   */
  public Comparison compare(ValueFile file, @Nullable Double relative, @Nullable Double absolute) {
    int compared = 0;
    ImmutableList.Builder<String> differences = ImmutableList.builder();
    ImmutableMap.Builder<String, Verdict> verdicts = ImmutableMap.builder();
    for (Map.Entry<String, Literal> entry : byKey().entrySet()) {
      int dot = entry.getKey().indexOf(".dev");
      int index = Integer.parseInt(entry.getKey().substring("out".length(), dot));
      int device = Integer.parseInt(entry.getKey().substring(dot + ".dev".length()));
      Literal actual = entry.getValue();
      Optional<ImmutableList<Literal>> parts = parts(file, index, actual);
      if (parts.isPresent()) {
        ImmutableList<String> unlike =
            OpenParts.differences(
                index, 0, actual, parts.get(), tolerance(actual, relative, absolute));
        verdicts.put(entry.getKey(), unlike.isEmpty() ? Verdict.AS_EXPECTED : Verdict.DIFFERS);
        if (device == 0) {
          compared += parts.get().size();
          differences.addAll(unlike);
        }
        continue;
      }
      Optional<Literal> expected = file.result(index, device, actual.type());
      if (expected.isEmpty()) {
        verdicts.put(entry.getKey(), Verdict.NOT_COMPARED);
        continue;
      }
      compared++;
      Tolerance tolerance = tolerance(actual, relative, absolute);
      OptionalInt at = tolerance.firstDifference(expected.get(), actual);
      verdicts.put(entry.getKey(), at.isPresent() ? Verdict.DIFFERS : Verdict.AS_EXPECTED);
      if (at.isPresent()) {
        differences.add(
            String.format(
                "%s differs at %s: got %s, expected %s",
                entry.getKey(),
                place(actual, at.getAsInt()),
                element(actual, at.getAsInt()),
                element(expected.get(), at.getAsInt())));
      }
    }
    return new Comparison(compared, differences.build(), verdicts.buildOrThrow());
  }

  /** Returns the parts that {@code file} has of a result whose sharding the program leaves open. */
  private Optional<ImmutableList<Literal>> parts(ValueFile file, int index, Literal whole) {
    boolean cut =
        layout.isOpen(index)
            && file.dims(ValueKeys.result(index, 0))
                .filter(dims -> !dims.equals(whole.dims()))
                .isPresent();
    return cut ? OpenParts.expected(file, index, whole, byDevice.size()) : Optional.empty();
  }

  static Tolerance tolerance(Literal value, @Nullable Double relative, @Nullable Double absolute) {
    Tolerance usual = Tolerance.defaultFor(value.element());
    return new Tolerance(
        relative == null ? usual.relative() : relative,
        absolute == null ? usual.absolute() : absolute);
  }

  /** Returns the index of element {@code i} along each dimension. */
  static String place(Literal value, int i) {
    int rest = i;
    StringBuilder out = new StringBuilder();
    for (int d = value.dims().length() - 1; d >= 0; d--) {
      int size = (int) value.dims().get(d);
      out.insert(0, (d == 0 ? "" : ", ") + rest % size);
      rest /= size;
    }
    return "[" + out + "]";
  }
}
