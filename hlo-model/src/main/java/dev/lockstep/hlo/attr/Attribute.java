package dev.lockstep.hlo.attr;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * A compile-time value on an operation, a module or a type. Closed: readers of both syntaxes map
 * what they meet to these kinds, and what they do not model to {@link Raw}, which prints back
 * unchanged.
 *
 * <p>Attributes stand under the names and in the forms of the syntax they were read from; {@code
 * AttrKey}s read both forms into one typed value.
 */
public sealed interface Attribute {

  /** One method per permitted kind and no fallback. */
  interface Visitor<R> {
    R unit(Unit attribute);

    R bool(Bool attribute);

    R integer(Int attribute);

    R floating(Real attribute);

    R string(Str attribute);

    R array(Array attribute);

    R dict(Dict attribute);

    R dense(Dense attribute);

    R longs(Longs attribute);

    R doubles(Doubles attribute);

    R type(TypeOf attribute);

    R symbol(Symbol attribute);

    R word(Word attribute);

    R struct(Struct attribute);

    R groups(Groups attribute);

    R raw(Raw attribute);
  }

  /** Calls the method of {@code visitor} for this kind of attribute. */
  <R> R accept(Visitor<R> visitor);

  /** MLIR {@code unit}: being there is all it says. */
  record Unit() implements Attribute {
    /** The one unit attribute. */
    public static final Unit UNIT = new Unit();

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.unit(this);
    }
  }

  /** {@code true} or {@code false}. */
  record Bool(boolean value) implements Attribute {
    /** {@code true}. */
    public static final Bool TRUE = new Bool(true);

    /** {@code false}. */
    public static final Bool FALSE = new Bool(false);

    /** Returns the attribute for {@code value}. */
    public static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.bool(this);
    }
  }

  /**
   * An integer.
   *
   * @param value two's complement; unsigned 64-bit types use all bits
   * @param type the type MLIR text gave; null for {@code index} and for HLO text, which gives none
   */
  record Int(long value, @Nullable ElementType type) implements Attribute {
    /** Returns an {@code i64} attribute, MLIR's default. */
    public static Int i64(long value) {
      return new Int(value, ElementType.I64);
    }

    /** Returns an {@code i32} attribute. */
    public static Int i32(long value) {
      return new Int(value, ElementType.I32);
    }

    /** Returns an attribute without a type, as HLO text has them. */
    public static Int untyped(long value) {
      return new Int(value, null);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.integer(this);
    }
  }

  /**
   * A floating-point number.
   *
   * @param value the value, rounded to {@code type}
   * @param type the type MLIR text gave, or null in HLO text
   */
  record Real(double value, @Nullable ElementType type) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.floating(this);
    }
  }

  /**
   * A string, unescaped. Bytes that are not UTF-8 stand as the code points 0..255 they would be in
   * Latin-1 when {@code bytes} is set.
   *
   * @param value the characters
   * @param bytes whether {@code value} holds one byte a character
   */
  record Str(String value, boolean bytes) implements Attribute {
    /** Returns a string attribute over text. */
    public static Str of(String value) {
      return new Str(value, false);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.string(this);
    }
  }

  /** {@code [a, b]}. */
  record Array(ImmutableList<Attribute> elements) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.array(this);
    }
  }

  /** <code>{a = 1, b}</code>. */
  record Dict(Attributes entries) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.dict(this);
    }
  }

  /**
   * {@code dense<...> : tensor<...>}, and HLO literals.
   *
   * @param literal the values, never a splat in storage unless {@link Literal#isSplat}
   * @param type the type as written, with layout or encoding
   */
  record Dense(Literal literal, Type type) implements Attribute {
    /** Returns a dense attribute whose type is the literal's own. */
    public static Dense of(Literal literal) {
      return new Dense(literal, literal.type());
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.dense(this);
    }
  }

  /**
   * {@code array<i64: 1, 2>}, {@code array<i1: true>}, HLO's {@code {0,1}}.
   *
   * @param values the numbers; 0 or 1 for {@code i1}
   * @param element the element type, {@link ElementType#I64} in HLO text
   */
  record Longs(ImmutableLongArray values, ElementType element) implements Attribute {
    /** Returns {@code array<i64: values>}. */
    public static Longs of(long... values) {
      return new Longs(ImmutableLongArray.copyOf(values), ElementType.I64);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.longs(this);
    }
  }

  /** {@code array<f32: 1.0>}. */
  record Doubles(ImmutableList<Double> values, ElementType element) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.doubles(this);
    }
  }

  /** A type as a value. */
  record TypeOf(Type type) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.type(this);
    }
  }

  /**
   * {@code @f}, {@code @m::@f}, HLO's {@code %computation}.
   *
   * @param path the names from the outermost inwards, without {@code @} or {@code %}; not empty
   */
  record Symbol(ImmutableList<String> path) implements Attribute {
    /** Returns a reference to {@code name}. */
    public static Symbol of(String name) {
      return new Symbol(ImmutableList.of(name));
    }

    /** Returns the last name of the path. */
    public String name() {
      return path.get(path.size() - 1);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.symbol(this);
    }
  }

  /**
   * A word of a closed list: {@code #stablehlo<comparison_direction EQ>}, HLO's {@code kLoop}.
   *
   * @param kind dialect and mnemonic, {@code stablehlo.comparison_direction}; empty in HLO text
   * @param value the word
   */
  record Word(String kind, String value) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.word(this);
    }
  }

  /**
   * A named record: {@code #stablehlo.channel_handle<handle = 1, type = 1>}, HLO's window.
   *
   * @param kind dialect and mnemonic, {@code stablehlo.channel_handle}, or HLO's name of the form
   * @param fields the parameters that were given
   */
  record Struct(String kind, Attributes fields) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.struct(this);
    }
  }

  /** HLO's {@code replica_groups} in the form that was written. */
  record Groups(ReplicaGroups groups) implements Attribute {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.groups(this);
    }
  }

  /**
   * What a reader kept without looking inside; prints back unchanged.
   *
   * @param text the characters between the places where the reader looked
   */
  record Raw(String text) implements Attribute {
    /** Checks that there is a text. */
    public Raw {
      requireNonNull(text);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.raw(this);
    }
  }
}
