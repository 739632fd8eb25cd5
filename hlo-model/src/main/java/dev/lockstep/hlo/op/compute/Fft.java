package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
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
          .attributes(TYPE, LENGTH)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain())
          .constraint(
              "C1", "there are no more lengths than dimensions", TensorRule.of(Fft::checkRank))
          .constraint(
              "C2",
              "elements are real or complex as the type says",
              TensorRule.of(Fft::checkElements))
          .constraint("C3", "there are one to three lengths", TensorRule.of(Fft::checkLengths))
          .constraint("C4", "the real side has the lengths", TensorRule.of(Fft::checkReal))
          .constraint(
              "C5", "the result has the shape that the type says", TensorRule.of(Fft::checkShape))
          .local(Fft::eval)
          .build();

  private Fft() {}

  private static ImmutableLongArray lengths(TensorRule.Case it) {
    return LENGTH.getOr(it.operation(), ImmutableLongArray.of());
  }

  private static void checkRank(TensorRule.Case it) {
    it.require(
        lengths(it).length() <= it.operand(0).rank(),
        "%d lengths for an operand of rank %d",
        lengths(it).length(),
        it.operand(0).rank());
  }

  private static void checkLengths(TensorRule.Case it) {
    int count = lengths(it).length();
    it.require(count >= 1 && count <= 3, "%d lengths, there must be one to three", count);
  }

  private static void checkElements(TensorRule.Case it) {
    ElementType from = it.operand(0).element();
    ElementType to = it.result().element();
    String type = TYPE.get(it.operation());
    boolean fits =
        switch (type) {
          case "RFFT" -> from.isFloat() && to == from.complexOf();
          case "IRFFT" -> from.isComplex() && to == from.realPart();
          default -> from.isComplex() && to == from;
        };
    it.require(fits, "%s does not take %s and give %s", type, from, to);
  }

  private static void checkReal(TensorRule.Case it) {
    String type = TYPE.get(it.operation());
    TensorType real = type.equals("RFFT") ? it.operand(0) : it.result();
    int rank = real.rank();
    int count = lengths(it).length();
    if (!type.equals("RFFT") && !type.equals("IRFFT") || count > rank) {
      return;
    }
    TensorType other = type.equals("RFFT") ? it.result() : it.operand(0);
    for (int i = 0; i < count && other.rank() == rank; i++) {
      long length = lengths(it).get(i);
      long half = i < count - 1 ? length : length == 0 ? 0 : length / 2 + 1;
      if (!it.require(
          TensorRule.agree(real.dim(rank - count + i), length)
              && TensorRule.agree(other.dim(rank - count + i), half),
          "the last dimensions of %s and %s must be those of the lengths %s",
          real,
          other,
          lengths(it))) {
        return;
      }
    }
  }

  private static void checkShape(TensorRule.Case it) {
    String type = TYPE.get(it.operation());
    int last = it.operand(0).rank() - 1;
    boolean fits = it.operand(0).rank() == it.result().rank() && last >= 0;
    for (int d = 0; fits && d <= last; d++) {
      long from = it.operand(0).dim(d);
      long to = it.result().dim(d);
      if (d < last || !type.equals("RFFT") && !type.equals("IRFFT")) {
        fits = TensorRule.agree(from, to);
      } else {
        fits = type.equals("RFFT") ? isHalf(from, to) : isHalf(to, from);
      }
    }
    it.require(fits, "%s of %s does not give %s", type, it.operand(0), it.result());
  }

  private static boolean isHalf(long whole, long half) {
    return whole == TensorType.DYNAMIC
        || half == TensorType.DYNAMIC
        || half == (whole == 0 ? 0 : whole / 2 + 1);
  }

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
