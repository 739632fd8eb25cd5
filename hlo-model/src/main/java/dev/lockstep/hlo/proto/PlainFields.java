package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.proto.PlainField.Form;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;

/**
 * All attributes that one field holds as it is.
 *
 * <p>Source: which fields XLA's {@code HloInstruction::ToProto} and its overrides set, and what
 * their {@code PrintExtraAttributes} write, as observed on jaxlib 0.10.
 */
final class PlainFields {
  private static final String BATCH_NORM =
      "batch-norm-training batch-norm-inference batch-norm-grad";
  private static final String DOT = "dot scaled-dot";
  private static final String DOT_PATH = "dot_dimension_numbers.";
  private static final String RAGGED = "ragged-dot";
  private static final String RAGGED_PATH = "ragged_dot_dimension_numbers.";
  private static final String GATHER = "gather";
  private static final String GATHER_PATH = "gather_dimension_numbers.";
  private static final String SCATTER = "scatter";
  private static final String SCATTER_PATH = "scatter_dimension_numbers.";
  private static final String SOLVE = "triangular-solve";
  private static final String SOLVE_PATH = "triangular_solve_options.";

  /** Those whose flag is in text; a custom call has a list of shapes instead. */
  private static final String GROUPED =
      "all-gather all-gather-start all-reduce all-reduce-start all-to-all reduce-scatter";

  private static final ImmutableList<PlainField> ALL =
      ImmutableList.<PlainField>builder()
          // XLA writes the flag of this one opcode before its dimensions.
          .add(
              field(
                  "use_global_device_ids",
                  "use_global_device_ids",
                  Form.FLAG,
                  "reduce-scatter",
                  ""))
          .add(field("index", "tuple_index", Form.INT, "", "get-tuple-element"))
          .add(field("exponent_bits", "exponent_bits", Form.INT, "", "reduce-precision"))
          .add(field("mantissa_bits", "mantissa_bits", Form.INT, "", "reduce-precision"))
          .add(field("epsilon", "epsilon", Form.REAL, "", BATCH_NORM))
          .add(field("feature_index", "feature_index", Form.INT, "", BATCH_NORM))
          .add(field("channel_id", "channel_id", Form.INT, "", ""))
          .add(field("delta", "delta", Form.INT, "", "rng-get-and-update-state"))
          .add(field("k", "k", Form.INT, "", "topk"))
          .add(field("largest", "largest", Form.FLAG, "", "topk"))
          .add(field("num_carries", "num_carries", Form.INT, "", "scan"))
          .add(field("is_reverse", "is_reverse", Form.FLAG, "", "scan"))
          .add(field("is_associative", "is_associative", Form.KNOWN_FLAG, "scan", ""))
          .add(
              field(
                  "cross_program_prefetch_index", "cross_program_prefetch_index", Form.INT, "", ""))
          .add(field("iota_dimension", "dimensions", Form.LONGS, "iota", "iota"))
          .add(
              field(
                  "dimensions",
                  "dimensions",
                  Form.LONGS,
                  "",
                  "broadcast reduce transpose reverse map sort concatenate scan"))
          .add(field("inferred_dimension", "dimensions", Form.ONE, "reshape", ""))
          .add(
              field(
                  "dynamic_slice_sizes",
                  "dynamic_slice_sizes",
                  Form.LONGS,
                  "dynamic-slice",
                  "dynamic-slice"))
          .add(field("slice_sizes", "gather_slice_sizes", Form.LONGS, "", GATHER))
          .add(field("fft_type", "fft_type", Form.WORD, "fft", "fft"))
          .add(field("fft_length", "fft_length", Form.LONGS, "", "fft"))
          .addAll(dot(DOT, DOT_PATH))
          .addAll(dot(RAGGED, RAGGED_PATH + DOT_PATH))
          .add(list("lhs_ragged_dims", RAGGED_PATH + "lhs_ragged_dimensions", RAGGED))
          .add(some("rhs_group_dims", RAGGED_PATH + "rhs_group_dimensions", RAGGED))
          .add(list("offset_dims", GATHER_PATH + "offset_dims", GATHER))
          .add(list("collapsed_slice_dims", GATHER_PATH + "collapsed_slice_dims", GATHER))
          .add(list("start_index_map", GATHER_PATH + "start_index_map", GATHER))
          .add(some("operand_batching_dims", GATHER_PATH + "operand_batching_dims", GATHER))
          .add(
              some(
                  "start_indices_batching_dims",
                  GATHER_PATH + "start_indices_batching_dims",
                  GATHER))
          .add(
              field("index_vector_dim", GATHER_PATH + "index_vector_dim", Form.INT, GATHER, GATHER))
          .add(list("update_window_dims", SCATTER_PATH + "update_window_dims", SCATTER))
          .add(list("inserted_window_dims", SCATTER_PATH + "inserted_window_dims", SCATTER))
          .add(
              list(
                  "scatter_dims_to_operand_dims",
                  SCATTER_PATH + "scatter_dims_to_operand_dims",
                  SCATTER))
          .add(some("input_batching_dims", SCATTER_PATH + "input_batching_dims", SCATTER))
          .add(
              some(
                  "scatter_indices_batching_dims",
                  SCATTER_PATH + "scatter_indices_batching_dims",
                  SCATTER))
          .add(
              field(
                  "index_vector_dim",
                  SCATTER_PATH + "index_vector_dim",
                  Form.INT,
                  SCATTER,
                  SCATTER))
          .add(field("constrain_layout", "constrain_layout", Form.FLAG, GROUPED, ""))
          .add(flag("use_global_device_ids"))
          .add(flag("is_host_transfer"))
          .add(flag("indices_are_sorted"))
          .add(flag("unique_indices"))
          .add(flag("is_stable"))
          .add(flag("custom_call_has_side_effect"))
          .add(flag("is_composite"))
          .add(field("lower", "cholesky_options.lower", Form.FLAG, "cholesky", ""))
          .add(field("left_side", SOLVE_PATH + "left_side", Form.FLAG, SOLVE, ""))
          .add(field("lower", SOLVE_PATH + "lower", Form.FLAG, SOLVE, ""))
          .add(field("unit_diagonal", SOLVE_PATH + "unit_diagonal", Form.FLAG, SOLVE, ""))
          .add(field("transpose_a", SOLVE_PATH + "transpose_a", Form.WORD, SOLVE, SOLVE))
          .add(field("convolution_kind", "conv_kind", Form.SUFFIX, "convolution", ""))
          .add(field("kind", "fusion_kind", Form.WORD, "", "fusion"))
          .add(field("direction", "comparison_direction", Form.WORD, "", "compare"))
          .add(field("distribution", "distribution", Form.LOWER, "", "rng"))
          .add(
              field(
                  "algorithm",
                  "rng_algorithm",
                  Form.LOWER,
                  "rng-bit-generator",
                  "rng-bit-generator"))
          .add(field("schedule", "custom_call_schedule", Form.WORD, "custom-call", ""))
          .add(field("padding_type", "padding_type", Form.WORD, "", ""))
          .add(field("custom_call_target", "custom_call_target", Form.QUOTED, "", "custom-call"))
          .add(field("infeed_config", "infeed_config", Form.QUOTED, "", ""))
          .add(field("outfeed_config", "outfeed_config", Form.QUOTED, "", ""))
          .build();

  /** Those that keep something else in the field of dimensions. */
  private static final ImmutableSet<String> NOT_DIMENSIONS = ImmutableSet.of("iota", "reshape");

  private PlainFields() {}

  private static PlainField field(
      String attribute, String path, Form form, String only, String always) {
    return PlainField.of(attribute, path, form, only, always);
  }

  private static PlainField flag(String attribute) {
    return field(attribute, attribute, Form.FLAG, "", "");
  }

  private static PlainField list(String attribute, String path, String opcodes) {
    return field(attribute, path, Form.LONGS, opcodes, opcodes);
  }

  private static PlainField some(String attribute, String path, String opcodes) {
    return field(attribute, path, Form.LONGS, opcodes, "");
  }

  private static ImmutableList<PlainField> dot(String opcodes, String path) {
    return ImmutableList.of(
        list("lhs_contracting_dims", path + "lhs_contracting_dimensions", opcodes),
        list("rhs_contracting_dims", path + "rhs_contracting_dimensions", opcodes),
        some("lhs_batch_dims", path + "lhs_batch_dimensions", opcodes),
        some("rhs_batch_dims", path + "rhs_batch_dimensions", opcodes));
  }

  /** Appends the attributes of {@code proto} and takes their fields out of {@code rest}. */
  static void read(HloInstructionProto proto, AttributeText out, HloInstructionProto.Builder rest) {
    for (PlainField field : ALL) {
      if (!field.belongsTo(proto.getOpcode()) || out.has(field.attribute())) {
        continue;
      }
      String text = field.text(proto);
      if (field.attribute().equals("dimensions") && NOT_DIMENSIONS.contains(proto.getOpcode())) {
        continue;
      }
      if (text != null) {
        boolean one = field.attribute().equals("iota_dimension");
        out.put(field.attribute(), one ? text.substring(1, text.length() - 1) : text);
      }
      field.clear(rest);
    }
  }

  /**
   * Sets the field of attribute {@code name} of an instruction of {@code opcode}; returns whether
   * there is one that takes the value.
   */
  static boolean write(
      String name, Attribute value, String opcode, HloInstructionProto.Builder out) {
    for (PlainField field : ALL) {
      if (field.attribute().equals(name) && field.belongsTo(opcode)) {
        return field.write(
            name.equals("iota_dimension") && value instanceof Attribute.Int
                ? Attribute.Longs.of(((Attribute.Int) value).value())
                : value,
            out);
      }
    }
    return false;
  }
}
