package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The order in which XLA writes attributes, and the values it leaves out.
 *
 * <p>Source: the {@code PrintExtraAttributes} methods of {@code hlo_instructions.cc}, then {@code
 * HloInstruction::PrintExtraAttributes} and {@code PrintWithCanonicalNameMap}. One order serves all
 * opcodes: no two of them disagree.
 */
final class AttributeOrder {
  private static final ImmutableMap<String, Integer> RANK =
      ranks(
          "async_execution_thread",
          "channel_id",
          "replica_groups",
          "constrain_layout",
          "source_target_pairs",
          "is_host_transfer",
          "cross_program_prefetch_index",
          "kind",
          "index",
          "iota_dimension",
          "window",
          "slice",
          "padding",
          "dim_labels",
          "feature_group_count",
          "batch_group_count",
          "lhs_batch_dims",
          "lhs_contracting_dims",
          "rhs_batch_dims",
          "rhs_contracting_dims",
          "lhs_ragged_dims",
          "rhs_group_dims",
          "operand_precision",
          "algorithm",
          "sparsity",
          "offset_dims",
          "collapsed_slice_dims",
          "start_index_map",
          "operand_batching_dims",
          "start_indices_batching_dims",
          "update_window_dims",
          "inserted_window_dims",
          "scatter_dims_to_operand_dims",
          "input_batching_dims",
          "scatter_indices_batching_dims",
          "index_vector_dim",
          "dynamic_slice_sizes",
          "slice_sizes",
          "indices_are_sorted",
          "unique_indices",
          "fft_type",
          "fft_length",
          "direction",
          "type",
          "epsilon",
          "feature_index",
          "exponent_bits",
          "mantissa_bits",
          "custom_call_target",
          "operand_layout_constraints",
          "custom_call_has_side_effect",
          "literal",
          "output_to_operand_aliasing",
          "schedule",
          "api_version");

  /** What follows the attributes of one opcode. */
  private static final ImmutableMap<String, Integer> TAIL =
      ranks(
          "to_apply",
          "condition",
          "body",
          "select",
          "scatter",
          "true_computation",
          "false_computation",
          "branch_computations",
          "calls",
          "called_computations",
          "is_composite",
          "sharding",
          "frontend_attributes",
          "control-predecessors",
          "origin",
          "statistics",
          "result_accuracy",
          "metadata",
          "backend_config");

  /** Flags that are written only when set. */
  private static final ImmutableSet<String> FLAGS =
      ImmutableSet.of(
          "constrain_layout",
          "use_global_device_ids",
          "indices_are_sorted",
          "unique_indices",
          "is_stable",
          "is_host_transfer",
          "custom_call_has_side_effect",
          "is_composite",
          "left_side",
          "lower",
          "unit_diagonal");

  private static final ImmutableSet<String> WRITTEN_WHEN_NOT_EMPTY =
      ImmutableSet.of(
          "lhs_batch_dims",
          "rhs_batch_dims",
          "operand_batching_dims",
          "start_indices_batching_dims",
          "input_batching_dims",
          "scatter_indices_batching_dims");

  private static final int MIDDLE = 1000;
  private static final int END = 2000;

  private AttributeOrder() {}

  private static ImmutableMap<String, Integer> ranks(String... names) {
    ImmutableMap.Builder<String, Integer> out = ImmutableMap.builder();
    for (int i = 0; i < names.length; i++) {
      out.put(names[i], i);
    }
    return out.buildOrThrow();
  }

  private static int rank(String name) {
    Integer rank = RANK.get(name);
    if (rank != null) {
      return rank;
    }
    rank = TAIL.get(name);
    return rank == null ? MIDDLE : END + rank;
  }

  /** Returns {@code given} in XLA's order; names it does not list keep their order in between. */
  static Attributes sorted(Attributes given) {
    int last = -1;
    boolean sorted = true;
    for (int i = 0; i < given.size() && sorted; i++) {
      int rank = rank(given.name(i));
      sorted = rank >= last;
      last = rank;
    }
    if (sorted) {
      return given;
    }
    Integer[] order = new Integer[given.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    Arrays.sort(order, Comparator.comparingInt((Integer i) -> rank(given.name(i))));
    Attributes.Builder out = Attributes.builder();
    for (int i : order) {
      out.put(given.name(i), given.value(i));
    }
    return out.build();
  }

  /** Returns whether XLA leaves {@code value} out because it is what absence means. */
  static boolean isOrdinary(String name, Attribute value) {
    if (value instanceof Attribute.Bool) {
      return !((Attribute.Bool) value).value() && FLAGS.contains(name);
    }
    if (value instanceof Attribute.Longs) {
      ImmutableLongArray values = ((Attribute.Longs) value).values();
      return values.isEmpty() && WRITTEN_WHEN_NOT_EMPTY.contains(name);
    }
    if (value instanceof Attribute.Int) {
      return ((Attribute.Int) value).value() == 1
          && (name.equals("feature_group_count") || name.equals("batch_group_count"));
    }
    if (value instanceof Attribute.Str) {
      return ((Attribute.Str) value).value().isEmpty() && name.equals("backend_config");
    }
    return false;
  }
}
