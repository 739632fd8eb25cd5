package dev.lockstep.hlo.op;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A typed attribute of an op: its name in each syntax and how its value is read from either form.
 *
 * <p>A name may be a path of a struct field: {@code dimension_numbers.offset_dims} reads field
 * {@code offset_dims} of the struct {@code dimension_numbers}.
 *
 * @param <T> the type of the value
 */
public final class AttrKey<T> {

  /** Reads a value from the forms that an attribute may have; null when the form is wrong. */
  public interface Decoder<T> {
    @Nullable T decode(Attribute attribute);
  }

  private final String mlirName;
  private final String hloName;
  private final Decoder<T> decoder;
  private final String expected;

  private AttrKey(String mlirName, String hloName, Decoder<T> decoder, String expected) {
    this.mlirName = mlirName;
    this.hloName = hloName;
    this.decoder = decoder;
    this.expected = expected;
  }

  /**
   * Returns a key.
   *
   * @param mlirName name or path in MLIR; empty when MLIR has no such attribute
   * @param hloName name or path in HLO text; empty when HLO has no such attribute
   * @param decoder reads the value
   * @param expected what the value must be, in words for a diagnostic: "an integer"
   */
  public static <T> AttrKey<T> of(
      String mlirName, String hloName, Decoder<T> decoder, String expected) {
    return new AttrKey<>(mlirName, hloName, decoder, expected);
  }

  /** Returns the name or path in MLIR, maybe empty. */
  public String mlirName() {
    return mlirName;
  }

  /** Returns the name or path in HLO text, maybe empty. */
  public String hloName() {
    return hloName;
  }

  /** Returns the attribute of {@code operation} under either name, or null. */
  public @Nullable Attribute raw(Operation operation) {
    Attribute found = find(operation, mlirName);
    return found != null || hloName.equals(mlirName) ? found : find(operation, hloName);
  }

  private static @Nullable Attribute find(Operation operation, String path) {
    if (path.isEmpty()) {
      return null;
    }
    int dot = path.indexOf('.');
    if (dot < 0) {
      return operation.attribute(path);
    }
    Attribute outer = operation.attribute(path.substring(0, dot));
    if (outer instanceof Attribute.Struct) {
      return ((Attribute.Struct) outer).fields().get(path.substring(dot + 1));
    }
    return outer instanceof Attribute.Dict
        ? ((Attribute.Dict) outer).entries().get(path.substring(dot + 1))
        : null;
  }

  /**
   * Returns the value on {@code operation}, or null when it is absent.
   *
   * @throws DiagnosticException if the attribute has the wrong form
   */
  public @Nullable T find(Operation operation) {
    Attribute attribute = raw(operation);
    if (attribute == null) {
      return null;
    }
    T value = decoder.decode(attribute);
    if (value == null) {
      throw DiagnosticException.error(
          "attribute-form",
          "attribute '" + written(operation) + "' must be " + expected,
          operation.location());
    }
    return value;
  }

  /**
   * Returns the value on {@code operation}, or {@code fallback} when it is absent.
   *
   * @throws DiagnosticException if the attribute has the wrong form
   */
  public T getOr(Operation operation, T fallback) {
    T value = find(operation);
    return value == null ? fallback : value;
  }

  /**
   * Returns the value on {@code operation}.
   *
   * @throws DiagnosticException if the attribute is missing or has the wrong form
   */
  public T get(Operation operation) {
    T value = find(operation);
    if (value == null) {
      throw DiagnosticException.error(
          "attribute-missing",
          operation.def().name() + " needs attribute '" + written(operation) + "'",
          operation.location());
    }
    return value;
  }

  private String written(Operation operation) {
    return !hloName.isEmpty() && find(operation, hloName) != null || mlirName.isEmpty()
        ? hloName
        : mlirName;
  }
}
