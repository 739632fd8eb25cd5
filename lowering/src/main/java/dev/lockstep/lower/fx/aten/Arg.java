package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/** What a name or an argument in a graph stands for. Closed. */
public sealed interface Arg {
  /** {@code None}. */
  enum None implements Arg {
    /** The one of it. */
    INSTANCE
  }

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

  /** An input that is no tensor and no number, such as a device mesh; a graph hands it through. */
  record Opaque(String name) implements Arg {}

  /**
   * A tensor. Identity is the object, since operators such as {@code add_} change what it holds:
   * all names of the object then see the new value, and so do views of the same memory, which are
   * computed anew from their base when they are next asked.
   */
  final class Tensor implements Arg {
    private Value value;
    private final @Nullable Tensor base;
    private final @Nullable View view;
    private final @Nullable String parameter;
    private int version;

    private Tensor(
        Value value, @Nullable Tensor base, @Nullable View view, @Nullable String parameter) {
      this.value = value;
      this.base = base;
      this.view = view;
      this.parameter = parameter;
      this.version = base == null ? 0 : base.root().version;
    }

    /** Returns a tensor of its own. */
    public static Tensor of(Value value) {
      return new Tensor(value, null, null, null);
    }

    /** Returns the argument called {@code name}. */
    public static Tensor parameter(Value value, String name) {
      return new Tensor(value, null, null, name);
    }

    /** Returns a view of {@code base}: changing one changes the other. */
    public static Tensor view(Value value, Tensor base, View view) {
      return new Tensor(value, base, view, null);
    }

    /** Returns the tensor whose memory this shares, at last; itself when it is no view. */
    public Tensor root() {
      return base == null ? this : base.root();
    }

    /** Returns the name of the argument whose memory this shares, or null. */
    public @Nullable String parameter() {
      return root().parameter;
    }

    /** Returns what it holds now. */
    public Value value() {
      if (base != null && view != null && version != root().version) {
        value = view.take(base.value());
        version = root().version;
      }
      return value;
    }

    /**
     * Sets what it holds from now on, and with it what all tensors of the same memory hold.
     *
     * @return false when the memory is reached through a view that cannot be written through
     */
    public boolean set(Value newValue) {
      if (base != null && view != null) {
        Value whole = view.put(base.value(), newValue);
        if (whole == null || !base.set(whole)) {
          return false;
        }
        value = newValue;
        version = root().version;
        return true;
      }
      value = newValue;
      version++;
      return true;
    }

    /** Sets the value that stands for the same contents from now on. */
    public void replace(Value sameContents) {
      value = sameContents;
    }

    /** Returns its type. */
    public TensorType type() {
      return (TensorType) value().type();
    }
  }

  /** How a tensor shows the memory of another. */
  interface View {
    /** Returns what it shows of {@code base}. */
    Value take(Value base);

    /** Returns {@code base} with what is shown replaced; null when that is not possible. */
    @Nullable Value put(Value base, Value shown);
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
    if (this instanceof Opaque opaque) {
      return "the object '" + opaque.name() + "', whose type the text does not say";
    }
    return this instanceof Slice ? "a slice" : "None";
  }
}
