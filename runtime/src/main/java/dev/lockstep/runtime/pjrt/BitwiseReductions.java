package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.op.compute.Reduce;
import dev.lockstep.hlo.op.elementwise.ShiftLeft;
import dev.lockstep.hlo.op.elementwise.ShiftRightLogical;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reductions of integers among devices that XLA's compiler for CPUs lacks, by others that it has;
 * exact to the bit, over the same groups.
 *
 * <ul>
 *   <li>By and, or, xor: every bit becomes an element of its own along a new last dimension. And
 *       and or are those of truth values; xor is whether their sum is odd, in a type that wraps.
 *   <li>Of numbers of less than a byte: as bytes, of which the low bits depend on low bits alone.
 * </ul>
 */
final class BitwiseReductions {
  private final Module module;

  BitwiseReductions(Module module) {
    this.module = module;
  }

  /** Returns the results of {@code operation} built otherwise, or null to keep it. */
  @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    if (!operation.is(AllReduce.DEF) && !operation.is(ReduceScatter.DEF)) {
      return null;
    }
    ReductionKind kind = Collectives.reduction(operation, module);
    if (kind == null || !(operation.operand(0).type() instanceof TensorType type)) {
      return null;
    }
    ElementType element = type.element();
    if (element.kind() != ElementType.Kind.SIGNED && element.kind() != ElementType.Kind.UNSIGNED) {
      return null;
    }
    boolean isBitwise =
        kind == ReductionKind.AND || kind == ReductionKind.OR || kind == ReductionKind.XOR;
    if (isBitwise) {
      return bitwise(operation, kind, element, builder);
    }
    return element.bits() < Byte.SIZE ? asBytes(operation, kind, element, builder) : null;
  }

  private static ImmutableList<Value> bitwise(
      Operation operation, ReductionKind kind, ElementType element, OpBuilder builder) {
    boolean isXor = kind == ReductionKind.XOR;
    ElementType bit = isXor ? ElementType.UI8 : ElementType.I1;
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    for (Value operand : operation.operands()) {
      Value bits = bits(operand, builder);
      operands.add(
          isXor
              ? builder.convert(bits, bit)
              : builder.compare("NE", bits, builder.zeros((TensorType) bits.type())));
    }
    ImmutableList.Builder<Type> results = ImmutableList.builder();
    for (TensorType type : results(operation)) {
      results.add(withBits(TensorType.of(bit, type.dims().toArray()), element.bits()));
    }
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value reduced :
        reduced(
            operation,
            operands.build(),
            results.build(),
            isXor ? ReductionKind.ADD : kind,
            bit,
            builder)) {
      out.add(together(reduced, element, builder));
    }
    return given(operation, out.build(), builder);
  }

  private static ImmutableList<Value> asBytes(
      Operation operation, ReductionKind kind, ElementType element, OpBuilder builder) {
    ElementType wide = element.kind() == ElementType.Kind.SIGNED ? ElementType.I8 : ElementType.UI8;
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operation.operands().forEach(operand -> operands.add(builder.convert(operand, wide)));
    ImmutableList.Builder<Type> results = ImmutableList.builder();
    for (TensorType type : results(operation)) {
      results.add(TensorType.of(wide, type.dims().toArray()));
    }
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    reduced(operation, operands.build(), results.build(), kind, wide, builder)
        .forEach(value -> out.add(builder.convert(value, element)));
    return given(operation, out.build(), builder);
  }

  /** Returns the operation over other values, by another reducer. */
  private static ImmutableList<Value> reduced(
      Operation operation,
      ImmutableList<Value> operands,
      ImmutableList<Type> results,
      ReductionKind kind,
      ElementType element,
      OpBuilder builder) {
    boolean isHlo = builder.scope().isHlo();
    Attributes attributes =
        isHlo
            ? operation.attributes().with("to_apply", reducer(kind, element, builder))
            : operation.attributes();
    return builder.emitAll(
        operation.def(), operands, results, attributes, regions(kind, element, builder));
  }

  private static Attribute reducer(ReductionKind kind, ElementType element, OpBuilder builder) {
    return Attribute.Symbol.of(builder.scope().reducer(kind, element));
  }

  private static ImmutableList<Region> regions(
      ReductionKind kind, ElementType element, OpBuilder builder) {
    return builder.scope().isHlo()
        ? ImmutableList.of()
        : ImmutableList.of(builder.reducer(kind, element));
  }

  private static ImmutableList<TensorType> results(Operation operation) {
    List<? extends Type> types =
        operation.resultTypes().get(0) instanceof TupleType tuple
            ? tuple.elements()
            : operation.resultTypes();
    return types.stream().map(type -> (TensorType) type).collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<Value> given(
      Operation operation, ImmutableList<Value> values, OpBuilder builder) {
    return operation.resultTypes().get(0) instanceof TupleType
        ? ImmutableList.of(builder.tuple(values))
        : values;
  }

  private static TensorType withBits(TensorType type, long bits) {
    return TensorType.of(
        type.element(), LongStream.concat(type.dims().stream(), LongStream.of(bits)).toArray());
  }

  /** Returns the bits of {@code value}, each 0 or 1, the lowest first, along a last dimension. */
  private static Value bits(Value value, OpBuilder builder) {
    TensorType type = (TensorType) value.type();
    TensorType apart = withBits(type, type.element().bits());
    Value copies = builder.broadcastInDim(value, apart, LongStream.range(0, type.rank()).toArray());
    Value moved = builder.binary(ShiftRightLogical.DEF, copies, builder.iota(apart, type.rank()));
    return builder.and(moved, builder.broadcastInDim(builder.scalar(type.element(), 1), apart));
  }

  /** Returns the numbers whose lowest bit stands in each element of {@code bits}. */
  private static Value together(Value bits, ElementType element, OpBuilder builder) {
    Value wide = builder.convert(bits, element);
    TensorType apart = (TensorType) wide.type();
    Value one = builder.broadcastInDim(builder.scalar(element, 1), apart);
    int last = apart.rank() - 1;
    Value moved = builder.binary(ShiftLeft.DEF, builder.and(wide, one), builder.iota(apart, last));
    Attributes attributes = Attributes.of("dimensions", Attribute.Longs.of(last));
    if (builder.scope().isHlo()) {
      attributes = attributes.with("to_apply", reducer(ReductionKind.OR, element, builder));
    }
    return builder
        .emit(
            Reduce.DEF,
            ImmutableList.of(moved, builder.scalar(element, 0)),
            ImmutableList.of(TensorType.of(element, apart.dims().subArray(0, last).toArray())),
            attributes,
            regions(ReductionKind.OR, element, builder))
        .result();
  }
}
