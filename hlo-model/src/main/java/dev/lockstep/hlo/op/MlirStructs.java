package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import org.jspecify.annotations.Nullable;

/** The order in which dialects print the fields of their structs; empty lists and zeros are not. */
public final class MlirStructs {
  private static final ImmutableMap<String, ImmutableList<String>> FIELDS =
      ImmutableMap.of(
          "stablehlo.result_accuracy",
          ImmutableList.of("atol", "rtol", "ulps", "mode"),
          "chlo.ragged_dot",
          ImmutableList.of(
              "lhs_batching_dimensions",
              "rhs_batching_dimensions",
              "lhs_contracting_dimensions",
              "rhs_contracting_dimensions",
              "lhs_ragged_dimensions",
              "rhs_group_dimensions"),
          "stablehlo.dot",
          ImmutableList.of(
              "lhs_batching_dimensions",
              "rhs_batching_dimensions",
              "lhs_contracting_dimensions",
              "rhs_contracting_dimensions"),
          "stablehlo.gather",
          ImmutableList.of(
              "offset_dims",
              "collapsed_slice_dims",
              "operand_batching_dims",
              "start_indices_batching_dims",
              "start_index_map",
              "index_vector_dim"),
          "stablehlo.scatter",
          ImmutableList.of(
              "update_window_dims",
              "inserted_window_dims",
              "input_batching_dims",
              "scatter_indices_batching_dims",
              "scatter_dims_to_operand_dims",
              "index_vector_dim"));

  private MlirStructs() {}

  /** Returns the fields that a struct of {@code kind} may have, or null when any may be there. */
  public static @Nullable ImmutableList<String> fieldsOf(String kind) {
    return FIELDS.get(kind);
  }

  /** Returns {@code fields} as a struct of {@code kind} prints them. */
  public static Attributes canonical(String kind, Attributes fields) {
    ImmutableList<String> order = FIELDS.get(kind);
    if (order == null) {
      return fields;
    }
    Attributes.Builder out = Attributes.builder();
    for (String name : order) {
      Attribute value = fields.get(name);
      if (value != null && !isEmpty(value)) {
        out.put(name, value);
      }
    }
    return out.build();
  }

  private static boolean isEmpty(Attribute value) {
    return value instanceof Attribute.Longs && ((Attribute.Longs) value).values().isEmpty()
        || value instanceof Attribute.Real && ((Attribute.Real) value).value() == 0
        || value instanceof Attribute.Int && ((Attribute.Int) value).value() == 0;
  }
}
