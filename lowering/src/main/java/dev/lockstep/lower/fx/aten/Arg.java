package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/** What a name or an argument in a graph stands for. Closed. */
public sealed interface Arg {
  /** {@code None}. */
  None NONE = new None();

  /** Nothing. */
  record None() implements Arg {}

  /** An integer; symbolic sizes are bound before they become one. */
  record Whole(long value) implements Arg {}

  /** A floating-point number. */
  record Real(double value) implements Arg {}

  /** {@code True} or {@code False}. */
  record Flag(boolean value) implements Arg {}

  /** A string. */
  record Text(String value) implements Arg {}

  /** {@code torch.float32}. */
  record Dtype(ElementType element) implements Arg {}

  /** A list or a tuple. */
  record Items(ImmutableList<Arg> elements) implements Arg {}

  /** {@code low:high:step}. */
  record Slice(Arg low, Arg high, Arg step) implements Arg {}

  /** What only says where and how torch keeps data, such as {@code torch.strided}; or "...". */
  record Word(String text) implements Arg {}

  /**
   * A tensor. Identity is the object, since operators such as {@code add_} change what it holds:
   * all names of the object then see the new value.
   */
  final class Tensor implements Arg {
    private Value value;
    private final @Nullable Tensor base;
    private final @Nullable String parameter;

    private Tensor(Value value, @Nullable Tensor base, @Nullable String parameter) {
      this.value = value;
      this.base = base;
      this.parameter = parameter;
    }

    /** Returns a tensor of its own. */
    public static Tensor of(Value value) {
      return new Tensor(value, null, null);
    }

    /** Returns the argument called {@code name}. */
    public static Tensor parameter(Value value, String name) {
      return new Tensor(value, null, name);
    }

    /** Returns a view of {@code base}: changing one changes the other. */
    public static Tensor view(Value value, Tensor base) {
      return new Tensor(value, base.root(), null);
    }

    /** Returns the tensor that this is a view of, at last; itself when it is none. */
    public Tensor root() {
      return base == null ? this : base;
    }

    /** Returns the name of the argument that this is, or null. */
    public @Nullable String parameter() {
      return parameter;
    }

    /** Returns what it holds now. */
    public Value value() {
      return value;
    }

    /** Sets what it holds from now on. */
    public void set(Value newValue) {
      value = newValue;
    }

    /** Returns its type. */
    public TensorType type() {
      return (TensorType) value.type();
    }
  }

  /** Returns a list. */
  static Items items(Iterable<? extends Arg> elements) {
    return new Items(ImmutableList.copyOf(elements));
  }

  /** Returns the tensor of {@code value}. */
  static Arg of(Value value) {
    return Tensor.of(value);
  }

  /** Returns whether this is a number or a truth value. */
  default boolean isNumber() {
    return this instanceof Whole || this instanceof Real || this instanceof Flag;
  }

  /** Returns what this is, for messages. */
  default String describe() {
    if (this instanceof Tensor tensor) {
      return "a tensor " + tensor.type();
    }
    if (this instanceof Whole whole) {
      return Long.toString(whole.value());
    }
    if (this instanceof Real real) {
      return Double.toString(real.value());
    }
    if (this instanceof Flag flag) {
      return flag.value() ? "True" : "False";
    }
    if (this instanceof Text text) {
      return "'" + text.value() + "'";
    }
    if (this instanceof Items items) {
      StringBuilder out = new StringBuilder("[");
      for (Arg element : items.elements()) {
        out.append(out.length() == 1 ? "" : ", ").append(element.describe());
      }
      return out.append(']').toString();
    }
    if (this instanceof Dtype dtype) {
      return dtype.element().toString();
    }
    if (this instanceof Word word) {
      return word.text();
    }
    return this instanceof Slice ? "a slice" : "None";
  }
}
