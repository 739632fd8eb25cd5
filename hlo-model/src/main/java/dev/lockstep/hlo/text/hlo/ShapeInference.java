package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of results that a text may leave out, by opcode.
 *
 * <p>Source: the opcodes for which XLA's {@code hlo_parser.cc} infers shapes; the rules are those
 * of {@code shape_inference.cc} for static shapes.
 */
final class ShapeInference {

  /**
   * What a rule sees.
   *
   * @param operands shapes of the operands
   * @param attributes the attributes
   * @param callee gives the shape of a computation's ROOT
   */
  record Call(
      ImmutableList<Type> operands,
      Attributes attributes,
      Function<String, @Nullable Type> callee) {

    TensorType tensor(int i) {
      return (TensorType) operands.get(i);
    }

    ImmutableLongArray longs(String name) {
      Attribute value = attributes.get(name);
      ImmutableLongArray longs = value == null ? null : AttrKeys.asLongs(value);
      return longs == null ? ImmutableLongArray.of() : longs;
    }

    @Nullable Type result(String name) {
      Attribute value = attributes.get(name);
      if (value instanceof Attribute.Array && !((Attribute.Array) value).elements().isEmpty()) {
        value = ((Attribute.Array) value).elements().get(0);
      }
      return value instanceof Attribute.Symbol
          ? callee.apply(((Attribute.Symbol) value).name())
          : null;
    }
  }

  /** One rule; null when the operands give no shape. */
  private interface Rule {
    @Nullable Type infer(Call call);
  }

  /** Opcodes whose result has the shape of their first operand. */
  private static final String[] LIKE_FIRST = {
    "abs",
    "add",
    "add-dependency",
    "and",
    "atan2",
    "batch-norm-inference",
    "cbrt",
    "ceil",
    "cholesky",
    "copy",
    "cosine",
    "count-leading-zeros",
    "divide",
    "domain",
    "erf",
    "exponential",
    "exponential-minus-one",
    "floor",
    "log",
    "log-plus-one",
    "logistic",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "opt-barrier",
    "or",
    "popcnt",
    "power",
    "remainder",
    "reverse",
    "round-nearest-afz",
    "round-nearest-even",
    "rsqrt",
    "select-and-scatter",
    "shift-left",
    "shift-right-arithmetic",
    "shift-right-logical",
    "sign",
    "sine",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "while",
    "xor",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atanh",
    "cosh",
    "sinh"
  };

  private static final Rule FIRST = call -> call.operands.get(0);
  private static final Rule SECOND = call -> call.operands.get(1);
  private static final Rule PRED = call -> withElement(call.tensor(0), ElementType.I1);
  private static final ImmutableMap<String, Rule> RULES = rules();

  private ShapeInference() {}

  /** Returns the shape that {@code opcode} gives, or null when it must be written. */
  static @Nullable Type infer(String opcode, Call call) {
    Rule rule = RULES.get(opcode);
    if (rule == null) {
      return null;
    }
    try {
      return rule.infer(call);
    } catch (ClassCastException | IndexOutOfBoundsException e) {
      // Too few operands, or tuples where tensors belong: there is no shape to infer.
      return null;
    }
  }

  private static ImmutableMap<String, Rule> rules() {
    ImmutableMap.Builder<String, Rule> out = ImmutableMap.builder();
    for (String opcode : LIKE_FIRST) {
      out.put(opcode, FIRST);
    }
    return out.put("clamp", SECOND)
        .put("select", SECOND)
        .put("triangular-solve", SECOND)
        .put("compare", PRED)
        .put("is-finite", PRED)
        .put("after-all", call -> TokenType.TOKEN)
        .put("partition-id", call -> TensorType.of(ElementType.UI32))
        .put("replica-id", call -> TensorType.of(ElementType.UI32))
        .put("get-dimension-size", call -> TensorType.of(ElementType.I32))
        .put("complex", call -> complex(call.tensor(0)))
        .put("real", call -> part(call.tensor(0)))
        .put("imag", call -> part(call.tensor(0)))
        .put("tuple", call -> new TupleType(call.operands))
        .put("get-tuple-element", ShapeInference::element)
        .put("call", call -> call.result("to_apply"))
        .put("conditional", ShapeInference::conditional)
        .put("map", ShapeInference::map)
        .put("reduce", ShapeInference::reduce)
        .put("reduce-window", WindowInference::reduceWindow)
        .put("convolution", WindowInference::convolution)
        .put("pad", WindowInference::pad)
        .put("scatter", call -> half(call, call.operands.size() / 2, 3))
        .put("sort", call -> half(call, call.operands.size(), 1))
        .put("concatenate", ShapeInference::concatenate)
        .put("transpose", ShapeInference::transpose)
        .put("dot", ShapeInference::dot)
        .put("fft", ShapeInference::fft)
        .put("gather", ShapeInference::gather)
        .put("topk", ShapeInference::topk)
        .put("set-dimension-size", ShapeInference::setDimensionSize)
        .put("batch-norm-training", ShapeInference::batchNorm)
        .put("batch-norm-grad", ShapeInference::batchNorm)
        .buildOrThrow();
  }

  private static Type withElement(TensorType type, ElementType element) {
    return type.withElement(element);
  }

  private static @Nullable Type complex(TensorType part) {
    ElementType element = part.element().complexOf();
    return element == null ? null : part.withElement(element);
  }

  private static Type part(TensorType whole) {
    return whole.withElement(whole.element().realPart());
  }

  private static @Nullable Type element(Call call) {
    Attribute index = call.attributes.get("index");
    Type type = call.operands.get(0);
    if (!(index instanceof Attribute.Int) || !(type instanceof TupleType)) {
      return null;
    }
    long i = ((Attribute.Int) index).value();
    ImmutableList<Type> elements = ((TupleType) type).elements();
    return i < 0 || i >= elements.size() ? null : elements.get((int) i);
  }

  private static @Nullable Type conditional(Call call) {
    Type branch = call.result("true_computation");
    return branch != null ? branch : call.result("branch_computations");
  }

  private static @Nullable Type map(Call call) {
    Type scalar = call.result("to_apply");
    return scalar instanceof TensorType
        ? call.tensor(0).withElement(((TensorType) scalar).element())
        : null;
  }

  private static Type reduce(Call call) {
    ImmutableLongArray removed = call.longs("dimensions");
    int count = call.operands.size() / 2;
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      TensorType operand = call.tensor(i);
      ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
      for (int d = 0; d < operand.rank(); d++) {
        if (!removed.contains(d)) {
          dims.add(operand.dim(d));
        }
      }
      out.add(TensorType.of(call.tensor(count + i).element(), dims.build()));
    }
    return oneOrTuple(out.build());
  }

  static Type oneOrTuple(ImmutableList<Type> types) {
    return types.size() == 1 ? types.get(0) : new TupleType(types);
  }

  private static Type half(Call call, int count, int single) {
    return call.operands.size() == single
        ? call.operands.get(0)
        : new TupleType(call.operands.subList(0, count));
  }

  private static Type concatenate(Call call) {
    int dimension = (int) call.longs("dimensions").get(0);
    long[] dims = call.tensor(0).dims().toArray();
    dims[dimension] = 0;
    for (int i = 0; i < call.operands.size(); i++) {
      dims[dimension] += call.tensor(i).dim(dimension);
    }
    return TensorType.of(call.tensor(0).element(), dims);
  }

  private static Type transpose(Call call) {
    ImmutableLongArray order = call.longs("dimensions");
    TensorType operand = call.tensor(0);
    long[] dims = new long[order.length()];
    ImmutableIntArray.Builder minorToMajor = ImmutableIntArray.builder(dims.length);
    Layout layout = operand.layout();
    ImmutableIntArray old = layout == null ? ImmutableIntArray.of() : layout.minorToMajor();
    for (int i = 0; i < dims.length; i++) {
      dims[i] = operand.dim((int) order.get(i));
      int minor = old.length() == dims.length ? old.get(i) : dims.length - 1 - i;
      minorToMajor.add(order.indexOf(minor));
    }
    // XLA leaves the elements where they lie.
    return TensorType.of(operand.element(), dims)
        .withLayout(new Layout(minorToMajor.build(), layout == null ? "" : layout.extras()));
  }

  private static Type dot(Call call) {
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    ImmutableLongArray batch = call.longs("lhs_batch_dims");
    for (int i = 0; i < batch.length(); i++) {
      dims.add(call.tensor(0).dim((int) batch.get(i)));
    }
    free(dims, call.tensor(0), batch, call.longs("lhs_contracting_dims"));
    free(dims, call.tensor(1), call.longs("rhs_batch_dims"), call.longs("rhs_contracting_dims"));
    return TensorType.of(call.tensor(0).element(), dims.build());
  }

  private static void free(
      ImmutableLongArray.Builder out,
      TensorType type,
      ImmutableLongArray batch,
      ImmutableLongArray contracting) {
    for (int d = 0; d < type.rank(); d++) {
      if (!batch.contains(d) && !contracting.contains(d)) {
        out.add(type.dim(d));
      }
    }
  }

  private static @Nullable Type fft(Call call) {
    Attribute kind = call.attributes.get("fft_type");
    ImmutableLongArray length = call.longs("fft_length");
    if (!(kind instanceof Attribute.Word) || length.isEmpty()) {
      return null;
    }
    TensorType operand = call.tensor(0);
    long[] dims = operand.dims().toArray();
    long last = length.get(length.length() - 1);
    switch (((Attribute.Word) kind).value()) {
      case "RFFT":
        dims[dims.length - 1] = last == 0 ? 0 : last / 2 + 1;
        ElementType complex = operand.element().complexOf();
        return complex == null ? null : TensorType.of(complex, dims);
      case "IRFFT":
        dims[dims.length - 1] = last;
        return TensorType.of(operand.element().realPart(), dims);
      default:
        return operand;
    }
  }

  private static Type gather(Call call) {
    ImmutableLongArray offsets = call.longs("offset_dims");
    ImmutableLongArray collapsed = call.longs("collapsed_slice_dims");
    ImmutableLongArray batching = call.longs("operand_batching_dims");
    ImmutableLongArray sizes = call.longs("slice_sizes");
    Attribute written = call.attributes.get("index_vector_dim");
    Long vector = written == null ? null : AttrKeys.asLong(written);
    ImmutableLongArray.Builder window = ImmutableLongArray.builder();
    for (int d = 0; d < sizes.length(); d++) {
      if (!collapsed.contains(d) && !batching.contains(d)) {
        window.add(sizes.get(d));
      }
    }
    ImmutableLongArray inside = window.build();
    ImmutableLongArray.Builder batch = ImmutableLongArray.builder();
    for (int d = 0; d < call.tensor(1).rank(); d++) {
      if (vector == null || d != vector) {
        batch.add(call.tensor(1).dim(d));
      }
    }
    ImmutableLongArray outside = batch.build();
    int rank = inside.length() + outside.length();
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder(rank);
    int nextInside = 0;
    int nextOutside = 0;
    for (int d = 0; d < rank; d++) {
      dims.add(offsets.contains(d) ? inside.get(nextInside++) : outside.get(nextOutside++));
    }
    return TensorType.of(call.tensor(0).element(), dims.build());
  }

  private static @Nullable Type topk(Call call) {
    Attribute k = call.attributes.get("k");
    Long size = k == null ? null : AttrKeys.asLong(k);
    if (size == null) {
      return null;
    }
    long[] dims = call.tensor(0).dims().toArray();
    dims[dims.length - 1] = size;
    return new TupleType(
        ImmutableList.of(
            TensorType.of(call.tensor(0).element(), dims), TensorType.of(ElementType.I32, dims)));
  }

  private static Type setDimensionSize(Call call) {
    int dimension = (int) call.longs("dimensions").get(0);
    TensorType operand = call.tensor(0);
    long[] dims = operand.dims().toArray();
    long[] bounds = new long[dims.length];
    ImmutableLongArray old = operand.bounds();
    for (int d = 0; d < dims.length; d++) {
      bounds[d] = old == null ? TensorType.DYNAMIC : old.get(d);
    }
    if (dims[dimension] != TensorType.DYNAMIC) {
      bounds[dimension] = dims[dimension];
      dims[dimension] = TensorType.DYNAMIC;
    }
    return TensorType.of(
        operand.element(),
        ImmutableLongArray.copyOf(dims),
        ImmutableLongArray.copyOf(bounds),
        operand.layout(),
        null);
  }

  private static Type batchNorm(Call call) {
    Type scale = call.operands.get(1);
    return new TupleType(ImmutableList.of(call.operands.get(0), scale, scale));
  }
}
