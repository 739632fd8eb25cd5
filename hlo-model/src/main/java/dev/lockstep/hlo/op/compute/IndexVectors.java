package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.kernel.Index;
import java.util.Arrays;

/** The index vectors of gather and scatter: where each slice starts in the operand. */
final class IndexVectors {
  private final long[] values;
  private final int[] batchDims;
  private final int[] batchOffsets;
  private final int vectorStride;
  private final ImmutableLongArray map;
  private final ImmutableLongArray operandBatchingDims;
  private final int[] batchingPlaces;

  /**
   * Creates a view.
   *
   * @param indices the indices
   * @param vectorDim the dimension that holds a vector; the rank when each vector is one number
   * @param map which dimension of the operand each number is for
   * @param operandBatchingDims dimensions of the operand that go with those of the indices
   * @param indicesBatchingDims those dimensions of the indices, in the same order
   */
  IndexVectors(
      Literal indices,
      long vectorDim,
      ImmutableLongArray map,
      ImmutableLongArray operandBatchingDims,
      ImmutableLongArray indicesBatchingDims) {
    this.values = indices.toLongs();
    this.map = map;
    this.operandBatchingDims = operandBatchingDims;
    int[] dims = Index.ints(indices.dims());
    int[] strides = Index.strides(dims);
    boolean isImplicit = vectorDim == dims.length;
    ImmutableLongArray vector =
        isImplicit ? ImmutableLongArray.of() : ImmutableLongArray.of(vectorDim);
    this.vectorStride = isImplicit ? 0 : strides[(int) vectorDim];
    this.batchDims = Index.drop(dims, vector);
    this.batchOffsets = Index.offsets(batchDims, Index.drop(strides, vector));
    this.batchingPlaces = new int[indicesBatchingDims.length()];
    for (int i = 0; i < batchingPlaces.length; i++) {
      int dim = (int) indicesBatchingDims.get(i);
      batchingPlaces[i] = !isImplicit && dim > vectorDim ? dim - 1 : dim;
    }
  }

  /** Returns the sizes of the indices without the dimension of the vectors. */
  int[] batchDims() {
    return batchDims;
  }

  /** Returns the dimensions of the operand that go with those of the indices. */
  ImmutableLongArray operandBatchingDims() {
    return operandBatchingDims;
  }

  /**
   * Sets {@code start} to the start of slice {@code b}, counted row-major, not moved or checked.
   */
  void start(int b, int[] start) {
    Arrays.fill(start, 0);
    for (int i = 0; i < map.length(); i++) {
      long value = values[batchOffsets[b] + i * vectorStride];
      // A start too large for an int is out of bounds either way.
      start[(int) map.get(i)] =
          (int) Math.max(Integer.MIN_VALUE / 2, Math.min(Integer.MAX_VALUE / 2, value));
    }
    for (int i = 0; i < batchingPlaces.length; i++) {
      int stride = 1;
      for (int d = batchDims.length - 1; d > batchingPlaces[i]; d--) {
        stride *= batchDims[d];
      }
      start[(int) operandBatchingDims.get(i)] = b / stride % batchDims[batchingPlaces[i]];
    }
  }
}
