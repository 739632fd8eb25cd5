package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Fourier;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.fft}. */
public final class Fft {
  /** FFT, IFFT, RFFT or IRFFT. */
  public static final AttrKey<String> TYPE = AttrKeys.word("fft_type", "fft_type");

  /** Sizes of the transformed dimensions. */
  public static final AttrKey<ImmutableLongArray> LENGTH =
      AttrKeys.longs("fft_length", "fft_length");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.fft")
          .hlo("fft")
          .summary("Fourier transform of the last dimensions")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(TYPE, LENGTH)
          .keyword("fft_type", "type")
          .keyword("fft_length", "length")
          .local(Fft::eval)
          .build();

  private Fft() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    String type = TYPE.get(operation);
    int[] length = Index.ints(LENGTH.get(operation));
    int[] dims = Index.ints(operand.dims());
    double[] data = Wide.pairs(operand);
    boolean inverse = type.startsWith("I");
    boolean toReal = type.equals("IRFFT");
    int last = dims.length - 1;
    for (int i = 0; i < length.length; i++) {
      int d = dims.length - length.length + i;
      if (!toReal || d != last) {
        Fourier.transform(data, dims[d], Index.strides(dims)[d], inverse);
      }
    }
    int[] outDims = dims.clone();
    if (toReal) {
      outDims[last] = length[length.length - 1];
      data = mirrored(data, dims[last], outDims[last]);
      Fourier.transform(data, outDims[last], 1, true);
      return ImmutableList.of(
          Wide.ofReals(TensorType.of(operand.element().realPart(), Index.longs(outDims)), data));
    }
    ElementType element = Results.tensor(operation, 0).element();
    if (type.equals("RFFT")) {
      outDims[last] = dims[last] / 2 + 1;
      data = firstHalf(data, dims[last], outDims[last]);
    }
    return ImmutableList.of(Wide.ofPairs(TensorType.of(element, Index.longs(outDims)), data));
  }

  /** Returns rows of {@code kept} pairs from rows of {@code size}. */
  private static double[] firstHalf(double[] data, int size, int kept) {
    int rows = size == 0 ? 0 : data.length / 2 / size;
    double[] out = new double[2 * rows * kept];
    for (int r = 0; r < rows; r++) {
      System.arraycopy(data, 2 * r * size, out, 2 * r * kept, 2 * kept);
    }
    return out;
  }

  /** Returns rows of {@code size} pairs whose second half mirrors the first, conjugated. */
  private static double[] mirrored(double[] data, int kept, int size) {
    int rows = kept == 0 ? 0 : data.length / 2 / kept;
    double[] out = new double[2 * rows * size];
    for (int r = 0; r < rows; r++) {
      for (int k = 0; k < size; k++) {
        boolean given = k < kept;
        int from = 2 * (r * kept + (given ? k : size - k));
        out[2 * (r * size + k)] = data[from];
        out[2 * (r * size + k) + 1] = given ? data[from + 1] : -data[from + 1];
      }
    }
    return out;
  }
}
