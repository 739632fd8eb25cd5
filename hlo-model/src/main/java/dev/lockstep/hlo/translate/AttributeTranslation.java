package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.compute.DotAlgorithm;
import dev.lockstep.hlo.type.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Attributes in the names and forms of the other syntax. An op's {@link AttrKey}s read either form
 * into one typed value and know both names; what is left for tables here is how the other syntax
 * writes such a value, by the type of the value and in a few cases by the name.
 */
final class AttributeTranslation {
  /** MLIR's kinds of words, by the name of the attribute. */
  private static final ImmutableMap<String, String> WORDS =
      ImmutableMap.of(
          "comparison_direction", "stablehlo.comparison_direction",
          "compare_type", "stablehlo.comparison_type",
          "rng_distribution", "stablehlo.rng_distribution",
          "rng_algorithm", "stablehlo.rng_algorithm",
          "fft_type", "stablehlo.fft_type",
          "transpose_a", "stablehlo.transpose");

  /** MLIR's kinds of structs, by the name of the attribute and of a field. */
  private static final ImmutableMap<String, String> STRUCTS =
      ImmutableMap.of(
          "dot_dimension_numbers", "stablehlo.dot",
          "dimension_numbers", "stablehlo.gather",
          "scatter_dimension_numbers", "stablehlo.scatter",
          "channel_handle", "stablehlo.channel_handle");

  /** Numbers that MLIR keeps in 32 bits. */
  private static final ImmutableSet<String> NARROW =
      ImmutableSet.of("exponent_bits", "mantissa_bits");

  /** Attributes without keys that both syntaxes call and write alike. */
  private static final ImmutableList<String> ALIKE =
      ImmutableList.of("indices_are_sorted", "unique_indices");

  private final Operation operation;
  private final OpBuilder builder;
  private final boolean toHlo;
  private final Map<String, Attribute> out = new LinkedHashMap<>();
  private final Map<String, Attributes.Builder> structs = new LinkedHashMap<>();

  private AttributeTranslation(Operation operation, OpBuilder builder) {
    this.operation = operation;
    this.builder = builder;
    this.toHlo = builder.scope().syntax() == Syntax.HLO;
  }

  /**
   * Returns the attributes of {@code operation} in the syntax that {@code builder} builds.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if one has no form there
   */
  static Attributes of(Operation operation, OpBuilder builder) {
    return new AttributeTranslation(operation, builder).translate();
  }

  private Attributes translate() {
    for (AttrKey<?> key : operation.def().attributes()) {
      Object value = key.find(operation);
      String name = toHlo ? key.hloName() : key.mlirName();
      if (value == null || name.isEmpty()) {
        continue;
      }
      Attribute written = write(name, key, value);
      if (written == null) {
        continue;
      }
      int dot = name.indexOf('.');
      if (dot < 0) {
        out.put(name, written);
      } else {
        structs
            .computeIfAbsent(name.substring(0, dot), struct -> Attributes.builder())
            .put(name.substring(dot + 1), written);
      }
    }
    windowPadding();
    structs.forEach(this::putStruct);
    for (String name : ALIKE) {
      Attribute flag = operation.attribute(name);
      if (flag != null) {
        out.put(name, flag);
      }
    }
    precision();
    accuracy();
    out.putAll(ofEveryOp(operation, toHlo));
    Attributes.Builder all = Attributes.builder();
    out.forEach(all::put);
    return all.build();
  }

  /** Returns what may stand on any op: shardings and words for compilers further down. */
  static ImmutableMap<String, Attribute> ofEveryOp(Operation operation, boolean toHlo) {
    ImmutableMap.Builder<String, Attribute> out = ImmutableMap.builder();
    Attribute sharding = operation.attribute(toHlo ? "mhlo.sharding" : "sharding");
    if (toHlo && sharding instanceof Attribute.Str text) {
      out.put("sharding", ShardingTexts.ofHlo(text, operation.location()));
    } else if (!toHlo && sharding instanceof Attribute.Raw) {
      out.put("mhlo.sharding", Attribute.Str.of(((Attribute.Raw) sharding).text()));
    }
    Attribute words =
        operation.attribute(toHlo ? "mhlo.frontend_attributes" : "frontend_attributes");
    if (words instanceof Attribute.Dict) {
      out.put(
          toHlo ? "frontend_attributes" : "mhlo.frontend_attributes",
          toHlo ? words : quoted((Attribute.Dict) words));
    }
    return out.buildOrThrow();
  }

  /** HLO text leaves out the quotes around values in braces; they are strings all the same. */
  static Attribute quoted(Attribute.Dict words) {
    Attributes.Builder out = Attributes.builder();
    words
        .entries()
        .forEach(
            (key, value) ->
                out.put(
                    key,
                    value instanceof Attribute.Raw
                        ? Attribute.Str.of(((Attribute.Raw) value).text())
                        : value));
    return new Attribute.Dict(out.build());
  }

  private @Nullable Attribute write(String name, AttrKey<?> key, Object value) {
    if (value instanceof Long) {
      long number = (Long) value;
      if (toHlo) {
        return name.equals("dimensions")
            ? Attribute.Longs.of(number)
            : Attribute.Int.untyped(number);
      }
      return NARROW.contains(name) ? Attribute.Int.i32(number) : Attribute.Int.i64(number);
    }
    if (value instanceof Double) {
      return new Attribute.Real((Double) value, toHlo ? null : ElementType.F32);
    }
    if (value instanceof Boolean) {
      boolean flag = (Boolean) value;
      if (key.mlirName().equals("use_global_device_ids")) {
        return !flag ? null : toHlo ? Attribute.Bool.TRUE : Attribute.Unit.UNIT;
      }
      return Attribute.Bool.of(flag);
    }
    if (value instanceof String) {
      return word(key, (String) value);
    }
    if (value instanceof ReplicaGroups) {
      return builder.groups((ReplicaGroups) value);
    }
    if (value instanceof ImmutableLongArray) {
      ImmutableLongArray numbers = (ImmutableLongArray) value;
      return key.mlirName().equals("window_reversal")
          ? new Attribute.Longs(numbers, ElementType.I1)
          : Attribute.Longs.of(numbers.toArray());
    }
    if (name.equals("source_target_pairs")) {
      ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(raw(key));
      return rows == null ? null : builder.pairs(rows);
    }
    if (key.mlirName().equals("dimension_numbers") && raw(key) instanceof Attribute.Raw labels) {
      return new Attribute.Raw(toHlo ? labelsOfHlo(labels.text()) : labelsOfMlir(labels.text()));
    }
    return null;
  }

  private Attribute raw(AttrKey<?> key) {
    return java.util.Objects.requireNonNull(key.raw(operation));
  }

  private @Nullable Attribute word(AttrKey<?> key, String value) {
    String kind = WORDS.get(key.mlirName());
    if (kind == null) {
      return Attribute.Str.of(value);
    }
    if (value.equals("NOTYPE")) {
      return null;
    }
    String prefix = key.mlirName().startsWith("rng_") ? "rng_" : "";
    if (toHlo) {
      return new Attribute.Word(
          "", prefix.isEmpty() ? value : prefix + value.toLowerCase(Locale.ROOT));
    }
    return new Attribute.Word(
        kind, prefix.isEmpty() ? value : value.substring(prefix.length()).toUpperCase(Locale.ROOT));
  }

  private void putStruct(String name, Attributes.Builder fields) {
    Attributes values = fields.build();
    if (!toHlo && name.equals("channel_handle")) {
      values = values.with("type", Attribute.Int.i64(1));
      if (values.get("handle") instanceof Attribute.Int handle && handle.value() == 0) {
        values = values.with("handle", Attribute.Int.i64(Collectives.NOT_ZERO));
      }
    }
    out.put(name, new Attribute.Struct(toHlo ? name : kind(name), values));
  }

  private static String kind(String name) {
    String kind = STRUCTS.get(name);
    return kind == null ? name : kind;
  }

  /** Padding of windows: rows in MLIR, two fields of the window in HLO. */
  private void windowPadding() {
    Attribute rows = operation.attribute("padding");
    if (toHlo && rows instanceof Attribute.Dense) {
      ImmutableList<ImmutableLongArray> pairs = AttrKeys.asRows(rows);
      if (pairs == null) {
        return;
      }
      ImmutableLongArray.Builder low = ImmutableLongArray.builder();
      ImmutableLongArray.Builder high = ImmutableLongArray.builder();
      for (ImmutableLongArray pair : pairs) {
        low.add(pair.get(0));
        high.add(pair.get(1));
      }
      structs
          .computeIfAbsent("window", struct -> Attributes.builder())
          .put("pad_low", Attribute.Longs.of(low.build().toArray()))
          .put("pad_high", Attribute.Longs.of(high.build().toArray()));
    }
    Attribute window = operation.attribute("window");
    if (!toHlo && window instanceof Attribute.Struct) {
      Attribute low = ((Attribute.Struct) window).fields().get("pad_low");
      Attribute high = ((Attribute.Struct) window).fields().get("pad_high");
      if (low == null || high == null) {
        return;
      }
      ImmutableLongArray lows = AttrKeys.asLongs(low);
      ImmutableLongArray highs = AttrKeys.asLongs(high);
      List<ImmutableLongArray> pairs = new ArrayList<>();
      for (int i = 0; lows != null && highs != null && i < lows.length(); i++) {
        pairs.add(ImmutableLongArray.of(lows.get(i), highs.get(i)));
      }
      out.put("padding", builder.pairs(pairs));
    }
  }

  private void precision() {
    Attribute precision = operation.attribute(toHlo ? "precision_config" : "operand_precision");
    if (toHlo && precision instanceof Attribute.Array) {
      List<String> words = new ArrayList<>();
      for (Attribute each : ((Attribute.Array) precision).elements()) {
        words.add(String.valueOf(AttrKeys.asWord(each)).toLowerCase(Locale.ROOT));
      }
      if (words.stream().anyMatch(each -> !each.equals("default"))) {
        out.put("operand_precision", new Attribute.Raw("{" + String.join(",", words) + "}"));
      }
    } else if (!toHlo && precision instanceof Attribute.Raw) {
      ImmutableList.Builder<Attribute> words = ImmutableList.builder();
      String text = ((Attribute.Raw) precision).text();
      for (String each : text.replaceAll("[{} ]", "").split(",", -1)) {
        words.add(new Attribute.Word("stablehlo.precision", each.toUpperCase(Locale.ROOT)));
      }
      out.put("precision_config", new Attribute.Array(words.build()));
    }
    algorithm();
  }

  private void algorithm() {
    Attribute algorithm = operation.attribute("algorithm");
    if (algorithm == null
        || operation.def().attributes().stream()
            .anyMatch(key -> key.hloName().equals("algorithm"))) {
      return;
    }
    if (toHlo) {
      String name = DotAlgorithm.hloName(operation);
      if (name == null) {
        throw Untranslatable.attribute(operation, "algorithm");
      }
      out.put("algorithm", new Attribute.Raw(name));
      return;
    }
    String name = algorithm instanceof Attribute.Raw raw ? raw.text() : AttrKeys.asWord(algorithm);
    if (!"dot_unset".equals(name)) {
      Attribute translated = name == null ? null : DotAlgorithm.named(name);
      if (translated == null) {
        throw Untranslatable.attribute(operation, "algorithm");
      }
      out.put("algorithm", translated);
    }
  }

  private void accuracy() {
    Attribute accuracy = operation.attribute("result_accuracy");
    if (accuracy != null && !accuracy.toString().contains("DEFAULT")) {
      throw Untranslatable.attribute(operation, "result_accuracy");
    }
  }

  /** Returns MLIR's labels, such as {@code [b, 0, f]x[0, i, o]->[b, 0, f]}, as HLO writes them. */
  private static String labelsOfHlo(String text) {
    String inside = text.substring(text.indexOf('['), text.lastIndexOf(']') + 1);
    return inside.replace("]x[", "_").replaceAll("[\\[\\], ]", "");
  }

  private static String labelsOfMlir(String text) {
    StringBuilder out = new StringBuilder("#stablehlo.conv<[");
    boolean fresh = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '_') {
        out.append("]x[");
        fresh = true;
      } else if (c == '-') {
        out.append("]->[");
        fresh = true;
        i++;
      } else {
        out.append(fresh ? "" : ", ").append(c);
        fresh = false;
      }
    }
    return out.append("]>").toString();
  }
}
