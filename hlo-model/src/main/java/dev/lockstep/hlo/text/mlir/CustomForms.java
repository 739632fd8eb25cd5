package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.MlirAssembly;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which operations can be written in the forms of {@link CustomWriter}. */
final class CustomForms {
  static final String PER_VALUE = "#sdy.sharding_per_value<";
  static final String AXES = "#sdy<manual_axes";
  static final String MESH = "#sdy.mesh<";
  static final String CONV = "#stablehlo.conv<";

  private CustomForms() {}

  /** Returns whether a form writes the operands. */
  static boolean takesOperands(MlirAssembly.Custom custom) {
    return switch (custom) {
      case TARGET, CONVOLUTION, REDUCE, WHILE, CALL, RETURN, MANUAL, NAMED, SCAN, COMPUTATION ->
          true;
      case LITERAL, SLICE, DOT, FORMAT, MESH -> false;
    };
  }

  /** Returns whether a form writes the regions. */
  static boolean hasRegions(MlirAssembly.Custom custom) {
    return switch (custom) {
      case REDUCE, WHILE, MANUAL, SCAN, NAMED, COMPUTATION -> true;
      default -> false;
    };
  }

  /** Returns whether {@code operation} holds what its form needs. */
  static boolean canWrite(MlirAssembly.Custom custom, Operation operation) {
    return switch (custom) {
      case TARGET -> operation.attribute("call_target_name") instanceof Attribute.Str;
      case LITERAL ->
          operation.results().size() == 1
              && operation.operands().isEmpty()
              && (operation.attribute("value") instanceof Attribute.Dense
                  || operation.attribute("value") instanceof Attribute.Raw);
      case SLICE ->
          isLongs(operation, "start_indices")
              && isLongs(operation, "limit_indices")
              && isLongs(operation, "strides");
      case DOT ->
          operation.attribute("dot_dimension_numbers") instanceof Attribute.Struct
              && (operation.attribute("precision_config") == null
                  || isWords(operation.attribute("precision_config")))
              && (operation.attribute("algorithm") == null
                  || operation.attribute("algorithm") instanceof Attribute.Struct);
      case CONVOLUTION -> canConvolve(operation);
      case REDUCE ->
          isLongs(operation, "dimensions")
              && operation.regions().size() == 1
              && operation.regions().get(0).blocks().size() == 1
              && operation.regions().get(0).entry().arguments().size()
                  == operation.operands().size()
              && operation.operands().size() % 2 == 0;
      case WHILE ->
          operation.regions().size() == 2
              && !anyEmpty(operation.regions())
              && operation.operandTypes().equals(operation.resultTypes())
              && operation.regions().get(0).entry().arguments().size()
                  == operation.operands().size()
              && argumentsAre(operation.regions().get(0).entry(), operation)
              && argumentsAre(operation.regions().get(1).entry(), operation);
      case FORMAT ->
          operation.attribute("exponent_bits") instanceof Attribute.Int
              && operation.attribute("mantissa_bits") instanceof Attribute.Int;
      case CALL -> operation.attribute("callee") instanceof Attribute.Symbol;
      case RETURN -> operation.results().isEmpty();
      case MESH ->
          isRaw(operation, "mesh", MESH)
              && operation.attribute("sym_name") instanceof Attribute.Str
              && operation.results().isEmpty();
      case MANUAL ->
          isRaw(operation, "in_shardings", PER_VALUE)
              && isRaw(operation, "out_shardings", PER_VALUE)
              && isRaw(operation, "manual_axes", AXES)
              && operation.regions().size() == 1
              && !anyEmpty(operation.regions());
      case NAMED -> operation.attribute("name") instanceof Attribute.Str;
      case COMPUTATION ->
          operation.attribute("name") instanceof Attribute.Str
              && operation.regions().size() == 1
              && !anyEmpty(operation.regions())
              && (operation.attribute("in_shardings") == null
                  || isRaw(operation, "in_shardings", PER_VALUE))
              && (operation.attribute("out_shardings") == null
                  || isRaw(operation, "out_shardings", PER_VALUE));
      case SCAN ->
          isLongs(operation, "operandSegmentSizes")
              && operation.attribute("dimension") instanceof Attribute.Int
              && operation.regions().size() == 1;
    };
  }

  private static boolean argumentsAre(Block block, Operation operation) {
    return block.arguments().stream()
        .map(Value::type)
        .collect(ImmutableList.toImmutableList())
        .equals(operation.operandTypes());
  }

  private static boolean anyEmpty(List<Region> regions) {
    return regions.stream().anyMatch(Region::isEmpty);
  }

  private static boolean isLongs(Operation operation, String name) {
    return operation.attribute(name) instanceof Attribute.Longs;
  }

  private static boolean isRaw(Operation operation, String name, String prefix) {
    Attribute value = operation.attribute(name);
    return value instanceof Attribute.Raw && ((Attribute.Raw) value).text().startsWith(prefix);
  }

  static boolean isWords(@Nullable Attribute value) {
    return value instanceof Attribute.Array
        && ((Attribute.Array) value)
            .elements().stream().allMatch(element -> element instanceof Attribute.Word);
  }

  private static boolean canConvolve(Operation operation) {
    Attribute padding = operation.attribute("padding");
    return isRaw(operation, "dimension_numbers", CONV)
        && operation.operands().size() == 2
        && (padding == null || padding instanceof Attribute.Dense);
  }
}
