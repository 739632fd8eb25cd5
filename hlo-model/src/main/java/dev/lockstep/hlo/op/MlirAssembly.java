package dev.lockstep.hlo.op;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * How an op looks in MLIR text, as data that reader and printer interpret: the counterpart of the
 * assembly formats in the dialects' own definitions.
 *
 * <p>A format is a list of words:
 *
 * <ul>
 *   <li>{@code %} all operands with commas, {@code %1} one operand;
 *   <li>{@code $name/kind} an attribute, written as the kind says;
 *   <li>{@code ?key=$name/kind} the same with a comma and maybe a key in front, left out when the
 *       attribute is absent;
 *   <li>{@code ~key=$name/kind} the same without a comma, behind its key; {@code ~$name/word} a
 *       word that may be missing;
 *   <li>{@code dict} the other attributes;
 *   <li>{@code :sig} the types, in one of the ways of {@link Signature};
 *   <li>{@code <custom>} a form that one op family has for itself, see {@link Custom};
 *   <li>anything else stands for itself.
 * </ul>
 *
 * @param elements the format; empty when the op has only the generic form
 * @param inherent attributes that the generic form prints as properties
 * @param written attributes that the format itself writes
 * @param defaults attributes that the custom form leaves out when they have this value
 * @param names what the op calls its results ({@code c} and {@code cst}: integers and others), or
 *     with {@link Custom#WHILE} the arguments of its regions
 */
public record MlirAssembly(
    ImmutableList<Element> elements,
    ImmutableSet<String> inherent,
    ImmutableSet<String> written,
    ImmutableList<Default> defaults,
    ImmutableList<String> names) {

  /** The assembly of ops that nobody described. */
  public static final MlirAssembly GENERIC =
      new MlirAssembly(
          ImmutableList.of(),
          ImmutableSet.of(),
          ImmutableSet.of(),
          ImmutableList.of(),
          ImmutableList.of());

  private static final ConcurrentMap<String, MlirAssembly> ALL = new ConcurrentHashMap<>();

  static {
    MlirAssemblies.fill(ALL);
  }

  /** What an element of a format is. */
  public enum Kind {
    LITERAL,
    OPERANDS,
    OPERAND,
    ATTRIBUTE,
    OPTIONAL,
    LABELLED,
    DICTIONARY,
    TYPES,
    CUSTOM
  }

  /** How the types are written. */
  public enum Signature {
    /** {@code (T, U) -> R}. */
    FN,
    /** {@code T} when all are T, else as {@link #FN}. */
    SAME,
    /** {@code R} for two operands of its part type, else as {@link #FN}. */
    COMPLEX,
    /** {@code P, T} when the last operands and the result are T, else as {@link #FN}. */
    SELECT,
    /** {@code T, U}: of operands and, the same, of results. */
    PAIRS,
    /** {@code T, U} of the operands; no results, or those of the operands. */
    OPERANDS,
    /** One type of all operands and results. */
    ALL,
    /** {@code T} of the results. */
    RESULTS,
    /** {@code tuple<T, U>} of a result, whose elements the operands are. */
    TUPLE,
    /** {@code T, U -> R}. */
    ARROW,
    /** {@code T, U to R}. */
    TO
  }

  /** Forms that are not made of the general elements. */
  public enum Custom {
    TARGET("call_target_name"),
    LITERAL("value"),
    SLICE("start_indices", "limit_indices", "strides"),
    DOT("dot_dimension_numbers", "precision_config", "algorithm"),
    CONVOLUTION(
        "dimension_numbers",
        "window_strides",
        "padding",
        "lhs_dilation",
        "rhs_dilation",
        "window_reversal"),
    REDUCE("dimensions"),
    WHILE,
    FORMAT("exponent_bits", "mantissa_bits"),
    CALL("callee"),
    RETURN,
    MESH("sym_name", "mesh"),
    MANUAL("in_shardings", "out_shardings", "manual_axes"),
    NAMED("name"),
    SCAN("operandSegmentSizes", "dimension"),
    COMPUTATION("name", "in_shardings", "out_shardings");

    private final String[] written;

    Custom(String... written) {
      this.written = written;
    }
  }

  /** How an attribute is written. */
  public enum ValueKind {
    /** {@code [0, 1]}. */
    LONGS,
    /** {@code [true, false]}. */
    BOOLS,
    /** {@code 0}, an i64. */
    INT,
    /** A word of the enumeration {@code detail}. */
    WORD,
    /** {@code [DEFAULT, DEFAULT]} of the enumeration {@code detail}. */
    WORDS,
    /** As anywhere else. */
    ATTR,
    /** Without its type. */
    BARE,
    /** The bracketed part of the dialect attribute {@code detail}. */
    BODY,
    /** The same, where the attribute goes on with another bracket: {@code #d<name{...}>}. */
    WRAPPED
  }

  /**
   * One word of a format.
   *
   * @param kind what it is
   * @param text the literal, or the key of an optional attribute (empty: only a comma)
   * @param attribute the attribute's name
   * @param value how the attribute is written
   * @param detail what {@code value} needs
   * @param signature for types
   * @param custom for custom forms
   */
  public record Element(
      Kind kind,
      String text,
      String attribute,
      ValueKind value,
      String detail,
      Signature signature,
      Custom custom) {}

  /**
   * A default value.
   *
   * @param name the attribute
   * @param value as MLIR text
   */
  public record Default(String name, String value) {}

  /** Returns whether the format itself writes {@code attribute}. */
  public boolean writes(String attribute) {
    return written.contains(attribute);
  }

  /** Returns whether the op has a form of its own. */
  public boolean isCustom() {
    return !elements.isEmpty();
  }

  /** Returns the assembly of {@code def}. */
  public static MlirAssembly of(OpDef def) {
    MlirAssembly found = ALL.get(def.name());
    return found == null ? GENERIC : found;
  }

  /** Returns the assembly of the op called {@code name}, or null when none is known. */
  public static @Nullable MlirAssembly named(String name) {
    return ALL.get(name);
  }

  /** Returns whether the generic form prints {@code attribute} of {@code def} as a property. */
  public static boolean isProperty(OpDef def, String attribute) {
    return of(def).inherent().contains(attribute) || def.isInherent(attribute);
  }

  /** Returns what the arguments of the op's regions are called, or null. */
  public @Nullable String argumentName() {
    return names.isEmpty() || !has(Custom.WHILE) ? null : names.get(0);
  }

  /** Returns what result {@code i} is called, or null when it gets a number. */
  public @Nullable String resultName(int i, boolean integers) {
    if (names.isEmpty() || has(Custom.WHILE)) {
      return null;
    }
    if (has(Custom.LITERAL)) {
      return names.get(integers ? 0 : 1);
    }
    return i < names.size() ? names.get(i) : null;
  }

  private boolean has(Custom custom) {
    for (Element element : elements) {
      if (element.kind() == Kind.CUSTOM && element.custom() == custom) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a reducer of only {@code def} may be written as {@code applies}. */
  public static boolean isCommutative(OpDef def) {
    return MlirAssemblies.COMMUTATIVE.contains(def.name());
  }

  static MlirAssembly parse(String format, String inherent, String defaults, String suggested) {
    ImmutableList.Builder<Element> elements = ImmutableList.builder();
    ImmutableSet.Builder<String> names = ImmutableSet.builder();
    ImmutableSet.Builder<String> written = ImmutableSet.builder();
    for (String word : format.isEmpty() ? new String[0] : format.split(" ")) {
      Element element = element(word);
      elements.add(element);
      if (!element.attribute().isEmpty()) {
        names.add(element.attribute());
        written.add(element.attribute());
      }
      if (element.kind() == Kind.CUSTOM) {
        written.add(element.custom().written);
      }
    }
    for (String name : inherent.isEmpty() ? new String[0] : inherent.split(" ")) {
      names.add(name);
    }
    ImmutableList.Builder<Default> values = ImmutableList.builder();
    for (String entry : defaults.isEmpty() ? new String[0] : defaults.split("; ")) {
      int eq = entry.indexOf('=');
      Default value = new Default(entry.substring(0, eq), entry.substring(eq + 1));
      values.add(value);
      names.add(value.name());
    }
    return new MlirAssembly(
        elements.build(),
        names.build(),
        written.build(),
        values.build(),
        suggested.isEmpty() ? ImmutableList.of() : ImmutableList.copyOf(suggested.split(" ")));
  }

  private static Element element(String word) {
    char first = word.charAt(0);
    if (word.equals("%")) {
      return simple(Kind.OPERANDS, "");
    }
    if (word.equals("%1")) {
      return simple(Kind.OPERAND, "");
    }
    if (word.equals("dict")) {
      return simple(Kind.DICTIONARY, "");
    }
    if (first == ':' && word.length() > 1) {
      return new Element(
          Kind.TYPES,
          "",
          "",
          ValueKind.ATTR,
          "",
          Signature.valueOf(upper(word, 1, 0)),
          Custom.CALL);
    }
    if (first == '<' && word.length() > 1) {
      return new Element(
          Kind.CUSTOM, "", "", ValueKind.ATTR, "", Signature.FN, Custom.valueOf(upper(word, 1, 1)));
    }
    int dollar = word.indexOf('$');
    if (dollar < 0 || first != '$' && first != '?' && first != '~') {
      return simple(Kind.LITERAL, word);
    }
    List<String> parts = Splitter.on('/').splitToList(word.substring(dollar + 1));
    String key = dollar > 1 ? word.substring(1, dollar - 1) : "";
    return new Element(
        first == '?' ? Kind.OPTIONAL : first == '~' ? Kind.LABELLED : Kind.ATTRIBUTE,
        key,
        parts.get(0),
        ValueKind.valueOf(upper(parts.get(1), 0, 0)),
        parts.size() > 2 ? parts.get(2) : "",
        Signature.FN,
        Custom.CALL);
  }

  private static Element simple(Kind kind, String text) {
    return new Element(kind, text, "", ValueKind.ATTR, "", Signature.FN, Custom.CALL);
  }

  private static String upper(String word, int skip, int drop) {
    return word.substring(skip, word.length() - drop).toUpperCase(java.util.Locale.ROOT);
  }
}
