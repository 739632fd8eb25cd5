package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.lower.fx.aten.Arg;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a graph is given: its parameters in order, then what it takes from its module ({@code
 * self.weight}, {@code self._tensor_constant0}) in the order in which the text names it. Sizes are
 * bound and therefore no arguments.
 */
final class Inputs {
  private final List<Value> arguments = new ArrayList<>();
  private final Map<String, Arg> attributes = new LinkedHashMap<>();
  private @Nullable Declared declared;

  /** Returns the argument called {@code name}. */
  Arg add(String name, @Nullable Declared type, Location location) {
    if (type == null) {
      throw DiagnosticException.error(
          "fx-type", "'" + name + "' has no type; print the graph with print_readable()", location);
    }
    Long size = type.size();
    if (size != null) {
      return new Arg.Whole(size);
    }
    TensorType tensor = java.util.Objects.requireNonNull(type.tensor());
    Value argument = new Value(tensor, name);
    arguments.add(argument);
    return Arg.Tensor.parameter(argument, name);
  }

  /** Sets the type that the text gives the next attribute. */
  void expect(@Nullable Declared type) {
    declared = type;
  }

  /** Returns what {@code self.path} stands for. */
  Arg attribute(String path, Location location) {
    Arg known = attributes.get(path);
    if (known != null) {
      return known;
    }
    if (path.startsWith("_torchbind_obj") || path.startsWith("_opaque_obj")) {
      return new Arg.Word(path);
    }
    if (declared == null) {
      throw DiagnosticException.error(
          "fx-type",
          "'self." + path + "' has no type; print the graph with print_readable()",
          location);
    }
    Arg added = add("self." + path, declared, location);
    attributes.put(path, added);
    return added;
  }

  /** Returns the names of what was taken from the module. */
  ImmutableList<String> attributeNames() {
    return ImmutableList.copyOf(attributes.keySet());
  }

  /** Returns the arguments. */
  ImmutableList<Value> arguments() {
    return ImmutableList.copyOf(arguments);
  }
}
