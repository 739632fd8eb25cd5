package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The header attributes as XLA prints them: in its order, with the layout of the entry. */
final class HeaderOrder {
  private static final String LAYOUT = "entry_computation_layout";

  private static final ImmutableList<String> ORDER =
      ImmutableList.of(
          "is_scheduled",
          "input_output_alias",
          "buffer_donor",
          LAYOUT,
          "allow_spmd_sharding_propagation_to_parameters",
          "allow_spmd_sharding_propagation_to_output",
          Module.REPLICA_COUNT,
          Module.NUM_PARTITIONS,
          "frontend_attributes");

  private HeaderOrder() {}

  /** Returns the attributes of {@code module} in order; the entry's layout fits its shapes. */
  static Attributes complete(Module module) {
    Attributes given = module.attributes();
    Optional<Function> entry = module.entryFunction();
    Attributes.Builder out = Attributes.builder();
    for (String name : ORDER) {
      Attribute value = given.get(name);
      if (name.equals(LAYOUT) && entry.isPresent()) {
        value = layout(value, entry.get());
      }
      if (value != null) {
        out.put(name, value);
      }
    }
    given.forEach(
        (name, value) -> {
          if (!ORDER.contains(name)) {
            out.put(name, value);
          }
        });
    return out.build();
  }

  private static Attribute layout(@Nullable Attribute given, Function entry) {
    ImmutableList.Builder<Type> inputs = ImmutableList.builder();
    for (Value parameter : entry.parameters()) {
      inputs.add(parameter.type());
    }
    FunctionType actual = new FunctionType(inputs.build(), entry.resultTypes());
    // Passes change the entry's shapes; a layout that does not fit them any more says nothing.
    return given instanceof Attribute.TypeOf
            && ((Attribute.TypeOf) given).type().isSameShape(actual)
        ? given
        : new Attribute.TypeOf(actual);
  }
}
