package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.compute.Convolution;
import dev.lockstep.hlo.op.compute.DotGeneral;
import dev.lockstep.hlo.op.compute.Rng;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.TopK;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;

/** How ops of StableHLO are written whose shapes or dimensions HLO has in another way. */
final class HloShapeRules {
  private HloShapeRules() {}

  /** Splits and concatenates by itself: HLO's own form has one dimension for both. */
  static ImmutableList<Value> allToAll(Operation operation, ToHlo.Frame frame) {
    long split = AllToAll.SPLIT_DIMENSION.get(operation);
    long joined = AllToAll.CONCAT_DIMENSION.get(operation);
    if (split == joined) {
      return frame.plain(operation, operation.operands(), AllToAll.DEF);
    }
    OpBuilder builder = frame.builder();
    Attributes.Builder attributes = Attributes.builder();
    AttributeTranslation.of(operation, builder)
        .forEach(
            (name, value) -> {
              if (!name.equals("dimensions")) {
                attributes.put(name, value);
              }
            });
    int count = Math.toIntExact(AllToAll.SPLIT_COUNT.get(operation));
    ImmutableList.Builder<Value> results = ImmutableList.builder();
    for (Value operand : frame.all(operation.operands(), operation)) {
      TensorType type = (TensorType) operand.type();
      long[] start = new long[type.rank()];
      long[] limit = type.dims().toArray();
      long[] step = new long[type.rank()];
      java.util.Arrays.fill(step, 1);
      long size = type.dim((int) split) / count;
      List<Value> parts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        start[(int) split] = i * size;
        limit[(int) split] = (i + 1) * size;
        parts.add(builder.slice(operand, start.clone(), limit.clone(), step));
      }
      ImmutableList<Type> types =
          parts.stream().map(Value::type).collect(ImmutableList.toImmutableList());
      ImmutableList<Value> given =
          builder.emitAll(
              AllToAll.DEF,
              ImmutableList.copyOf(parts),
              types,
              attributes.build(),
              ImmutableList.of());
      results.add(builder.concatenate(given, (int) joined));
    }
    return results.build();
  }

  static ImmutableList<Value> dot(Operation operation, ToHlo.Frame frame) {
    int rank = ((TensorType) operation.operand(0).type()).rank();
    Attributes.Builder attributes = Attributes.builder();
    AttributeTranslation.of(operation, frame.builder()).forEach(attributes::put);
    attributes.put("lhs_contracting_dims", Attribute.Longs.of(rank - 1));
    attributes.put("rhs_contracting_dims", Attribute.Longs.of(0));
    return ImmutableList.of(
        frame
            .builder()
            .emit(
                DotGeneral.DEF,
                frame.all(operation.operands(), operation),
                operation.result().type(),
                attributes.build()));
  }

  /** The shape of HLO's result says what StableHLO says with an operand. */
  static ImmutableList<Value> random(Operation operation, ToHlo.Frame frame) {
    return frame.plain(operation, operation.operands().subList(0, 2), Rng.DEF);
  }

  static ImmutableList<Value> convolution(Operation operation, ToHlo.Frame frame) {
    OpBuilder builder = frame.builder();
    Attributes attributes = AttributeTranslation.of(operation, builder);
    ImmutableLongArray kernel = ((TensorType) operation.operand(1).type()).dims();
    String labels =
        ((Attribute.Raw) java.util.Objects.requireNonNull(attributes.get("dim_labels"))).text();
    String ofKernel = labels.substring(labels.indexOf('_') + 1, labels.indexOf("->"));
    long[] size = new long[kernel.length() - 2];
    for (int d = 0; d < size.length; d++) {
      size[d] = kernel.get(ofKernel.indexOf('0' + d));
    }
    Attributes.Builder window = Attributes.builder();
    window.put("size", Attribute.Longs.of(size));
    if (attributes.get("window") instanceof Attribute.Struct given) {
      given.fields().forEach(window::put);
    }
    return ImmutableList.of(
        builder.emit(
            Convolution.DEF,
            frame.all(operation.operands(), operation),
            operation.result().type(),
            attributes.with("window", new Attribute.Struct("window", window.build()))));
  }

  static ImmutableList<Value> topK(Operation operation, ToHlo.Frame frame) {
    return frame
        .builder()
        .emitAll(
            TopK.DEF,
            frame.all(operation.operands(), operation),
            operation.resultTypes(),
            AttributeTranslation.of(operation, frame.builder())
                .with("largest", Attribute.Bool.TRUE),
            ImmutableList.of());
  }

  /** HLO repeats no dimension of size one: it is taken away before. */
  static ImmutableList<Value> broadcast(Operation operation, ToHlo.Frame frame) {
    ImmutableLongArray dims =
        AttrKeys.asLongs(
            java.util.Objects.requireNonNull(operation.attribute("broadcast_dimensions")));
    TensorType result = (TensorType) operation.result().type();
    return ImmutableList.of(
        repeated(
            frame.builder(),
            frame.of(operation.operand(0), operation),
            dims == null ? ImmutableLongArray.of() : dims,
            result));
  }

  private static Value repeated(
      OpBuilder builder, Value operand, ImmutableLongArray dims, TensorType result) {
    TensorType type = (TensorType) operand.type();
    ImmutableLongArray.Builder kept = ImmutableLongArray.builder();
    ImmutableLongArray.Builder sizes = ImmutableLongArray.builder();
    boolean ascending = true;
    for (int d = 0; d < type.rank(); d++) {
      if (type.dim(d) == result.dim((int) dims.get(d))) {
        kept.add(dims.get(d));
        sizes.add(type.dim(d));
      }
    }
    Value narrow = operand;
    ImmutableLongArray left = kept.build();
    if (left.length() < type.rank()) {
      narrow = builder.reshape(operand, sizes.build().toArray());
    }
    for (int d = 1; d < left.length(); d++) {
      ascending &= left.get(d - 1) < left.get(d);
    }
    boolean same = ascending && left.length() == result.rank();
    return same
        ? narrow
        : builder.emit(
            BroadcastInDim.DEF,
            ImmutableList.of(narrow),
            result,
            Attributes.of("dimensions", Attribute.Longs.of(left.toArray())));
  }

  static ImmutableList<Value> leadingBroadcast(Operation operation, ToHlo.Frame frame) {
    TensorType type = (TensorType) operation.operand(0).type();
    TensorType result = (TensorType) operation.result().type();
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    for (int d = 0; d < type.rank(); d++) {
      dims.add(result.rank() - type.rank() + d);
    }
    return ImmutableList.of(
        repeated(frame.builder(), frame.of(operation.operand(0), operation), dims.build(), result));
  }

  /** Select and clamp take scalars beside tensors in StableHLO; in HLO all have one shape. */
  static ImmutableList<Value> spread(Operation operation, ToHlo.Frame frame) {
    TensorType result = (TensorType) operation.result().type();
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    for (Value operand : frame.all(operation.operands(), operation)) {
      TensorType type = (TensorType) operand.type();
      operands.add(
          type.rank() == 0 && result.rank() > 0
              ? repeated(
                  frame.builder(),
                  operand,
                  ImmutableLongArray.of(),
                  result.withElement(type.element()))
              : operand);
    }
    return ImmutableList.of(
        frame
            .builder()
            .emit(
                operation.def(),
                operands.build(),
                result,
                AttributeTranslation.of(operation, frame.builder())));
  }
}
