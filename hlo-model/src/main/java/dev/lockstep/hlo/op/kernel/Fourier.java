package dev.lockstep.hlo.op.kernel;

/** Fourier transforms on pairs of real and imaginary parts. */
public final class Fourier {
  private Fourier() {}

  /**
   * Transforms {@code data} along one dimension, in place.
   *
   * @param data pairs, row-major
   * @param size size of the dimension
   * @param stride distance between its neighbours
   * @param inverse whether the inverse is meant, which divides by the size
   */
  public static void transform(double[] data, int size, int stride, boolean inverse) {
    if (size <= 1) {
      return;
    }
    double[] cosines = new double[size];
    double[] sines = new double[size];
    for (int k = 0; k < size; k++) {
      double angle = 2 * Math.PI * k / size;
      cosines[k] = Math.cos(angle);
      sines[k] = inverse ? Math.sin(angle) : -Math.sin(angle);
    }
    double[] line = new double[2 * size];
    double[] spectrum = new double[2 * size];
    int count = data.length / 2;
    for (int at = 0; at < count; at++) {
      if (at / stride % size != 0) {
        continue;
      }
      for (int k = 0; k < size; k++) {
        line[2 * k] = data[2 * (at + k * stride)];
        line[2 * k + 1] = data[2 * (at + k * stride) + 1];
      }
      recurse(line, 0, 1, spectrum, 0, size, cosines, sines);
      double scale = inverse ? 1.0 / size : 1.0;
      for (int k = 0; k < size; k++) {
        data[2 * (at + k * stride)] = spectrum[2 * k] * scale;
        data[2 * (at + k * stride) + 1] = spectrum[2 * k + 1] * scale;
      }
    }
  }

  /** Halves even sizes and sums odd ones directly. */
  private static void recurse(
      double[] in,
      int from,
      int step,
      double[] out,
      int to,
      int n,
      double[] cosines,
      double[] sines) {
    if (n % 2 != 0) {
      direct(in, from, step, out, to, n, cosines, sines);
      return;
    }
    int half = n / 2;
    recurse(in, from, 2 * step, out, to, half, cosines, sines);
    recurse(in, from + step, 2 * step, out, to + half, half, cosines, sines);
    int turn = cosines.length / n;
    for (int k = 0; k < half; k++) {
      int even = 2 * (to + k);
      int odd = 2 * (to + half + k);
      double c = cosines[k * turn];
      double s = sines[k * turn];
      double re = out[odd] * c - out[odd + 1] * s;
      double im = out[odd] * s + out[odd + 1] * c;
      out[odd] = out[even] - re;
      out[odd + 1] = out[even + 1] - im;
      out[even] += re;
      out[even + 1] += im;
    }
  }

  private static void direct(
      double[] in,
      int from,
      int step,
      double[] out,
      int to,
      int n,
      double[] cosines,
      double[] sines) {
    int turn = cosines.length / n;
    for (int k = 0; k < n; k++) {
      double re = 0;
      double im = 0;
      for (int j = 0; j < n; j++) {
        int angle = (int) ((long) j * k % n) * turn;
        double x = in[2 * (from + j * step)];
        double y = in[2 * (from + j * step) + 1];
        re += x * cosines[angle] - y * sines[angle];
        im += x * sines[angle] + y * cosines[angle];
      }
      out[2 * (to + k)] = re;
      out[2 * (to + k) + 1] = im;
    }
  }
}
