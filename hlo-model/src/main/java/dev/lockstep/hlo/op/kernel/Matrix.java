package dev.lockstep.hlo.op.kernel;

/**
 * A square or other matrix of complex numbers that views part of an array of pairs. Real matrices
 * have zero imaginary parts, and arithmetic on them stays real.
 */
public final class Matrix {
  private final double[] data;
  private final int offset;
  private final int rowStride;
  private final int columnStride;
  private final boolean conjugate;

  /** Creates a view; strides and offset count pairs. */
  public Matrix(double[] data, int offset, int rowStride, int columnStride, boolean conjugate) {
    this.data = data;
    this.offset = offset;
    this.rowStride = rowStride;
    this.columnStride = columnStride;
    this.conjugate = conjugate;
  }

  private int at(int i, int j) {
    return 2 * (offset + i * rowStride + j * columnStride);
  }

  /** Returns the real part. */
  public double re(int i, int j) {
    return data[at(i, j)];
  }

  /** Returns the imaginary part. */
  public double im(int i, int j) {
    double value = data[at(i, j) + 1];
    return conjugate && value != 0 ? -value : value;
  }

  /** Sets an element; not on conjugated views. */
  public void set(int i, int j, double re, double im) {
    data[at(i, j)] = re;
    data[at(i, j) + 1] = im;
  }

  /** Returns this matrix transposed, a view. */
  public Matrix transposed() {
    return new Matrix(data, offset, columnStride, rowStride, conjugate);
  }

  /**
   * Solves {@code this * x = b} in place of {@code b}, where this is triangular.
   *
   * @param n rows
   * @param columns columns of b
   * @param lower whether the lower triangle counts
   * @param unit whether the diagonal is taken to be ones
   */
  public void solve(Matrix b, int n, int columns, boolean lower, boolean unit) {
    for (int c = 0; c < columns; c++) {
      for (int step = 0; step < n; step++) {
        int i = lower ? step : n - 1 - step;
        double re = b.re(i, c);
        double im = b.im(i, c);
        for (int k = lower ? 0 : i + 1; k < (lower ? i : n); k++) {
          re -= re(i, k) * b.re(k, c) - im(i, k) * b.im(k, c);
          im -= re(i, k) * b.im(k, c) + im(i, k) * b.re(k, c);
        }
        if (!unit) {
          double x = re(i, i);
          double y = im(i, i);
          double norm = x * x + y * y;
          double real = y == 0 ? re / x : (re * x + im * y) / norm;
          im = y == 0 ? im / x : (im * x - re * y) / norm;
          re = real;
        }
        b.set(i, c, re, im);
      }
    }
  }

  /**
   * Sets {@code l} to the lower Cholesky factor of this matrix, of which the lower triangle is
   * read; NaN where there is none.
   */
  public void cholesky(Matrix l, int n) {
    for (int j = 0; j < n; j++) {
      for (int i = j; i < n; i++) {
        double re = re(i, j);
        double im = im(i, j);
        for (int k = 0; k < j; k++) {
          re -= l.re(i, k) * l.re(j, k) + l.im(i, k) * l.im(j, k);
          im -= l.im(i, k) * l.re(j, k) - l.re(i, k) * l.im(j, k);
        }
        if (i == j) {
          l.set(i, j, Math.sqrt(re), 0);
        } else {
          l.set(i, j, re / l.re(j, j), im / l.re(j, j));
        }
      }
    }
  }
}
