package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * Convolution over dimensions in a fixed order: input [batch, feature, spatial...], kernel [output
 * feature, input feature, spatial...], result [batch, feature, spatial...].
 *
 * <p>Floats are multiplied and added in double and rounded once; products are added in the order of
 * kernel positions, then input features.
 */
public final class Convolving {
  private final int[] input;
  private final int[] kernel;
  private final int[] inputStrides;
  private final int[] kernelStrides;
  private final Window window;
  private final int[] spatial;
  private final int[] reversal;
  private final int featureGroups;
  private final int batchGroups;

  /**
   * Prepares a convolution.
   *
   * @param input sizes of the input
   * @param inputStrides where its elements stand
   * @param kernel sizes of the kernel
   * @param kernelStrides where its elements stand
   * @param window the window over the spatial dimensions
   * @param reversal 1 for spatial dimensions along which the kernel is turned round
   * @param featureGroups groups of features
   * @param batchGroups groups of the batch
   */
  public Convolving(
      int[] input,
      int[] inputStrides,
      int[] kernel,
      int[] kernelStrides,
      Window window,
      int[] reversal,
      int featureGroups,
      int batchGroups) {
    this.input = input;
    this.kernel = kernel;
    this.inputStrides = inputStrides;
    this.kernelStrides = kernelStrides;
    this.window = window;
    this.spatial = window.places(Arrays.copyOfRange(input, 2, input.length));
    this.reversal = reversal;
    this.featureGroups = featureGroups;
    this.batchGroups = batchGroups;
    checkArgument(
        featureGroups > 0
            && batchGroups > 0
            && input[0] % batchGroups == 0
            && kernel[0] % featureGroups == 0
            && kernel[0] % batchGroups == 0
            && input[1] == kernel[1] * featureGroups,
        "features or groups of the convolution do not fit");
  }

  /** Returns the sizes of the result. */
  public int[] resultDims() {
    return Index.join(new int[] {input[0] / batchGroups, kernel[0]}, spatial);
  }

  /** Adds up one product; the elements stand at the given places. */
  private interface Row {
    /**
     * Adds the products of input {@code from} on with kernel {@code at} on, over input features.
     */
    void add(int from, int at);

    /** Stores what was added and starts anew. */
    void store(int to);
  }

  /** Returns the result on doubles. */
  public double[] doubles(double[] x, double[] y) {
    double[] out = new double[Index.count(resultDims())];
    int features = kernel[1];
    int xStep = inputStrides[1];
    int yStep = kernelStrides[1];
    run(
        new Row() {
          private double sum;

          @Override
          public void add(int from, int at) {
            double s = sum;
            for (int i = 0; i < features; i++) {
              s += x[from + i * xStep] * y[at + i * yStep];
            }
            sum = s;
          }

          @Override
          public void store(int to) {
            out[to] = sum;
            sum = 0;
          }
        });
    return out;
  }

  /** Returns the result on integers, not wrapped. */
  public long[] longs(long[] x, long[] y) {
    long[] out = new long[Index.count(resultDims())];
    int features = kernel[1];
    int xStep = inputStrides[1];
    int yStep = kernelStrides[1];
    run(
        new Row() {
          private long sum;

          @Override
          public void add(int from, int at) {
            for (int i = 0; i < features; i++) {
              sum += x[from + i * xStep] * y[at + i * yStep];
            }
          }

          @Override
          public void store(int to) {
            out[to] = sum;
            sum = 0;
          }
        });
    return out;
  }

  /** Returns the result on pairs of real and imaginary parts. */
  public double[] pairs(double[] x, double[] y) {
    double[] out = new double[2 * Index.count(resultDims())];
    int features = kernel[1];
    int xStep = inputStrides[1];
    int yStep = kernelStrides[1];
    run(
        new Row() {
          private double real;
          private double imaginary;

          @Override
          public void add(int from, int at) {
            for (int i = 0; i < features; i++) {
              int p = 2 * (from + i * xStep);
              int q = 2 * (at + i * yStep);
              real += x[p] * y[q] - x[p + 1] * y[q + 1];
              imaginary += x[p] * y[q + 1] + x[p + 1] * y[q];
            }
          }

          @Override
          public void store(int to) {
            out[2 * to] = real;
            out[2 * to + 1] = imaginary;
            real = 0;
            imaginary = 0;
          }
        });
    return out;
  }

  private void run(Row row) {
    int rank = spatial.length;
    int[][] positions = new int[rank][];
    for (int d = 0; d < rank; d++) {
      positions[d] = window.positions(d, input[d + 2], spatial[d]);
    }
    int batches = input[0] / batchGroups;
    int outputs = kernel[0];
    int places = Index.count(spatial);
    int elements = Index.count(window.size());
    int[] place = new int[rank];
    for (int p = 0; p < places; p++) {
      int[] from = new int[elements];
      int[] at = new int[elements];
      int hits = hits(positions, place, from, at);
      for (int b = 0; b < batches; b++) {
        for (int o = 0; o < outputs; o++) {
          int batch = b + o / (outputs / batchGroups) * batches;
          int feature = o / (outputs / featureGroups) * kernel[1];
          int x = batch * inputStrides[0] + feature * inputStrides[1];
          int y = o * kernelStrides[0];
          for (int h = 0; h < hits; h++) {
            row.add(x + from[h], y + at[h]);
          }
          row.store((b * outputs + o) * places + p);
        }
      }
      Index.next(place, spatial);
    }
  }

  /** Finds the kernel positions that hit the input at a place; returns how many do. */
  private int hits(int[][] positions, int[] place, int[] from, int[] at) {
    int rank = place.length;
    int[] size = window.size();
    int[] element = new int[rank];
    int hits = 0;
    for (int e = 0; e < from.length; e++) {
      int x = 0;
      int y = 0;
      boolean hit = true;
      for (int d = 0; d < rank && hit; d++) {
        int position = positions[d][place[d] * size[d] + element[d]];
        hit = position >= 0;
        x += position * inputStrides[d + 2];
        int turned = reversal[d] != 0 ? size[d] - 1 - element[d] : element[d];
        y += turned * kernelStrides[d + 2];
      }
      if (hit) {
        from[hits] = x;
        at[hits++] = y;
      }
      Index.next(element, size);
    }
    return hits;
  }
}
