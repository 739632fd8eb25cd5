package dev.lockstep.hlo.type;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a quantised tensor type says: {@code tensor<4x!quant.uniform<i8<-127:127>:f32, 0.5:3>>},
 * with a scale and zero point for all or, after {@code :f32:axis}, one for each place along an
 * axis.
 *
 * <p>An element {@code q} stands for {@code (q - zeroPoint) * scale}. Source: StableHLO
 * specification "Quantized types".
 *
 * @param dims the sizes
 * @param storage the type of what is stored
 * @param min the least stored value
 * @param max the greatest stored value
 * @param expressed the type of what is stood for
 * @param axis the dimension whose places have scales of their own, or -1
 * @param scales one, or one for each place along the axis
 * @param zeroPoints as many
 */
public record QuantizedTensor(
    ImmutableLongArray dims,
    ElementType storage,
    long min,
    long max,
    ElementType expressed,
    int axis,
    ImmutableDoubleArray scales,
    ImmutableLongArray zeroPoints) {

  private static final Pattern FORM =
      Pattern.compile(
          "tensor<((?:[0-9]+x)*)!quant\\.uniform<([iu])([0-9]+)"
              + "(?:<(-?[0-9]+):(-?[0-9]+)>)?:([a-z0-9]+)(?::([0-9]+))?, *([^<>]*)>>");

  /** Returns what {@code type} says, or null when it is no static quantised tensor. */
  public static @Nullable QuantizedTensor of(Type type) {
    if (!(type instanceof OpaqueType)) {
      return null;
    }
    Matcher matcher = FORM.matcher(type.toString());
    if (!matcher.matches()) {
      return null;
    }
    boolean signed = matcher.group(2).equals("i");
    int bits = Integer.parseInt(matcher.group(3));
    ElementType storage = ElementType.byMlirName((signed ? "i" : "ui") + bits);
    ElementType expressed = ElementType.byMlirName(matcher.group(6));
    if (storage == null || expressed == null || !expressed.isFloat()) {
      return null;
    }
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    for (String dim : Splitter.on('x').omitEmptyStrings().split(matcher.group(1))) {
      dims.add(Long.parseLong(dim));
    }
    long min = signed ? -1L << (bits - 1) : 0;
    long max = signed ? ~min : (bits == 64 ? -1 : (1L << bits) - 1);
    ImmutableDoubleArray.Builder scales = ImmutableDoubleArray.builder();
    ImmutableLongArray.Builder zeroPoints = ImmutableLongArray.builder();
    for (String entry : entries(matcher.group(8))) {
      List<String> parts = Splitter.on(':').trimResults().splitToList(entry);
      scales.add(Double.parseDouble(parts.get(0)));
      zeroPoints.add(parts.size() > 1 ? Long.parseLong(parts.get(1)) : 0);
    }
    return new QuantizedTensor(
        dims.build(),
        storage,
        matcher.group(4) == null ? min : Long.parseLong(matcher.group(4)),
        matcher.group(5) == null ? max : Long.parseLong(matcher.group(5)),
        expressed,
        matcher.group(7) == null ? -1 : Integer.parseInt(matcher.group(7)),
        scales.build(),
        zeroPoints.build());
  }

  private static ImmutableList<String> entries(String text) {
    String inner = text.replaceAll("[{}]", "").toLowerCase(Locale.ROOT);
    return ImmutableList.copyOf(Splitter.on(',').trimResults().split(inner));
  }

  /** Returns the type of what is stored. */
  public TensorType stored() {
    return TensorType.of(storage, dims);
  }

  /** Returns the type of what is stood for. */
  public TensorType meant() {
    return TensorType.of(expressed, dims);
  }

  /** Returns the scale of the element at {@code index} in row-major order. */
  public double scale(int index) {
    return scales.get(place(index));
  }

  /** Returns the zero point of the element at {@code index} in row-major order. */
  public long zeroPoint(int index) {
    return zeroPoints.get(place(index));
  }

  private int place(int index) {
    if (axis < 0) {
      return 0;
    }
    long faster = 1;
    for (int d = axis + 1; d < dims.length(); d++) {
      faster *= dims.get(d);
    }
    return (int) (index / faster % dims.get(axis));
  }
}
