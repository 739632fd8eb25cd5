package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;

/**
 * The counter-based generators Philox-4x32-10 and Threefry-2x32-20, with the layouts of states and
 * of results that XLA gives them.
 *
 * <p>Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011, for the
 * generators; XLA's {@code prng.h} and {@code RngBitGeneratorExpander} for what counts as key and
 * counter, and compared with what XLA's CPU client gives.
 */
public final class RandomBits {
  private static final int[] THREEFRY_ROTATIONS = {13, 15, 26, 6, 17, 29, 16, 24};
  private static final int THREEFRY_PARITY = 0x1BD11BDA;
  private static final long LOW = 0xFFFFFFFFL;

  private final long[] words;
  private final long[] state;

  private RandomBits(long[] words, long[] state) {
    this.words = words;
    this.state = state;
  }

  /** Returns the numbers in row-major order, of the bits that were asked for. */
  public long[] words() {
    return words;
  }

  /** Returns the state for the next call. */
  public long[] state() {
    return state;
  }

  /**
   * Returns {@code count} numbers by Philox. The state is key and counter, low half first; of two
   * words, the key is the counter's high half too.
   *
   * @param bits of a number: 64 take two 32-bit words each, all others the low bits of one
   */
  public static RandomBits philox(long[] state, int count, int bits) {
    checkArgument(state.length >= 2, "Philox needs a state of two or three words");
    long key = state[0];
    long low = state[1];
    long high = state.length >= 3 ? state[2] : key;
    boolean wide = bits == 64;
    int blocks = wide ? (count + 1) / 2 : (count + 3) / 4;
    long[] words = new long[count];
    int[] block = new int[4];
    for (int b = 0; b < blocks; b++) {
      long blockLow = low + b;
      long blockHigh = Long.compareUnsigned(blockLow, low) < 0 ? high + 1 : high;
      philox(blockLow, blockHigh, key, block);
      for (int i = 0; i < (wide ? 2 : 4); i++) {
        int at = wide ? 2 * b + i : 4 * b + i;
        if (at < count) {
          words[at] = wide ? join(block[2 * i], block[2 * i + 1]) : mask(block[i], bits);
        }
      }
    }
    long[] next = state.clone();
    next[1] = low + blocks;
    if (state.length >= 3 && Long.compareUnsigned(next[1], low) < 0) {
      next[2]++;
    }
    return new RandomBits(words, next);
  }

  /** Sets {@code out} to the four words of one block. */
  static void philox(long low, long high, long key, int[] out) {
    int x0 = (int) low;
    int x1 = (int) (low >>> 32);
    int x2 = (int) high;
    int x3 = (int) (high >>> 32);
    int key0 = (int) key;
    int key1 = (int) (key >>> 32);
    for (int round = 0; round < 10; round++) {
      long product0 = (x0 & LOW) * 0xD2511F53L;
      long product1 = (x2 & LOW) * 0xCD9E8D57L;
      int y0 = (int) (product1 >>> 32) ^ x1 ^ key0;
      int y2 = (int) (product0 >>> 32) ^ x3 ^ key1;
      x1 = (int) product1;
      x3 = (int) product0;
      x0 = y0;
      x2 = y2;
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
  }

  /**
   * Returns numbers of the shape {@code dims} by Threefry. The state is key and counter. Numbers of
   * at most 32 bits come in pairs, which lie side by side along the first even dimension, or else
   * the first of the longest ones, whose last pair then gives one number only.
   */
  public static RandomBits threefry(long[] state, ImmutableLongArray dims, int bits) {
    checkArgument(state.length >= 2, "Threefry needs a state of two words");
    long key = state[0];
    long counter = state[1];
    int count = 1;
    for (int d = 0; d < dims.length(); d++) {
      count = Math.multiplyExact(count, Math.toIntExact(dims.get(d)));
    }
    long[] words = new long[count];
    int[] pair = new int[2];
    long[] next = state.clone();
    if (bits == 64) {
      for (int i = 0; i < count; i++) {
        threefry(counter + i, key, pair);
        words[i] = join(pair[0], pair[1]);
      }
      next[1] = counter + count;
      return new RandomBits(words, next);
    }
    int split = splitDimension(dims);
    long size = split < 0 ? 1 : dims.get(split);
    long half = (size + 1) / 2;
    long faster = 1;
    for (int d = split + 1; split >= 0 && d < dims.length(); d++) {
      faster *= dims.get(d);
    }
    long slower = size == 0 || faster == 0 ? 0 : count / (size * faster);
    for (long s = 0; s < slower; s++) {
      for (long h = 0; h < half; h++) {
        for (long f = 0; f < faster; f++) {
          threefry(counter + (s * half + h) * faster + f, key, pair);
          for (int side = 0; side < 2 && 2 * h + side < size; side++) {
            words[(int) ((s * size + 2 * h + side) * faster + f)] = mask(pair[side], bits);
          }
        }
      }
    }
    next[1] = counter + slower * half * faster;
    return new RandomBits(words, next);
  }

  private static int splitDimension(ImmutableLongArray dims) {
    int longest = -1;
    for (int d = 0; d < dims.length(); d++) {
      if (dims.get(d) % 2 == 0) {
        return d;
      }
      if (longest < 0 || dims.get(d) > dims.get(longest)) {
        longest = d;
      }
    }
    return longest;
  }

  /** Sets {@code out} to the two words of one block. */
  private static void threefry(long input, long key, int[] out) {
    int[] keys = {(int) key, (int) (key >>> 32), 0};
    keys[2] = THREEFRY_PARITY ^ keys[0] ^ keys[1];
    int x0 = (int) input + keys[0];
    int x1 = (int) (input >>> 32) + keys[1];
    for (int group = 0; group < 5; group++) {
      for (int i = 0; i < 4; i++) {
        x0 += x1;
        x1 = Integer.rotateLeft(x1, THREEFRY_ROTATIONS[group % 2 * 4 + i]) ^ x0;
      }
      x0 += keys[(group + 1) % 3];
      x1 += keys[(group + 2) % 3] + group + 1;
    }
    out[0] = x0;
    out[1] = x1;
  }

  private static long join(int low, int high) {
    return (low & LOW) | (long) high << 32;
  }

  private static long mask(int word, int bits) {
    return word & LOW & (bits >= 32 ? LOW : (1L << bits) - 1);
  }
}
