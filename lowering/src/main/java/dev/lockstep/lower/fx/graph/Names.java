package dev.lockstep.lower.fx.graph;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.lower.fx.aten.Arg;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of a graph and what each stands for. */
final class Names {
  private final Map<String, Arg> values = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  /** Makes {@code name} stand for {@code value}. */
  void put(String name, Arg value) {
    values.put(name, value);
    gone.remove(name);
  }

  /** Makes {@code name} stand for nothing any more: the text said {@code name = None}. */
  void remove(String name) {
    if (values.remove(name) != null) {
      gone.add(name);
    }
  }

  /** Returns what {@code name} stands for, or null. */
  @Nullable Arg find(String name) {
    return values.get(name);
  }

  /** Returns the diagnostic that {@code name} stands for nothing. */
  DiagnosticException unknown(String name, Location location) {
    return DiagnosticException.error(
        "fx-name",
        gone.contains(name)
            ? "'" + name + "' was given up before: the text says " + name + " = None"
            : "'" + name + "' is not defined",
        location);
  }
}
