package dev.lockstep.hlo.ir;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * An SSA value: a result of an operation or an argument of a block. Identity is the object; two
 * values are never equal because they look alike.
 */
public final class Value {
  private final Type type;
  private final @Nullable String name;

  /** Creates a value; {@code name} is what the text called it, without {@code %}, or null. */
  public Value(Type type, @Nullable String name) {
    this.type = requireNonNull(type);
    this.name = name;
  }

  /** Creates a value without a name. */
  public Value(Type type) {
    this(type, null);
  }

  /** Returns the type. */
  public Type type() {
    return type;
  }

  /**
   * Returns the name that the text gave, or null. In HLO it is printed; in MLIR it is not, since
   * MLIR's printer numbers values anew.
   */
  public @Nullable String name() {
    return name;
  }

  @Override
  public String toString() {
    return "%" + (name == null ? "?" : name) + ": " + type;
  }
}
