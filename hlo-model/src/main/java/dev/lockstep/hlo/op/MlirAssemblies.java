package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableSet;
import java.util.Map;

/**
 * The assembly formats of the dialects that Lockstep reads, one line an op; see {@link
 * MlirAssembly}. Sources: the assembly formats of StableHLO 1.17, CHLO, Shardy and MLIR's func
 * dialect, checked against what jaxlib 0.10.2 prints.
 */
final class MlirAssemblies {
  static final ImmutableSet<String> COMMUTATIVE =
      ImmutableSet.of(
          "stablehlo.add",
          "stablehlo.and",
          "stablehlo.maximum",
          "stablehlo.minimum",
          "stablehlo.multiply",
          "stablehlo.or",
          "stablehlo.xor");

  private static final String SAME = "% dict :same";
  private static final String FN = "% dict :fn";

  /**
   * Name, format, further inherent attributes, defaults, and names that the op suggests for its
   * results or (with a loop) arguments; separated by bars.
   */
  private static final String[] LINES = {
    "func.return|<return>",
    "func.call|<call>|callee no_inline arg_attrs res_attrs",
    "stablehlo.return|<return>",
    "stablehlo.constant|<literal>|value||c cst",
    "stablehlo.complex|% dict :complex",
    "stablehlo.select|% dict :select",
    "stablehlo.compare|$comparison_direction/word/stablehlo.comparison_direction , %1 , %1"
        + " ?$compare_type/word/stablehlo.comparison_type dict :fn",
    "stablehlo.iota|dim = $iota_dimension/int dict :results",
    "stablehlo.create_token|dict :results",
    "stablehlo.partition_id|dict :results",
    "stablehlo.replica_id|dict :results",
    "stablehlo.after_all|% dict :all",
    "stablehlo.optimization_barrier|dict % :pairs",
    "stablehlo.tuple|% dict :tuple",
    "stablehlo.get_tuple_element|%1 [ $index/bare/i32 ] dict :fn",
    "stablehlo.transpose|%1 , dims = $permutation/longs dict :fn",
    "stablehlo.broadcast|%1 , sizes = $broadcast_sizes/longs dict :fn",
    "stablehlo.broadcast_in_dim|%1 , dims = $broadcast_dimensions/longs dict :fn",
    "stablehlo.dynamic_broadcast_in_dim|%1 , %1 , dims = $broadcast_dimensions/longs dict :fn"
        + "|known_expanding_dimensions known_nonexpanding_dimensions",
    "stablehlo.concatenate|% , dim = $dimension/int dict :fn",
    "stablehlo.slice|%1 <slice> dict :fn|start_indices limit_indices strides",
    "stablehlo.dynamic_slice|% , sizes = $slice_sizes/longs dict :fn",
    "stablehlo.pad|%1 , %1 , low = $edge_padding_low/longs , high = $edge_padding_high/longs ,"
        + " interior = $interior_padding/longs dict :fn",
    "stablehlo.dynamic_iota|%1 , dim = $iota_dimension/int dict :fn",
    "stablehlo.reverse|%1 , dims = $dimensions/longs dict :same",
    "stablehlo.reduce_precision|%1 , format = <format> dict :same|exponent_bits mantissa_bits",
    "stablehlo.rng|%1 , %1 , %1 , distribution ="
        + " $rng_distribution/word/stablehlo.rng_distribution dict :fn",
    "stablehlo.rng_bit_generator|%1 , algorithm ="
        + " $rng_algorithm/word/stablehlo.rng_algorithm dict :fn|||output_state output",
    "stablehlo.get_dimension_size|%1 , dim = $dimension/int dict :fn",
    "stablehlo.set_dimension_size|%1 , %1 , dim = $dimension/int dict :fn",
    "stablehlo.fft|%1 , type = $fft_type/word/stablehlo.fft_type , length = $fft_length/longs"
        + " dict :fn",
    "stablehlo.dot|%1 , %1 ?precision=$precision_config/words/stablehlo.precision dict :fn",
    "stablehlo.dot_general|%1 , %1 <dot> dict :fn"
        + "|dot_dimension_numbers precision_config algorithm",
    "stablehlo.convolution|<convolution> dict :fn|window_strides padding lhs_dilation rhs_dilation"
        + " window_reversal dimension_numbers feature_group_count batch_group_count"
        + " precision_config",
    "stablehlo.reduce|<reduce>|dimensions",
    "stablehlo.while|<while>|||iterArg",
    "stablehlo.custom_call|<target> dict :fn|call_target_name has_side_effect backend_config"
        + " api_version called_computations operand_layouts result_layouts output_operand_aliases"
        + "|has_side_effect=false; api_version=1 : i32; called_computations=[];"
        + " output_operand_aliases=[]",
    "stablehlo.composite|<named> dict :fn"
        + "|name composite_attributes decomposition version"
        + "|composite_attributes={}; version=0 : i32",
    "stablehlo.convert|% dict :same",
    "stablehlo.real|% dict :same",
    "stablehlo.imag|% dict :same",
    "stablehlo.is_finite|% dict :fn",
    "stablehlo.uniform_quantize|% dict :same",
    "stablehlo.uniform_dequantize|% dict :same",
    "stablehlo.clamp|% dict :same",
    "stablehlo.all_gather||all_gather_dim replica_groups channel_handle use_global_device_ids",
    "stablehlo.all_reduce||replica_groups channel_handle use_global_device_ids",
    "stablehlo.reduce_scatter||scatter_dimension replica_groups channel_handle"
        + " use_global_device_ids",
    "stablehlo.all_to_all||split_dimension concat_dimension split_count replica_groups"
        + " channel_handle",
    "stablehlo.collective_permute||source_target_pairs channel_handle",
    "stablehlo.collective_broadcast||replica_groups channel_handle",
    "stablehlo.batch_norm_grad||epsilon feature_index||grad_operand grad_scale grad_offset",
    "stablehlo.batch_norm_training||epsilon feature_index||output batch_mean batch_var",
    "stablehlo.batch_norm_inference||epsilon feature_index",
    "stablehlo.cholesky|%1 ?lower=$lower/bare dict :same",
    "stablehlo.triangular_solve||left_side lower unit_diagonal transpose_a",
    "stablehlo.gather||dimension_numbers slice_sizes|indices_are_sorted=false",
    "stablehlo.dynamic_gather||dimension_numbers|indices_are_sorted=false",
    "stablehlo.scatter||scatter_dimension_numbers|indices_are_sorted=false; unique_indices=false",
    "stablehlo.sort|||dimension=-1 : i64; is_stable=false",
    "stablehlo.map||dimensions",
    "stablehlo.reduce_window||window_dimensions window_strides base_dilations window_dilations"
        + " padding",
    "stablehlo.select_and_scatter||window_dimensions window_strides padding",
    "stablehlo.infeed|||infeed_config=\"\"",
    "stablehlo.infeed_layout||layout",
    "stablehlo.outfeed|||outfeed_config=\"\"",
    "stablehlo.send||channel_handle source_target_pairs|is_host_transfer=false",
    "stablehlo.recv||channel_handle source_target_pairs|is_host_transfer=false",
    "stablehlo.einsum|%1 , %1 , config = $einsum_config/bare dict :fn",
    "stablehlo.unary_einsum|%1 , config = $einsum_config/bare dict :fn",
    "stablehlo.torch_index_select||dim batch_dims",
    "stablehlo.cross-replica-sum||replica_groups",
    "stablehlo.dynamic_conv||window_strides padding lhs_dilation rhs_dilation window_reversal"
        + " dimension_numbers feature_group_count batch_group_count precision_config",
    "chlo.constant|<literal>|value",
    "chlo.constant_like||value",
    "chlo.top_k|( %1 , k = $k/int ) dict :arrow|||values indices",
    "chlo.ragged_dot||ragged_dot_dimension_numbers precision_config",
    "chlo.scan|<scan>",
    "chlo.broadcast_compare|% dict :fn|comparison_direction compare_type broadcast_dimensions",
    "chlo.dynamic_reshape|% dict :fn",
    "chlo.broadcast_select|% dict :fn",
    "chlo.minimum_broadcast_shapes|% dict :arrow",
    "chlo.is_inf|% dict :arrow",
    "chlo.is_neg_inf|% dict :arrow",
    "chlo.is_pos_inf|% dict :arrow",
    "check.expect_eq|%1 , %1 dict :all",
    "check.expect_eq_const|%1 , $value/attr dict",
    "check.expect_almost_eq_const|%1 , $value/attr dict|tolerance",
    "check.expect_almost_eq|%1 , %1 ?tolerance=$tolerance/bare dict :all",
    "check.expect_close|%1 , %1 ?max_ulp_difference=$max_ulp_difference/bare/ui64"
        + " ?min_ulp_difference=$min_ulp_difference/bare/ui64 dict :operands",
    "check.expect_serialized_eq|%1 , probe_id = $probe_id/bare ?iter=$iter/bare/i32 dict :all",
    "interpreter.probe|%1 , probe_id = $probe_id/bare dict :all",
    "interpreter.print|%1 dict :all",
    "interpreter.run_parallel||programs infeed",
    "sdy.return|<return>",
    "sdy.mesh|<mesh>|sym_name mesh",
    "sdy.manual_computation|<manual>|in_shardings out_shardings manual_axes",
    "sdy.sharding_constraint|%1 $sharding/body/#sdy.sharding dict :all",
    "sdy.reshard|%1 $sharding/body/#sdy.sharding dict :all",
    "sdy.sharding_group|%1 group_id= $group_id/int dict :operands",
    "sdy.propagation_barrier|%1 allowed_direction="
        + " $allowed_direction/word/sdy.propagation_direction dict :all",
    "sdy.constant|<literal>|value",
    "sdy.named_computation|<computation>|name in_shardings out_shardings",
    "sdy.data_flow_edge|%1 ~sharding=$sharding/body/#sdy.sharding dict :all",
    "sdy.func_data_flow_edge|%1 dict :all",
    "arith.constant|<literal>|value||c cst",
    "builtin.unrealized_conversion_cast|% :to",
    "tensor.cast|%1 dict :to",
    "sdy.all_gather|$gathering_axes/wrapped/#sdy<list_of_axis_ref_lists %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.all_slice|$slicing_axes/wrapped/#sdy<list_of_axis_ref_lists %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.reduce_scatter|~$reduction_op/word/sdy.reduction_op"
        + " $reduce_scatter_axes/wrapped/#sdy<list_of_axis_ref_lists %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.all_reduce|~$reduction_op/word/sdy.reduction_op $reduction_axes/wrapped/#sdy<axis_ref_list"
        + " %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.all_to_all|$params/wrapped/#sdy<all_to_all_param_list %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.sharded_to_unreduced|$axes/wrapped/#sdy<list_of_axis_ref_lists %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.replicated_to_unreduced|$axes/wrapped/#sdy<axis_ref_list %1 out_sharding="
        + " $out_sharding/body/#sdy.sharding dict :all",
    "sdy.collective_permute|%1 out_sharding= $out_sharding/body/#sdy.sharding dict :all",
    "stablehlo.dynamic_pad|" + FN,
    "stablehlo.dynamic_reshape|" + FN,
    "stablehlo.real_dynamic_slice|" + FN,
    "stablehlo.dynamic_update_slice|" + FN,
  };

  private static final String[] UNARY_OR_BINARY = {
    "add",
    "atan2",
    "and",
    "divide",
    "maximum",
    "minimum",
    "multiply",
    "or",
    "power",
    "remainder",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "subtract",
    "xor",
    "abs",
    "ceil",
    "count_leading_zeros",
    "floor",
    "negate",
    "not",
    "popcnt",
    "round_nearest_afz",
    "round_nearest_even",
    "sign",
  };

  private static final String[] WITH_ACCURACY = {
    "cbrt",
    "cosine",
    "exponential",
    "exponential_minus_one",
    "log",
    "log_plus_one",
    "logistic",
    "rsqrt",
    "sine",
    "sqrt",
    "tan",
    "tanh",
  };

  private static final String[] UNARY_FUNCTION = {
    "reshape", "bitcast_convert",
  };

  private static final String[] CHLO_ARROW = {
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "conj", "cosh", "digamma",
    "erf", "erf_inv", "erfc", "lgamma", "next_after", "polygamma", "sinh", "square", "tan", "zeta",
    "mulhi", "_asin_acos_kernel",
  };

  private static final String[] CHLO_BROADCAST = {
    "add",
    "and",
    "atan2",
    "complex",
    "divide",
    "maximum",
    "minimum",
    "multiply",
    "next_after",
    "or",
    "polygamma",
    "power",
    "remainder",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "subtract",
    "xor",
    "zeta",
  };

  private MlirAssemblies() {}

  static void fill(Map<String, MlirAssembly> all) {
    for (String name : UNARY_OR_BINARY) {
      all.put("stablehlo." + name, MlirAssembly.parse(SAME, "", "", ""));
    }
    for (String name : WITH_ACCURACY) {
      all.put(
          "stablehlo." + name,
          MlirAssembly.parse(
              SAME,
              "result_accuracy",
              "result_accuracy=#stablehlo.result_accuracy<mode ="
                  + " #stablehlo.result_accuracy_mode<DEFAULT>>",
              ""));
    }
    for (String name : UNARY_FUNCTION) {
      all.put("stablehlo." + name, MlirAssembly.parse(FN, "", "", ""));
    }
    for (String name : CHLO_ARROW) {
      all.put("chlo." + name, MlirAssembly.parse("% dict :arrow", "", "", ""));
    }
    for (String name : CHLO_BROADCAST) {
      all.put("chlo.broadcast_" + name, MlirAssembly.parse(FN, "broadcast_dimensions", "", ""));
    }
    for (String line : LINES) {
      String[] parts = line.split("\\|", -1);
      all.put(
          parts[0],
          MlirAssembly.parse(
              parts[1],
              parts.length > 2 ? parts[2] : "",
              parts.length > 3 ? parts[3] : "",
              parts.length > 4 ? parts[4] : ""));
    }
  }
}
