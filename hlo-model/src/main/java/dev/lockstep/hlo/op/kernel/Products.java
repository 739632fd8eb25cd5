package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Sums of products along contracting dimensions.
 *
 * <p>Floats of every width are multiplied and added in double and rounded once, which is at least
 * as exact as XLA's f32 accumulation; integers wrap; on i1 products are and, sums are or. Products
 * are added in the order of the contracting index, in steps of four where rows are long.
 */
public final class Products {
  private static final int SHORT_ROW = 8;

  /** Multiplications from which on several threads are faster than one. */
  private static final double WORTH_THREADS = 1 << 20;

  private Products() {}

  /**
   * Which dimensions play which part.
   *
   * @param lhsBatch batch dimensions of the left operand
   * @param rhsBatch those of the right operand, in the same order
   * @param lhsContracting contracting dimensions of the left operand
   * @param rhsContracting those of the right operand, in the same order
   */
  public record Dimensions(
      ImmutableLongArray lhsBatch,
      ImmutableLongArray rhsBatch,
      ImmutableLongArray lhsContracting,
      ImmutableLongArray rhsContracting) {}

  /** Returns the product: batch, free left and free right dimensions, of type {@code element}. */
  public static Literal multiply(
      Literal lhs, Literal rhs, Dimensions dimensions, ElementType element) {
    int[] l = Index.ints(lhs.dims());
    int[] r = Index.ints(rhs.dims());
    int[] batch = Index.pick(l, dimensions.lhsBatch);
    int[] contracting = Index.pick(l, dimensions.lhsContracting);
    checkArgument(
        Arrays.equals(batch, Index.pick(r, dimensions.rhsBatch))
            && Arrays.equals(contracting, Index.pick(r, dimensions.rhsContracting)),
        "batch or contracting dimensions of %s and %s differ",
        lhs.type(),
        rhs.type());
    ImmutableLongArray lhsFree = free(l.length, dimensions.lhsBatch, dimensions.lhsContracting);
    ImmutableLongArray rhsFree = free(r.length, dimensions.rhsBatch, dimensions.rhsContracting);
    int[] left = places(l, dimensions.lhsBatch, lhsFree, dimensions.lhsContracting);
    int[] right = places(r, dimensions.rhsBatch, dimensions.rhsContracting, rhsFree);
    int[] rows = Index.pick(l, lhsFree);
    int[] columns = Index.pick(r, rhsFree);
    Sizes sizes =
        new Sizes(
            Index.count(batch), Index.count(rows), Index.count(columns), Index.count(contracting));
    TensorType type =
        TensorType.of(element, Index.longs(Index.join(batch, Index.join(rows, columns))));
    return switch (element.kind()) {
      case FLOAT ->
          Wide.ofDoubles(
              type,
              doubles(
                  Index.take(Wide.doubles(lhs), left),
                  Index.take(Wide.doubles(rhs), right),
                  sizes));
      case COMPLEX ->
          Wide.ofPairs(type, pairs(Wide.pairs(lhs), left, Wide.pairs(rhs), right, sizes));
      case BOOL, SIGNED, UNSIGNED ->
          Wide.ofLongs(
              type,
              longs(Index.take(Wide.longs(lhs), left), Index.take(Wide.longs(rhs), right), sizes));
    };
  }

  private record Sizes(int batch, int rows, int columns, int inner) {}

  private static ImmutableLongArray free(
      int rank, ImmutableLongArray batch, ImmutableLongArray contracting) {
    return Index.others(
        rank, ImmutableLongArray.builder().addAll(batch).addAll(contracting).build());
  }

  private static int[] places(
      int[] dims, ImmutableLongArray a, ImmutableLongArray b, ImmutableLongArray c) {
    ImmutableLongArray order = ImmutableLongArray.builder().addAll(a).addAll(b).addAll(c).build();
    return Index.offsets(Index.pick(dims, order), Index.pick(Index.strides(dims), order));
  }

  private static double[] doubles(double[] lhs, double[] rhs, Sizes n) {
    double[] out = new double[n.batch * n.rows * n.columns];
    IntStream rows = IntStream.range(0, n.batch * n.rows);
    // Rows are computed the same way wherever they are, so that threads change no result.
    if ((double) out.length * n.inner > WORTH_THREADS) {
      rows = rows.parallel();
    }
    rows.forEach(row -> row(lhs, rhs, n, row, out));
    return out;
  }

  /** Computes one row of the result. */
  private static void row(double[] lhs, double[] rhs, Sizes n, int row, double[] out) {
    int from = row * n.inner;
    int to = row * n.columns;
    int base = row / n.rows * n.inner * n.columns;
    if (n.columns < SHORT_ROW) {
      for (int j = 0; j < n.columns; j++) {
        double sum = 0;
        for (int k = 0; k < n.inner; k++) {
          sum += lhs[from + k] * rhs[base + k * n.columns + j];
        }
        out[to + j] = sum;
      }
      return;
    }
    double[] sums = new double[n.columns];
    row(lhs, from, rhs, base, n.inner, sums);
    System.arraycopy(sums, 0, out, to, n.columns);
  }

  /** Sets {@code sums} to a row of {@code lhs} times a matrix of {@code rhs}. */
  private static void row(
      double[] lhs, int from, double[] rhs, int base, int inner, double[] sums) {
    int columns = sums.length;
    Arrays.fill(sums, 0);
    int k = 0;
    for (; k + 4 <= inner; k += 4) {
      double x0 = lhs[from + k];
      double x1 = lhs[from + k + 1];
      double x2 = lhs[from + k + 2];
      double x3 = lhs[from + k + 3];
      int r0 = base + k * columns;
      int r1 = r0 + columns;
      int r2 = r1 + columns;
      int r3 = r2 + columns;
      for (int j = 0; j < columns; j++) {
        sums[j] += x0 * rhs[r0 + j] + x1 * rhs[r1 + j] + x2 * rhs[r2 + j] + x3 * rhs[r3 + j];
      }
    }
    for (; k < inner; k++) {
      double x = lhs[from + k];
      int r = base + k * columns;
      for (int j = 0; j < columns; j++) {
        sums[j] += x * rhs[r + j];
      }
    }
  }

  private static long[] longs(long[] lhs, long[] rhs, Sizes n) {
    long[] out = new long[n.batch * n.rows * n.columns];
    for (int b = 0; b < n.batch; b++) {
      for (int i = 0; i < n.rows; i++) {
        int to = (b * n.rows + i) * n.columns;
        for (int k = 0; k < n.inner; k++) {
          long x = lhs[(b * n.rows + i) * n.inner + k];
          int from = (b * n.inner + k) * n.columns;
          for (int j = 0; j < n.columns; j++) {
            out[to + j] += x * rhs[from + j];
          }
        }
      }
    }
    return out;
  }

  private static double[] pairs(double[] lhs, int[] left, double[] rhs, int[] right, Sizes n) {
    double[] out = new double[2 * n.batch * n.rows * n.columns];
    for (int b = 0; b < n.batch; b++) {
      for (int i = 0; i < n.rows; i++) {
        for (int k = 0; k < n.inner; k++) {
          int l = 2 * left[(b * n.rows + i) * n.inner + k];
          for (int j = 0; j < n.columns; j++) {
            int r = 2 * right[(b * n.inner + k) * n.columns + j];
            int to = 2 * ((b * n.rows + i) * n.columns + j);
            out[to] += lhs[l] * rhs[r] - lhs[l + 1] * rhs[r + 1];
            out[to + 1] += lhs[l] * rhs[r + 1] + lhs[l + 1] * rhs[r];
          }
        }
      }
    }
    return out;
  }
}
