package dev.lockstep.hlo.build;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.data.BitcastConvert;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Concatenate;
import dev.lockstep.hlo.op.data.Copy;
import dev.lockstep.hlo.op.data.DynamicSlice;
import dev.lockstep.hlo.op.data.DynamicUpdateSlice;
import dev.lockstep.hlo.op.data.Iota;
import dev.lockstep.hlo.op.data.Pad;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.data.Reverse;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.op.elementwise.Select;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.List;

/** The layer of {@link OpBuilder} that makes and moves data. */
abstract class DataBuilder extends ArithmeticBuilder {
  DataBuilder(BuildScope scope) {
    super(scope);
  }

  /** Returns an integer scalar, wrapped to {@code element}. */
  public Value scalar(ElementType element, long value) {
    return constant(Literal.scalar(element, value));
  }

  /** Returns a floating-point scalar, rounded to {@code element}. */
  public Value scalar(ElementType element, double value) {
    return constant(Literal.scalar(element, value));
  }

  /** Returns zeros, or false. */
  public Value zeros(TensorType type) {
    return full(Literal.zeros(TensorType.of(type.element())), type);
  }

  /** Returns a tensor full of the one element of {@code scalar}. */
  public Value full(Literal scalar, TensorType type) {
    if (!isHlo()) {
      return constant(Literal.splat(type, scalar.rawStorage()));
    }
    // HLO text has no splats: a broadcast scalar keeps the text small.
    Value value = constant(scalar);
    return type.rank() == 0 ? value : broadcastInDim(value, type);
  }

  /** Returns numbers from zero along {@code dimension}. */
  public Value iota(TensorType type, int dimension) {
    return emit(
        Iota.DEF, ImmutableList.of(), type, Attributes.of("iota_dimension", integer(dimension)));
  }

  /**
   * Returns {@code value} with its dimension {@code i} as dimension {@code dims[i]} of the type.
   */
  public Value broadcastInDim(Value value, TensorType result, long... dims) {
    checkArgument(dims.length == tensor(value).rank(), "one dimension each of %s", value);
    String name = isHlo() ? "dimensions" : "broadcast_dimensions";
    return emit(
        BroadcastInDim.DEF,
        ImmutableList.of(value),
        result,
        Attributes.of(name, Attribute.Longs.of(dims)));
  }

  /** Returns the elements under another shape. */
  public Value reshape(Value value, long... dims) {
    TensorType type = tensor(value);
    return type.dims().equals(ImmutableLongArray.copyOf(dims))
        ? value
        : emit(Reshape.DEF, ImmutableList.of(value), type.withDims(dims), Attributes.EMPTY);
  }

  /** Returns the same bits as another type, whose shape the caller knows. */
  public Value bitcastConvert(Value value, TensorType result) {
    return emit(BitcastConvert.DEF, ImmutableList.of(value), result, Attributes.EMPTY);
  }

  /** Returns dimension {@code permutation[i]} as dimension {@code i}. */
  public Value transpose(Value value, long... permutation) {
    TensorType type = tensor(value);
    long[] dims = new long[permutation.length];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = type.dim((int) permutation[i]);
    }
    return emit(
        Transpose.DEF,
        ImmutableList.of(value),
        type.withDims(dims),
        Attributes.of(isHlo() ? "dimensions" : "permutation", Attribute.Longs.of(permutation)));
  }

  /** Returns a part, with steps of one. */
  public Value slice(Value value, long[] start, long[] limit) {
    long[] strides = new long[start.length];
    java.util.Arrays.fill(strides, 1);
    return slice(value, start, limit, strides);
  }

  /** Returns a part of one dimension, and all of the others. */
  public Value sliceDim(Value value, int dimension, long start, long limit) {
    TensorType type = tensor(value);
    long[] starts = new long[type.rank()];
    long[] limits = type.dims().toArray();
    starts[dimension] = start;
    limits[dimension] = limit;
    return slice(value, starts, limits);
  }

  /** Returns the elements from {@code start} to before {@code limit} by {@code strides}. */
  public Value slice(Value value, long[] start, long[] limit, long[] strides) {
    long[] dims = new long[start.length];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = Math.floorDiv(limit[i] - start[i] + strides[i] - 1, strides[i]);
    }
    Attribute starts = Attribute.Longs.of(start);
    Attribute limits = Attribute.Longs.of(limit);
    Attribute steps = Attribute.Longs.of(strides);
    Attributes attributes =
        isHlo()
            ? Attributes.of(
                "slice",
                new Attribute.Struct(
                    "slice",
                    Attributes.builder()
                        .put("start", starts)
                        .put("limit", limits)
                        .put("strides", steps)
                        .build()))
            : Attributes.builder()
                .put("start_indices", starts)
                .put("limit_indices", limits)
                .put("strides", steps)
                .build();
    return emit(Slice.DEF, ImmutableList.of(value), tensor(value).withDims(dims), attributes);
  }

  /** Returns the part of {@code sizes} at {@code starts}, which are scalars of one type. */
  public Value dynamicSlice(Value value, List<Value> starts, long... sizes) {
    String name = isHlo() ? "dynamic_slice_sizes" : "slice_sizes";
    return emit(
        DynamicSlice.DEF,
        ImmutableList.<Value>builder().add(value).addAll(starts).build(),
        tensor(value).withDims(sizes),
        Attributes.of(name, Attribute.Longs.of(sizes)));
  }

  /** Returns {@code value} with the part at {@code starts} replaced by {@code update}. */
  public Value dynamicUpdateSlice(Value value, Value update, List<Value> starts) {
    return emit(
        DynamicUpdateSlice.DEF,
        ImmutableList.<Value>builder().add(value, update).addAll(starts).build(),
        value.type(),
        Attributes.EMPTY);
  }

  /** Returns the operands joined along {@code dimension}. */
  public Value concatenate(List<Value> values, int dimension) {
    TensorType first = tensor(values.get(0));
    if (values.size() == 1) {
      return values.get(0);
    }
    long[] dims = first.dims().toArray();
    dims[dimension] = 0;
    for (Value value : values) {
      dims[dimension] += tensor(value).dim(dimension);
    }
    return emit(
        Concatenate.DEF,
        ImmutableList.copyOf(values),
        first.withDims(dims),
        isHlo()
            ? Attributes.of("dimensions", Attribute.Longs.of(dimension))
            : Attributes.of("dimension", Attribute.Int.i64(dimension)));
  }

  /** Returns {@code value} with edges of the scalar {@code filler}; negative edges cut. */
  public Value pad(Value value, Value filler, long[] low, long[] high) {
    return pad(value, filler, low, high, new long[low.length]);
  }

  /** Returns {@code value} with edges and {@code interior} elements between two of its own. */
  public Value pad(Value value, Value filler, long[] low, long[] high, long[] interior) {
    TensorType type = tensor(value);
    long[] dims = new long[low.length];
    for (int i = 0; i < dims.length; i++) {
      long gaps = Math.max(type.dim(i) - 1, 0) * interior[i];
      dims[i] = low[i] + type.dim(i) + gaps + high[i];
    }
    Attribute before = Attribute.Longs.of(low);
    Attribute after = Attribute.Longs.of(high);
    Attribute between = Attribute.Longs.of(interior);
    Attributes attributes =
        isHlo()
            ? Attributes.of(
                "padding",
                new Attribute.Struct(
                    "padding",
                    Attributes.builder()
                        .put("low", before)
                        .put("high", after)
                        .put("interior", between)
                        .build()))
            : Attributes.builder()
                .put("edge_padding_low", before)
                .put("edge_padding_high", after)
                .put("interior_padding", between)
                .build();
    return emit(Pad.DEF, ImmutableList.of(value, filler), type.withDims(dims), attributes);
  }

  /** Returns {@code value} with the order of elements reversed along {@code dimensions}. */
  public Value reverse(Value value, long... dimensions) {
    return emit(
        Reverse.DEF,
        ImmutableList.of(value),
        value.type(),
        Attributes.of("dimensions", Attribute.Longs.of(dimensions)));
  }

  /** Returns a copy of {@code value}; StableHLO has no copies and gives the value itself. */
  public Value copy(Value value) {
    return isHlo()
        ? emit(Copy.DEF, ImmutableList.of(value), value.type(), Attributes.EMPTY)
        : value;
  }

  /** Returns {@code onTrue} where {@code predicate} holds; a scalar predicate holds everywhere. */
  public Value select(Value predicate, Value onTrue, Value onFalse) {
    TensorType type = tensor(onTrue);
    Value full =
        isHlo() && tensor(predicate).rank() == 0 && type.rank() > 0
            ? broadcastInDim(predicate, TensorType.of(ElementType.I1, type.dims()))
            : predicate;
    return emit(
        Select.DEF, ImmutableList.of(full, onTrue, onFalse), onTrue.type(), Attributes.EMPTY);
  }
}
