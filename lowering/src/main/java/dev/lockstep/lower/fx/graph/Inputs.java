package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.lower.fx.aten.Arg;
import dev.lockstep.lower.fx.text.Expr;
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
  private final TypeReader types;
  private @Nullable Declared declared;

  Inputs(TypeReader types) {
    this.types = types;
  }

  /** Returns what the parameter called {@code name} stands for: a tensor, a size or an object. */
  Arg parameter(String name, @Nullable Expr type, Location location) {
    Declared known = types.input(name, type, location);
    return known == null && types.saysTypes() ? new Arg.Opaque(name) : add(name, known, location);
  }

  private static DiagnosticException untyped(String name, Location location) {
    return DiagnosticException.error(
        "fx-type",
        String.format(
            "'%s' has no type; print the graph with print_readable(), or say its type:"
                + " --bind '%s=f32[4, 8]'",
            name, name),
        location);
  }

  /** Returns the argument called {@code name}. */
  Arg add(String name, @Nullable Declared type, Location location) {
    if (type == null) {
      throw untyped(name, location);
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
    Declared type = declared == null ? types.input("self." + path, null, location) : declared;
    Arg added = add("self." + path, type, location);
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
