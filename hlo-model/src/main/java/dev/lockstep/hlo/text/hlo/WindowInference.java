package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/** Shapes of what slides a window or pads. */
final class WindowInference {
  private WindowInference() {}

  private static Attributes fields(ShapeInference.Call call, String name) {
    Attribute value = call.attributes().get(name);
    return value instanceof Attribute.Struct
        ? ((Attribute.Struct) value).fields()
        : Attributes.EMPTY;
  }

  private static long at(Attributes fields, String name, int i, long otherwise) {
    Attribute value = fields.get(name);
    ImmutableLongArray longs = value == null ? null : AttrKeys.asLongs(value);
    return longs == null ? otherwise : longs.get(i);
  }

  /** Returns how often window dimension {@code i} fits into {@code size}. */
  private static long fit(Attributes window, int i, long size) {
    long dilated = size == 0 ? 0 : (size - 1) * at(window, "lhs_dilate", i, 1) + 1;
    long padded = dilated + at(window, "pad_low", i, 0) + at(window, "pad_high", i, 0);
    long extent = at(window, "size", i, 1);
    long reach = extent == 0 ? 0 : (extent - 1) * at(window, "rhs_dilate", i, 1) + 1;
    return padded < reach ? 0 : (padded - reach) / at(window, "stride", i, 1) + 1;
  }

  static Type reduceWindow(ShapeInference.Call call) {
    Attributes window = fields(call, "window");
    int count = call.operands().size() / 2;
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      long[] dims = call.tensor(i).dims().toArray();
      for (int d = 0; d < dims.length; d++) {
        dims[d] = fit(window, d, dims[d]);
      }
      out.add(TensorType.of(call.tensor(count + i).element(), dims));
    }
    return ShapeInference.oneOrTuple(out.build());
  }

  static Type pad(ShapeInference.Call call) {
    Attributes padding = fields(call, "padding");
    long[] dims = call.tensor(0).dims().toArray();
    for (int d = 0; d < dims.length; d++) {
      long gaps = dims[d] == 0 ? 0 : (dims[d] - 1) * at(padding, "interior", d, 0);
      dims[d] += gaps + at(padding, "low", d, 0) + at(padding, "high", d, 0);
    }
    return TensorType.of(call.tensor(0).element(), dims);
  }

  /** Reads {@code bf01_io01->bf01}: batch, feature, input and output feature, spatial numbers. */
  static @Nullable Type convolution(ShapeInference.Call call) {
    Attribute labels = call.attributes().get("dim_labels");
    if (!(labels instanceof Attribute.Raw)) {
      return null;
    }
    String text = ((Attribute.Raw) labels).text();
    int first = text.indexOf('_');
    int arrow = text.indexOf("->");
    if (first < 0 || arrow < first) {
      return null;
    }
    String input = text.substring(0, first);
    String kernel = text.substring(first + 1, arrow);
    String output = text.substring(arrow + 2);
    Attributes window = fields(call, "window");
    Attribute groups = call.attributes().get("batch_group_count");
    Long batchGroups = groups == null ? null : AttrKeys.asLong(groups);
    long[] dims = new long[output.length()];
    for (int d = 0; d < dims.length; d++) {
      char label = output.charAt(d);
      if (label == 'b') {
        long batch = call.tensor(0).dim(input.indexOf('b'));
        dims[d] = batchGroups == null ? batch : batch / batchGroups;
      } else if (label == 'f') {
        dims[d] = call.tensor(1).dim(kernel.indexOf('o'));
      } else {
        dims[d] = fit(window, label - '0', call.tensor(0).dim(input.indexOf(label)));
      }
    }
    return TensorType.of(call.tensor(0).element(), dims);
  }
}
