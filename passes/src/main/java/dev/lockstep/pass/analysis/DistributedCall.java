package dev.lockstep.pass.analysis;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.control.CustomCall;
import org.jspecify.annotations.Nullable;

/** Recognises torch.distributed calls and reads their dictionaries, in either syntax. */
public final class DistributedCall {
  /** The call that only hands on what another call gives. */
  public static final String WAIT = "_c10d_functional.wait_tensor";

  private DistributedCall() {}

  /** Returns the name of the call that {@code operation} is, known or not; null for other ops. */
  public static @Nullable String target(Operation operation) {
    if (!operation.is(CustomCall.DEF)) {
      return null;
    }
    String target = CustomCall.TARGET.find(operation);
    return target != null && (target.startsWith("c10d.") || target.startsWith("_c10d_functional."))
        ? target
        : null;
  }

  /**
   * Returns the dictionary of the call {@code operation}; empty when it has none.
   *
   * @throws DiagnosticException if it is no dictionary
   */
  public static Attributes entries(Operation operation) {
    Attribute config = operation.attribute("backend_config");
    if (config == null) {
      return Attributes.EMPTY;
    }
    if (config instanceof Attribute.Dict) {
      return ((Attribute.Dict) config).entries();
    }
    String text = null;
    if (config instanceof Attribute.Raw) {
      text = ((Attribute.Raw) config).text();
    } else if (config instanceof Attribute.Str) {
      text = ((Attribute.Str) config).value();
    }
    if (text == null) {
      throw wrong(operation, "backend_config must be a dictionary");
    }
    if (text.isBlank()) {
      return Attributes.EMPTY;
    }
    try {
      return ConfigText.read(text);
    } catch (ConfigText.Malformed e) {
      throw wrong(operation, "backend_config: " + e.getMessage());
    }
  }

  private static DiagnosticException wrong(Operation operation, String message) {
    return DiagnosticException.error(
        "c10d-config", target(operation) + ": " + message, operation.location());
  }
}
