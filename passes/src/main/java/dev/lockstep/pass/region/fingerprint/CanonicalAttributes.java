package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes attributes: sorted by name, one form for what can be written in several, nothing for what
 * says no more than its absence, and nothing for names and places that only people read.
 */
final class CanonicalAttributes implements Attribute.Visitor<Boolean> {
  /** What says where an operation came from, or what a user calls an argument. */
  private static final ImmutableSet<String> NAMES =
      ImmutableSet.of(
          "metadata",
          "origin",
          "original_value",
          "sym_name",
          "sym_visibility",
          "function_type",
          "jax.arg_info",
          "jax.result_info",
          "mhlo.layout_mode",
          "FileNames",
          "FunctionNames",
          "FileLocations",
          "StackFrames");

  private final CanonicalSink sink;
  private final CanonicalTypes types;
  private final Function<Attribute.Symbol, String> symbols;

  /**
   * Creates a writer.
   *
   * @param symbols what to write for the name of a function or another symbol
   */
  CanonicalAttributes(
      CanonicalSink sink, CanonicalTypes types, Function<Attribute.Symbol, String> symbols) {
    this.sink = sink;
    this.types = types;
    this.symbols = symbols;
  }

  /** Writes the entries that {@code skipped} does not name. */
  void write(Attributes attributes, ImmutableSet<String> skipped) {
    int size = attributes.size();
    Integer[] order = new Integer[size];
    int kept = 0;
    for (int i = 0; i < size; i++) {
      String name = attributes.name(i);
      if (!NAMES.contains(name)
          && !skipped.contains(name)
          && !isDefault(name, attributes.value(i))) {
        order[kept++] = i;
      }
    }
    Arrays.sort(order, 0, kept, (a, b) -> attributes.name(a).compareTo(attributes.name(b)));
    sink.number(kept);
    for (int i = 0; i < kept; i++) {
      sink.word(attributes.name(order[i]));
      write(attributes.value(order[i]));
    }
  }

  /** Writes one attribute. */
  void write(Attribute attribute) {
    attribute.accept(this);
  }

  /** Returns whether leaving the entry out means the same. */
  static boolean isDefault(String name, Attribute value) {
    if (value instanceof Attribute.Bool) {
      return !((Attribute.Bool) value).value();
    }
    if (value instanceof Attribute.Array) {
      Stream<Attribute> elements = ((Attribute.Array) value).elements().stream();
      return switch (name) {
        case "precision_config" -> elements.allMatch(CanonicalAttributes::isPlain);
        case "arg_attrs", "res_attrs" -> elements.allMatch(CanonicalAttributes::saysNothing);
        default -> ((Attribute.Array) value).elements().isEmpty();
      };
    }
    if (value instanceof Attribute.Dict) {
      return ((Attribute.Dict) value).entries().isEmpty() && !name.equals("backend_config");
    }
    if (value instanceof Attribute.Str) {
      return ((Attribute.Str) value).value().isEmpty();
    }
    if (value instanceof Attribute.Int) {
      long number = ((Attribute.Int) value).value();
      return switch (name) {
        case "api_version", "feature_group_count", "batch_group_count" -> number == 1;
        default -> false;
      };
    }
    if (value instanceof Attribute.Struct && name.equals("channel_handle")) {
      Attribute handle = ((Attribute.Struct) value).fields().get("handle");
      return handle instanceof Attribute.Int && ((Attribute.Int) handle).value() <= 0;
    }
    return name.equals("result_accuracy") && value.toString().contains("DEFAULT")
        || name.equals("compare_type") && isNotype(value);
  }

  /** Returns whether all that a dictionary of an argument holds are names for people. */
  private static boolean saysNothing(Attribute element) {
    if (!(element instanceof Attribute.Dict)) {
      return false;
    }
    Attributes entries = ((Attribute.Dict) element).entries();
    for (int i = 0; i < entries.size(); i++) {
      if (!NAMES.contains(entries.name(i)) && !isDefault(entries.name(i), entries.value(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNotype(Attribute value) {
    return value instanceof Attribute.Word && ((Attribute.Word) value).value().equals("NOTYPE");
  }

  private static boolean isPlain(Attribute element) {
    return element instanceof Attribute.Word
        && ((Attribute.Word) element).value().equals("DEFAULT");
  }

  @Override
  public Boolean unit(Attribute.Unit attribute) {
    sink.word("true");
    return true;
  }

  @Override
  public Boolean bool(Attribute.Bool attribute) {
    sink.word(attribute.value() ? "true" : "false");
    return true;
  }

  @Override
  public Boolean integer(Attribute.Int attribute) {
    sink.number(attribute.value());
    return true;
  }

  @Override
  public Boolean floating(Attribute.Real attribute) {
    sink.word("real");
    sink.number(Double.doubleToRawLongBits(attribute.value()));
    return true;
  }

  @Override
  public Boolean string(Attribute.Str attribute) {
    sink.word(attribute.value());
    return true;
  }

  @Override
  public Boolean array(Attribute.Array attribute) {
    sink.word("list");
    sink.number(attribute.elements().size());
    attribute.elements().forEach(this::write);
    return true;
  }

  @Override
  public Boolean dict(Attribute.Dict attribute) {
    sink.word("dictionary");
    write(attribute.entries(), ImmutableSet.of());
    return true;
  }

  @Override
  public Boolean dense(Attribute.Dense attribute) {
    Literal literal = attribute.literal();
    if (literal.type().rank() == 1 && literal.element() == ElementType.I64) {
      return numbers(ImmutableLongArray.copyOf(literal.toLongs()));
    }
    sink.literal(literal);
    return true;
  }

  @Override
  public Boolean longs(Attribute.Longs attribute) {
    return numbers(attribute.values());
  }

  private Boolean numbers(ImmutableLongArray values) {
    sink.word("list");
    sink.number(values.length());
    for (int i = 0; i < values.length(); i++) {
      sink.number(values.get(i));
    }
    return true;
  }

  @Override
  public Boolean doubles(Attribute.Doubles attribute) {
    sink.word("reals");
    sink.number(attribute.values().size());
    for (Double value : attribute.values()) {
      sink.number(Double.doubleToRawLongBits(value));
    }
    return true;
  }

  @Override
  public Boolean type(Attribute.TypeOf attribute) {
    types.write(attribute.type());
    return true;
  }

  @Override
  public Boolean symbol(Attribute.Symbol attribute) {
    sink.word(symbols.apply(attribute));
    return true;
  }

  @Override
  public Boolean word(Attribute.Word attribute) {
    sink.word(attribute.value());
    return true;
  }

  @Override
  public Boolean struct(Attribute.Struct attribute) {
    sink.word(attribute.kind());
    write(attribute.fields(), ImmutableSet.of());
    return true;
  }

  @Override
  public Boolean groups(Attribute.Groups attribute) {
    sink.word("groups");
    sink.number(attribute.groups().lists().size());
    attribute.groups().lists().forEach(this::numbers);
    return true;
  }

  @Override
  public Boolean raw(Attribute.Raw attribute) {
    sink.word(attribute.text());
    return true;
  }
}
