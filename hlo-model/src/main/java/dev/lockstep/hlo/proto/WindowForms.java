package dev.lockstep.hlo.proto;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.proto.xla.ConvolutionDimensionNumbers;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto.SliceDimensions;
import dev.lockstep.hlo.proto.xla.PaddingConfig;
import dev.lockstep.hlo.proto.xla.Window;
import dev.lockstep.hlo.proto.xla.WindowDimension;
import java.util.List;
import java.util.function.ToLongFunction;

/** Windows, slices, paddings and the labels of convolutions. */
final class WindowForms {
  private WindowForms() {}

  /** Appends those that {@code proto} has. */
  static void read(HloInstructionProto proto, AttributeText out, HloInstructionProto.Builder rest) {
    if (proto.getWindow().getDimensionsCount() > 0) {
      out.put("window", window(proto.getWindow()));
    }
    rest.clearWindow();
    if (proto.getSliceDimensionsCount() > 0 || proto.getOpcode().equals("slice")) {
      StringBuilder text = new StringBuilder("{");
      for (SliceDimensions slice : proto.getSliceDimensionsList()) {
        text.append(text.length() == 1 ? "[" : ", [").append(slice.getStart());
        text.append(':').append(slice.getLimit());
        text.append(slice.getStride() == 1 ? "" : ":" + slice.getStride()).append(']');
      }
      out.put("slice", text.append('}').toString());
      rest.clearSliceDimensions();
    }
    if (proto.hasPaddingConfig()) {
      StringBuilder text = new StringBuilder();
      for (PaddingConfig.PaddingConfigDimension padding :
          proto.getPaddingConfig().getDimensionsList()) {
        text.append(text.length() == 0 ? "" : "x").append(padding.getEdgePaddingLow());
        text.append('_').append(padding.getEdgePaddingHigh());
        text.append('_').append(padding.getInteriorPadding());
      }
      out.put("padding", text.toString());
      rest.clearPaddingConfig();
    }
    if (proto.hasConvolutionDimensionNumbers()
        && proto.getConvolutionDimensionNumbers().getInputFeatureDimension()
            != proto.getConvolutionDimensionNumbers().getInputBatchDimension()) {
      out.put("dim_labels", labels(proto.getConvolutionDimensionNumbers()));
      rest.clearConvolutionDimensionNumbers();
    }
  }

  private static String window(Window window) {
    StringBuilder out = new StringBuilder("{");
    List<WindowDimension> all = window.getDimensionsList();
    field(out, "size", all, WindowDimension::getSize, Long.MIN_VALUE);
    field(out, "stride", all, WindowDimension::getStride, 1);
    if (all.stream().anyMatch(d -> d.getPaddingLow() != 0 || d.getPaddingHigh() != 0)) {
      String separator = " pad=";
      for (WindowDimension dimension : all) {
        out.append(separator).append(dimension.getPaddingLow());
        out.append('_').append(dimension.getPaddingHigh());
        separator = "x";
      }
    }
    field(out, "lhs_dilate", all, WindowDimension::getBaseDilation, 1);
    field(out, "rhs_dilate", all, WindowDimension::getWindowDilation, 1);
    field(out, "rhs_reversal", all, d -> d.getWindowReversal() ? 1 : 0, 0);
    return out.append('}').toString();
  }

  private static void field(
      StringBuilder out,
      String name,
      List<WindowDimension> all,
      ToLongFunction<WindowDimension> value,
      long ordinary) {
    if (all.stream().allMatch(dimension -> value.applyAsLong(dimension) == ordinary)) {
      return;
    }
    String separator = (out.length() == 1 ? "" : " ") + name + "=";
    for (WindowDimension dimension : all) {
      out.append(separator).append(value.applyAsLong(dimension));
      separator = "x";
    }
  }

  /** Returns {@code b01f_01io->b01f}. */
  private static String labels(ConvolutionDimensionNumbers numbers) {
    StringBuilder out = new StringBuilder();
    labels(
        out,
        'b',
        numbers.getInputBatchDimension(),
        'f',
        numbers.getInputFeatureDimension(),
        numbers.getInputSpatialDimensionsList());
    out.append('_');
    labels(
        out,
        'o',
        numbers.getKernelOutputFeatureDimension(),
        'i',
        numbers.getKernelInputFeatureDimension(),
        numbers.getKernelSpatialDimensionsList());
    out.append("->");
    labels(
        out,
        'b',
        numbers.getOutputBatchDimension(),
        'f',
        numbers.getOutputFeatureDimension(),
        numbers.getOutputSpatialDimensionsList());
    return out.toString();
  }

  private static void labels(
      StringBuilder out, char first, long firstAt, char second, long secondAt, List<Long> spatial) {
    for (long i = 0; i < spatial.size() + 2; i++) {
      if (i == firstAt || i == secondAt) {
        out.append(i == firstAt ? first : second);
      } else {
        int number = spatial.indexOf(i);
        out.append(number < 0 ? "?" : Integer.toString(number));
      }
    }
  }

  /** Sets the field of {@code name}; returns whether the value has the form it takes. */
  static boolean write(
      String name, Attribute value, Location location, HloInstructionProto.Builder out) {
    if (name.equals("dim_labels")) {
      if (!(value instanceof Attribute.Raw)) {
        return false;
      }
      out.setConvolutionDimensionNumbers(numbers(((Attribute.Raw) value).text(), location));
      return true;
    }
    if (!(value instanceof Attribute.Struct)) {
      return false;
    }
    Attributes fields = ((Attribute.Struct) value).fields();
    switch (name) {
      case "window" -> out.setWindow(window(fields));
      case "slice" -> {
        ImmutableLongArray start = longs(fields, "start");
        ImmutableLongArray limit = longs(fields, "limit");
        ImmutableLongArray strides = longs(fields, "strides");
        for (int i = 0; i < start.length(); i++) {
          out.addSliceDimensionsBuilder()
              .setStart(start.get(i))
              .setLimit(limit.get(i))
              .setStride(strides.get(i));
        }
      }
      default -> {
        ImmutableLongArray low = longs(fields, "low");
        ImmutableLongArray high = longs(fields, "high");
        ImmutableLongArray interior = longs(fields, "interior");
        PaddingConfig.Builder padding = out.getPaddingConfigBuilder();
        for (int i = 0; i < low.length(); i++) {
          padding
              .addDimensionsBuilder()
              .setEdgePaddingLow(low.get(i))
              .setEdgePaddingHigh(high.get(i))
              .setInteriorPadding(interior.get(i));
        }
      }
    }
    return true;
  }

  private static ImmutableLongArray longs(Attributes fields, String name) {
    Attribute value = fields.get(name);
    ImmutableLongArray longs = value == null ? null : AttrKeys.asLongs(value);
    return longs == null ? ImmutableLongArray.of() : longs;
  }

  private static Window window(Attributes fields) {
    int rank = 0;
    for (int i = 0; i < fields.size(); i++) {
      rank = Math.max(rank, longs(fields, fields.name(i)).length());
    }
    Window.Builder out = Window.newBuilder();
    for (int i = 0; i < rank; i++) {
      out.addDimensionsBuilder()
          .setSize(at(fields, "size", i, 1))
          .setStride(at(fields, "stride", i, 1))
          .setPaddingLow(at(fields, "pad_low", i, 0))
          .setPaddingHigh(at(fields, "pad_high", i, 0))
          .setBaseDilation(at(fields, "lhs_dilate", i, 1))
          .setWindowDilation(at(fields, "rhs_dilate", i, 1))
          .setWindowReversal(at(fields, "rhs_reversal", i, 0) != 0);
    }
    return out.build();
  }

  private static long at(Attributes fields, String name, int i, long ordinary) {
    ImmutableLongArray values = longs(fields, name);
    return i < values.length() ? values.get(i) : ordinary;
  }

  private static ConvolutionDimensionNumbers numbers(String text, Location location) {
    int middle = text.indexOf('_');
    int arrow = text.indexOf("->");
    if (middle < 0 || arrow < middle) {
      throw new TextScanner(text, location).error("expected labels such as b0f_0io->b0f");
    }
    String input = text.substring(0, middle);
    String kernel = text.substring(middle + 1, arrow);
    String output = text.substring(arrow + 2);
    ConvolutionDimensionNumbers.Builder out =
        ConvolutionDimensionNumbers.newBuilder()
            .setInputBatchDimension(input.indexOf('b'))
            .setInputFeatureDimension(input.indexOf('f'))
            .setKernelOutputFeatureDimension(kernel.indexOf('o'))
            .setKernelInputFeatureDimension(kernel.indexOf('i'))
            .setOutputBatchDimension(output.indexOf('b'))
            .setOutputFeatureDimension(output.indexOf('f'));
    for (int spatial = 0; spatial < input.length() - 2; spatial++) {
      out.addInputSpatialDimensions(input.indexOf('0' + spatial));
      out.addKernelSpatialDimensions(kernel.indexOf('0' + spatial));
      out.addOutputSpatialDimensions(output.indexOf('0' + spatial));
    }
    return out.build();
  }
}
