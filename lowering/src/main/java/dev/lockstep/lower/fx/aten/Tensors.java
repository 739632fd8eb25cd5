package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/**
 * Builds StableHLO with torch's habits: operands of different shapes are broadcast against each
 * other from the last dimension on, numbers become tensors where needed, and f16 and bf16 are
 * computed with in f32.
 */
final class Tensors {
  private final OpBuilder builder;

  Tensors(OpBuilder builder) {
    this.builder = builder;
  }

  /** Returns the builder below. */
  OpBuilder builder() {
    return builder;
  }

  static TensorType type(Value value) {
    return (TensorType) value.type();
  }

  static ElementType element(Value value) {
    return type(value).element();
  }

  static long[] dims(Value value) {
    return type(value).dims().toArray();
  }

  static int rank(Value value) {
    return type(value).rank();
  }

  /** Returns an operation without attributes. */
  Value op(String name, TensorType result, Value... operands) {
    return op(name, result, Attributes.EMPTY, operands);
  }

  /** Returns an operation. */
  Value op(String name, TensorType result, Attributes attributes, Value... operands) {
    return builder.emit(def(name), ImmutableList.copyOf(operands), result, attributes);
  }

  /** Returns an operation with regions and several results. */
  ImmutableList<Value> op(
      String name,
      List<Value> operands,
      List<? extends Type> results,
      Attributes attributes,
      Region... regions) {
    return builder
        .emit(
            def(name),
            ImmutableList.copyOf(operands),
            ImmutableList.copyOf(results),
            attributes,
            ImmutableList.copyOf(regions))
        .results();
  }

  private static OpDef def(String name) {
    return OpSet.standard().byNameOrUnregistered(name);
  }

  /** Returns an operation on elements of one type. */
  Value unary(String name, Value operand) {
    return op(name, type(operand), operand);
  }

  /** Returns an operation on elements of two tensors of one type, broadcast. */
  Value binary(String name, Value left, Value right) {
    long[] dims = broadcastDims(left, right);
    Value a = broadcast(left, dims);
    return op(name, type(a), a, broadcast(right, dims));
  }

  Value add(Value left, Value right) {
    return binary("stablehlo.add", left, right);
  }

  Value subtract(Value left, Value right) {
    return binary("stablehlo.subtract", left, right);
  }

  Value multiply(Value left, Value right) {
    return binary("stablehlo.multiply", left, right);
  }

  Value divide(Value left, Value right) {
    return binary("stablehlo.divide", left, right);
  }

  Value maximum(Value left, Value right) {
    return binary("stablehlo.maximum", left, right);
  }

  Value minimum(Value left, Value right) {
    return binary("stablehlo.minimum", left, right);
  }

  Value and(Value left, Value right) {
    return binary("stablehlo.and", left, right);
  }

  Value or(Value left, Value right) {
    return binary("stablehlo.or", left, right);
  }

  Value not(Value operand) {
    return unary("stablehlo.not", operand);
  }

  Value negate(Value operand) {
    return unary("stablehlo.negate", operand);
  }

  /** Returns where {@code left} stands in {@code direction} to {@code right}: EQ, LT and so on. */
  Value compare(String direction, Value left, Value right) {
    long[] dims = broadcastDims(left, right);
    return builder.compare(direction, broadcast(left, dims), broadcast(right, dims));
  }

  /** Returns {@code onTrue} where {@code condition} holds, all broadcast. */
  Value select(Value condition, Value onTrue, Value onFalse) {
    long[] dims = broadcastDims(condition, onTrue, onFalse);
    return builder.select(
        broadcast(condition, dims), broadcast(onTrue, dims), broadcast(onFalse, dims));
  }

  /** Returns a tensor full of {@code value}, of the type of {@code like}. */
  Value like(Value like, double value) {
    return full(type(like), value);
  }

  /** Returns a tensor full of {@code value}. */
  Value full(TensorType type, double value) {
    TensorType plain = TensorType.of(type.element(), type.dims());
    return builder.full(Literal.scalar(type.element(), value), plain);
  }

  /** Returns a tensor full of {@code value}. */
  Value full(TensorType type, long value) {
    TensorType plain = TensorType.of(type.element(), type.dims());
    return builder.full(Literal.scalar(type.element(), value), plain);
  }

  /** Returns a tensor full of a number, converted to the element type as torch does. */
  Value full(TensorType type, Arg number) {
    if (type.element().isBool()) {
      return full(type, truth(number) ? 1L : 0L);
    }
    if (number instanceof Arg.Whole whole && type.element().isInteger()) {
      return full(type, whole.value());
    }
    return full(type, toDouble(number));
  }

  /** Returns a number as a double. */
  static double toDouble(Arg number) {
    if (number instanceof Arg.Whole whole) {
      return whole.value();
    }
    if (number instanceof Arg.Flag flag) {
      return flag.value() ? 1 : 0;
    }
    return ((Arg.Real) number).value();
  }

  private static boolean truth(Arg number) {
    double value = toDouble(number);
    return value != 0 || Double.isNaN(value);
  }

  /** Returns a tensor or number as a tensor of {@code element}; a number becomes a scalar. */
  Value operand(Arg arg, ElementType element) {
    return arg instanceof Arg.Tensor tensor
        ? convert(tensor.value(), element)
        : full(TensorType.of(element), arg);
  }

  /** Returns the elements converted as torch does: to truth values by comparing with zero. */
  Value convert(Value value, ElementType element) {
    ElementType from = element(value);
    if (from == element) {
      return value;
    }
    if (element.isBool()) {
      return builder.compare("NE", value, like(value, 0));
    }
    Value source = from.isComplex() && !element.isComplex() ? builder.real(value) : value;
    return builder.convert(source, element);
  }

  /** Returns f16 and bf16 as f32, other types as they are. */
  Value wide(Value value) {
    return convert(value, Promotion.wide(element(value)));
  }

  /** Returns the shape that operands are broadcast to. */
  static long[] broadcastDims(Value... values) {
    return broadcastShapes(Arrays.stream(values).map(Tensors::dims).toArray(long[][]::new));
  }

  /** Returns the shape that shapes are broadcast to. */
  static long[] broadcastShapes(long[]... shapes) {
    int rank = Arrays.stream(shapes).mapToInt(shape -> shape.length).max().orElse(0);
    long[] out = new long[rank];
    Arrays.fill(out, 1);
    for (long[] dims : shapes) {
      for (int i = 0; i < dims.length; i++) {
        int at = rank - dims.length + i;
        if (out[at] != dims[i] && out[at] != 1 && dims[i] != 1) {
          throw new ShapeMismatch(
              String.format(
                  "shapes %s and %s cannot be broadcast: %d against %d",
                  Arrays.toString(shapes[0]), Arrays.toString(dims), out[at], dims[i]));
        }
        out[at] = dims[i] == 1 ? out[at] : dims[i];
      }
    }
    return out;
  }

  /** Shapes do not go together; becomes a diagnostic at the call. */
  static final class ShapeMismatch extends RuntimeException {
    private static final long serialVersionUID = 1;

    ShapeMismatch(String message) {
      super(message);
    }
  }

  /** Returns {@code value} broadcast to {@code dims}, its dimensions being the last ones. */
  Value broadcast(Value value, long[] dims) {
    TensorType from = type(value);
    if (Arrays.equals(from.dims().toArray(), dims)) {
      return value;
    }
    long[] places = new long[from.rank()];
    for (int i = 0; i < places.length; i++) {
      places[i] = (long) dims.length - places.length + i;
      long size = dims[(int) places[i]];
      if (from.dim(i) != size && from.dim(i) != 1) {
        throw new ShapeMismatch(from + " cannot be broadcast to " + Arrays.toString(dims));
      }
    }
    return builder.broadcastInDim(value, from.withDims(dims), places);
  }

  /** Returns {@code value} with the dimensions of {@code dims} from which it came as ones. */
  Value broadcastAlong(Value reduced, TensorType result, int... removed) {
    long[] places = new long[rank(reduced)];
    int at = 0;
    for (int i = 0; i < result.rank(); i++) {
      int dim = i;
      if (Arrays.stream(removed).noneMatch(each -> each == dim)) {
        places[at++] = i;
      }
    }
    return builder.broadcastInDim(reduced, result.withElement(element(reduced)), places);
  }

  /** Returns the elements under another shape. */
  Value reshape(Value value, long... dims) {
    return builder.reshape(value, dims);
  }

  /** Returns dimension {@code order[i]} as dimension {@code i}. */
  Value transpose(Value value, long... order) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] != i) {
        return builder.transpose(value, order);
      }
    }
    return value;
  }

  /** Returns {@code value} with two dimensions exchanged. */
  Value swap(Value value, int a, int b) {
    long[] order = new long[rank(value)];
    Arrays.setAll(order, i -> i == a ? b : i == b ? a : i);
    return transpose(value, order);
  }

  /** Returns part of one dimension. */
  Value slice(Value value, int dim, long begin, long end, long step) {
    long[] limit = dims(value);
    long[] start = new long[limit.length];
    long[] steps = new long[limit.length];
    Arrays.fill(steps, 1);
    start[dim] = begin;
    limit[dim] = end;
    steps[dim] = step;
    if (begin == 0 && step == 1 && end == dims(value)[dim]) {
      return value;
    }
    return builder.slice(value, start, limit, steps);
  }

  /** Returns numbers 0, 1, ... along {@code dim}. */
  Value iota(TensorType type, int dim) {
    return builder.iota(TensorType.of(type.element(), type.dims()), dim);
  }

  /** Returns {@code value} folded over {@code dims}, which are removed. */
  Value reduce(ReductionKind kind, Value value, int... dims) {
    Literal start = kind.identity(element(value));
    return reduce(builder.reducer(kind, element(value)), value, builder.constant(start), dims);
  }

  private Value reduce(Region body, Value value, Value start, int... dims) {
    long[] removed = Arrays.stream(dims).asLongStream().sorted().toArray();
    return op(
            "stablehlo.reduce",
            ImmutableList.of(value, start),
            ImmutableList.of(type(value).withDims(without(dims(value), dims))),
            Attributes.of("dimensions", Attribute.Longs.of(removed)),
            body)
        .get(0);
  }

  /** Returns {@code sizes} without {@code dims}. */
  static long[] without(long[] sizes, int... dims) {
    return java.util.stream.IntStream.range(0, sizes.length)
        .filter(i -> Arrays.stream(dims).noneMatch(dim -> dim == i))
        .mapToLong(i -> sizes[i])
        .toArray();
  }

  /** Returns {@code sizes} with ones at {@code dims}. */
  static long[] withOnes(long[] sizes, int... dims) {
    long[] out = sizes.clone();
    for (int dim : dims) {
      out[dim] = 1;
    }
    return out;
  }

  /** Returns a region that joins two scalars. */
  Region joining(ElementType element, BinaryOperator<Value> join) {
    TensorType type = TensorType.of(element);
    Value left = new Value(type);
    Value right = new Value(type);
    return nested(ImmutableList.of(left, right), () -> join.apply(left, right));
  }

  /** Returns a region with {@code arguments} that gives back what {@code body} builds. */
  Region nested(ImmutableList<Value> arguments, Supplier<Value> body) {
    return nestedAll(arguments, () -> ImmutableList.of(body.get()));
  }

  /** Returns a region with {@code arguments} that gives back all that {@code body} builds. */
  Region nestedAll(ImmutableList<Value> arguments, Supplier<ImmutableList<Value>> body) {
    ImmutableList<Operation> before = builder.take();
    op("stablehlo.return", body.get(), ImmutableList.of(), Attributes.EMPTY);
    ImmutableList<Operation> inside = builder.take();
    before.forEach(builder::add);
    return Region.of(Block.of(arguments, inside));
  }
}
