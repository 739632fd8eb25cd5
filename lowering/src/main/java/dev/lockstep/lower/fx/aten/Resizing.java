package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.function.LongUnaryOperator;

/** Images made larger or smaller, padded with their own elements, or reordered. */
final class Resizing {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) "
                  + "-> Tensor",
              Resizing::nearest),
          AtenOp.of(
              "upsample_nearest2d(Tensor self, SymInt[2] output_size, float? "
                  + "scales_h=None, float? scales_w=None) -> Tensor",
              Resizing::nearest),
          AtenOp.of(
              "upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? "
                  + "scale_factors) -> Tensor",
              Resizing::nearestVector),
          AtenOp.of(
              "upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, "
                  + "SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor",
              Resizing::nearestBackward),
          AtenOp.of(
              "upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, "
                  + "float? scales_h=None, float? scales_w=None) -> Tensor",
              Resizing::linear),
          AtenOp.of(
              "upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool "
                  + "align_corners, float[]? scale_factors) -> Tensor",
              Resizing::bilinearVector),
          AtenOp.of(
              "upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float?"
                  + " scales=None) -> Tensor",
              Resizing::linear),
          AtenOp.of(
              "upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float?"
                  + " scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor",
              Resizing::linear),
          AtenOp.of(
              "upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float?"
                  + " scales_h=None, float? scales_w=None) -> Tensor",
              Resizing::nearest),
          AtenOp.of(
              "_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) ->"
                  + " Tensor",
              Resizing::nearest),
          AtenOp.of(
              "_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None,"
                  + " float? scales_w=None) -> Tensor",
              Resizing::nearest),
          AtenOp.of(
              "_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None,"
                  + " float? scales_h=None, float? scales_w=None) -> Tensor",
              Resizing::nearest),
          AtenOp.of(
              "reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor",
              (call, t) -> padded(call, t, "padding", "reflect")),
          AtenOp.of(
              "reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor",
              (call, t) -> padded(call, t, "padding", "reflect")),
          AtenOp.of(
              "replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor",
              (call, t) -> padded(call, t, "padding", "replicate")),
          AtenOp.of(
              "replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor",
              (call, t) -> padded(call, t, "padding", "replicate")),
          AtenOp.of("pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", Resizing::shuffle),
          AtenOp.of(
              "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", Resizing::unshuffle));

  private Resizing() {}

  /** Returns {@code value} whose dimension {@code dim} was multiplied by a matrix [in, out]. */
  static Value along(Tensors t, Value value, Value matrix, int dim) {
    Value product =
        Products.contract(
            t, value, matrix, new long[0], new long[0], new long[] {dim}, new long[] {0});
    // The new dimension came last.
    int rank = Tensors.rank(value);
    long[] order = new long[rank];
    for (int i = 0; i < rank; i++) {
      order[i] = i < dim ? i : i == dim ? rank - 1 : i - 1;
    }
    return t.transpose(product, order);
  }

  /** Returns {@code value} whose element {@code i} along {@code dim} is the one at a place. */
  private static Value taken(Tensors t, Value value, int dim, long count, LongUnaryOperator place) {
    LiteralBuilder places = new LiteralBuilder(TensorType.of(ElementType.I64, count, 1));
    for (int i = 0; i < count; i++) {
      places.setLong(i, place.applyAsLong(i));
    }
    Value front = Slices.toFront(t, value, dim);
    Value rows = Gathers.rows(t, front, t.builder().constant(places.build()));
    return Slices.fromFront(t, rows, dim);
  }

  private static Arg nearest(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] sizes = call.integers("output_size");
    double shift = call.name().contains("_exact") ? 0.5 : 0;
    Value out = self;
    for (int i = 0; i < sizes.length; i++) {
      int dim = Tensors.rank(self) - sizes.length + i;
      out = nearest(t, out, dim, sizes[i], scale(call, i, sizes.length), shift);
    }
    return Arg.of(out);
  }

  /** Returns the scale of the {@code i}-th of {@code n} dimensions; 0 where none is given. */
  private static double scale(AtenCall call, int i, int n) {
    String name =
        n == 1 ? "scales" : ImmutableList.of("scales_d", "scales_h", "scales_w").get(3 - n + i);
    return call.has(name) ? call.real(name) : 0;
  }

  private static Arg nearestVector(AtenCall call, Tensors t) {
    Value self = call.tensor("input");
    Value out = self;
    for (int i = 0; i < 2; i++) {
      int dim = 2 + i;
      double scale = scale(call, i);
      out = nearest(t, out, dim, size(call, i, Tensors.dims(self)[dim]), scale, 0);
    }
    return Arg.of(out);
  }

  private static double scale(AtenCall call, int i) {
    return call.has("scale_factors") ? Tensors.toDouble(call.items("scale_factors").get(i)) : 0;
  }

  private static long size(AtenCall call, int i, long in) {
    return call.has("output_size")
        ? call.integers("output_size")[i]
        : (long) Math.floor(in * scale(call, i));
  }

  private static long source(long in, long out, double scale, long i, double shift) {
    float step = scale > 0 ? (float) (1 / scale) : (float) in / out;
    return Math.min(in - 1, (long) Math.floor((float) (i + shift) * step));
  }

  private static Value nearest(
      Tensors t, Value value, int dim, long size, double scale, double shift) {
    long in = Tensors.dims(value)[dim];
    return taken(t, value, dim, size, i -> source(in, size, scale, i, shift));
  }

  private static Arg nearestBackward(AtenCall call, Tensors t) {
    Value out = call.tensor("grad_output");
    long[] sizes = call.integers("input_size");
    for (int i = 0; i < 2; i++) {
      String name = i == 0 ? "scales_h" : "scales_w";
      double scale = call.has(name) ? call.real(name) : 0;
      long in = sizes[2 + i];
      long size = Tensors.dims(out)[2 + i];
      LiteralBuilder matrix = new LiteralBuilder(TensorType.of(Tensors.element(out), size, in));
      for (int k = 0; k < size; k++) {
        matrix.setDouble((int) (k * in + source(in, size, scale, k, 0)), 1);
      }
      out = along(t, out, t.builder().constant(matrix.build()), 2 + i);
    }
    return Arg.of(out);
  }

  private static Arg linear(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] sizes = call.integers("output_size");
    Value out = t.wide(self);
    for (int i = 0; i < sizes.length; i++) {
      int dim = Tensors.rank(self) - sizes.length + i;
      out = linear(call, t, out, dim, sizes[i], scale(call, i, sizes.length));
    }
    return Arg.of(t.convert(out, Tensors.element(self)));
  }

  private static Arg bilinearVector(AtenCall call, Tensors t) {
    Value self = call.tensor("input");
    Value out = t.wide(self);
    for (int i = 0; i < 2; i++) {
      long size = size(call, i, Tensors.dims(self)[2 + i]);
      out = linear(call, t, out, 2 + i, size, scale(call, i));
    }
    return Arg.of(t.convert(out, Tensors.element(self)));
  }

  private static Value linear(
      AtenCall call, Tensors t, Value value, int dim, long out, double scale) {
    long in = Tensors.dims(value)[dim];
    boolean corners = call.flag("align_corners");
    double step =
        corners
            ? out > 1 ? (double) (in - 1) / (out - 1) : 0
            : scale > 0 ? 1 / scale : (double) in / out;
    LiteralBuilder matrix = new LiteralBuilder(TensorType.of(Tensors.element(value), in, out));
    for (int i = 0; i < out; i++) {
      double at = corners ? i * step : Math.max(0, (i + 0.5) * step - 0.5);
      long low = Math.min(in - 1, (long) Math.floor(at));
      long high = Math.min(in - 1, low + 1);
      double part = at - low;
      matrix.setDouble((int) (low * out + i), low == high ? 1 : 1 - part);
      if (low != high) {
        matrix.setDouble((int) (high * out + i), part);
      }
    }
    return along(t, value, t.builder().constant(matrix.build()), dim);
  }

  /** Pads the last dimensions with elements of the tensor itself. */
  static Arg padded(AtenCall call, Tensors t, String name, String mode) {
    Value out = call.tensor("self");
    long[] pad = call.integers(name);
    for (int i = 0; i < pad.length / 2; i++) {
      int dim = Tensors.rank(out) - 1 - i;
      long size = Tensors.dims(out)[dim];
      long low = pad[2 * i];
      long high = pad[2 * i + 1];
      if (mode.equals("reflect") && Math.max(low, high) >= size) {
        throw call.error("reflects " + Math.max(low, high) + " of " + size + " elements");
      }
      LongUnaryOperator place =
          switch (mode) {
            case "reflect" ->
                at -> at < low ? low - at : at < low + size ? at - low : 2 * size - 2 - at + low;
            case "replicate" -> at -> Math.max(0, Math.min(size - 1, at - low));
            case "circular" -> at -> Math.floorMod(at - low, size);
            default -> throw call.error("mode is '" + mode + "'");
          };
      out = taken(t, out, dim, size + low + high, place);
    }
    return Arg.of(out);
  }

  private static Arg shuffle(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long r = call.integer("upscale_factor");
    long[] d = Tensors.dims(self);
    Value split = t.reshape(self, d[0], d[1] / (r * r), r, r, d[2], d[3]);
    Value moved = t.transpose(split, 0, 1, 4, 2, 5, 3);
    return Arg.of(t.reshape(moved, d[0], d[1] / (r * r), d[2] * r, d[3] * r));
  }

  private static Arg unshuffle(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long r = call.integer("downscale_factor");
    long[] d = Tensors.dims(self);
    Value split = t.reshape(self, d[0], d[1], d[2] / r, r, d[3] / r, r);
    Value moved = t.transpose(split, 0, 1, 3, 5, 2, 4);
    return Arg.of(t.reshape(moved, d[0], d[1] * r * r, d[2] / r, d[3] / r));
  }
}
