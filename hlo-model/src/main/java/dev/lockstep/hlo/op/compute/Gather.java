package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.gather}. */
public final class Gather {
  /** Dimensions of the result that run over the slice. */
  public static final AttrKey<ImmutableLongArray> OFFSET_DIMS =
      AttrKeys.longs("dimension_numbers.offset_dims", "offset_dims");

  /** Dimensions of the operand of slice size one that the result lacks. */
  public static final AttrKey<ImmutableLongArray> COLLAPSED_SLICE_DIMS =
      AttrKeys.longs("dimension_numbers.collapsed_slice_dims", "collapsed_slice_dims");

  /** Dimensions of the operand that go with those of the indices. */
  public static final AttrKey<ImmutableLongArray> OPERAND_BATCHING_DIMS =
      AttrKeys.longs("dimension_numbers.operand_batching_dims", "operand_batching_dims");

  /** Dimensions of the indices that go with those of the operand. */
  public static final AttrKey<ImmutableLongArray> START_INDICES_BATCHING_DIMS =
      AttrKeys.longs(
          "dimension_numbers.start_indices_batching_dims", "start_indices_batching_dims");

  /** Which dimension of the operand each part of an index is for. */
  public static final AttrKey<ImmutableLongArray> START_INDEX_MAP =
      AttrKeys.longs("dimension_numbers.start_index_map", "start_index_map");

  /** Dimension of the indices that holds one index; zero when absent. */
  public static final AttrKey<Long> INDEX_VECTOR_DIM =
      AttrKeys.integer("dimension_numbers.index_vector_dim", "index_vector_dim");

  /** Sizes of the slices. */
  public static final AttrKey<ImmutableLongArray> SLICE_SIZES =
      AttrKeys.longs("slice_sizes", "slice_sizes");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.gather")
          .hlo("gather")
          .summary("Collects slices from places that are values")
          .attributes(
              OFFSET_DIMS,
              COLLAPSED_SLICE_DIMS,
              OPERAND_BATCHING_DIMS,
              START_INDICES_BATCHING_DIMS,
              START_INDEX_MAP,
              INDEX_VECTOR_DIM,
              SLICE_SIZES)
          .inherent("indices_are_sorted")
          .takes(TypeClass.TENSOR, TypeClass.INT)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "each dimension of the operand is an offset, left out or batching",
              IndexRules.covers(OFFSET_DIMS, COLLAPSED_SLICE_DIMS, OPERAND_BATCHING_DIMS))
          .constraint(
              "C2",
              "index vectors lie along a dimension of the indices",
              IndexRules.vectorDim(1, INDEX_VECTOR_DIM))
          .constraint(
              "C3",
              "index vectors have a part for each indexed dimension",
              IndexRules.vectorSize(1, START_INDEX_MAP, INDEX_VECTOR_DIM))
          .constraint(
              "C4", "offset dimensions are unique and sorted", IndexRules.ascending(OFFSET_DIMS))
          .constraint(
              "C5",
              "offset dimensions are those of the result",
              DimensionRules.withinResult(OFFSET_DIMS))
          .constraint(
              "C6",
              "dimensions left out are unique",
              DimensionRules.unique(COLLAPSED_SLICE_DIMS, OPERAND_BATCHING_DIMS))
          .constraint(
              "C7", "dimensions left out are sorted", DimensionRules.sorted(COLLAPSED_SLICE_DIMS))
          .constraint(
              "C8",
              "dimensions left out are in range",
              DimensionRules.within(0, COLLAPSED_SLICE_DIMS))
          .constraint(
              "C9",
              "slices are thin along dimensions left out",
              GatherRules.unitSlices(COLLAPSED_SLICE_DIMS))
          .constraint(
              "C10", "batching dimensions are sorted", DimensionRules.sorted(OPERAND_BATCHING_DIMS))
          .constraint(
              "C11",
              "batching dimensions are in range",
              DimensionRules.within(0, OPERAND_BATCHING_DIMS))
          .constraint(
              "C12",
              "slices are thin along batching dimensions",
              GatherRules.unitSlices(OPERAND_BATCHING_DIMS))
          .constraint(
              "C13",
              "batching dimensions of the indices are unique",
              DimensionRules.unique(START_INDICES_BATCHING_DIMS))
          .constraint(
              "C14",
              "batching dimensions of the indices are in range",
              DimensionRules.within(1, START_INDICES_BATCHING_DIMS))
          .constraint(
              "C15",
              "index vectors do not lie along a batching dimension",
              IndexRules.vectorIsNoBatch(START_INDICES_BATCHING_DIMS, INDEX_VECTOR_DIM))
          .constraint(
              "C16",
              "batching dimensions come in pairs",
              DimensionRules.sameLength(OPERAND_BATCHING_DIMS, START_INDICES_BATCHING_DIMS))
          .constraint(
              "C17",
              "batching dimensions have one size",
              IndexRules.batchSizes(1, OPERAND_BATCHING_DIMS, START_INDICES_BATCHING_DIMS))
          .constraint(
              "C18",
              "no dimension is indexed twice",
              DimensionRules.unique(START_INDEX_MAP, OPERAND_BATCHING_DIMS))
          .constraint(
              "C19", "indexed dimensions are in range", DimensionRules.within(0, START_INDEX_MAP))
          .constraint(
              "C20", "there is a slice size for each dimension", WindowRules.sizes(SLICE_SIZES))
          .constraint("C21", "slices fit into the operand", TensorRule.of(GatherRules::checkSizes))
          .constraint(
              "C22",
              "the result has the sizes of indices and slices",
              TensorRule.of(GatherRules::checkResult))
          .constraint(
              "C23",
              "operand and result have elements of one type",
              TensorRule.of(GatherRules::checkElements))
          .local(Gather::eval)
          .build();

  private Gather() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    Literal indices = Results.literal(operation, operands, 1);
    return ImmutableList.of(
        gather(operation, operand, indices, Index.ints(SLICE_SIZES.get(operation))));
  }

  /** Collects slices of these sizes by what {@code operation}, of either gather, says. */
  static Literal gather(Operation operation, Literal operand, Literal indices, int[] sliceSizes) {
    ImmutableLongArray none = ImmutableLongArray.of();
    return gather(
        operand,
        sliceSizes,
        OFFSET_DIMS.getOr(operation, none),
        COLLAPSED_SLICE_DIMS.getOr(operation, none),
        new IndexVectors(
            indices,
            INDEX_VECTOR_DIM.getOr(operation, 0L),
            START_INDEX_MAP.getOr(operation, none),
            OPERAND_BATCHING_DIMS.getOr(operation, none),
            START_INDICES_BATCHING_DIMS.getOr(operation, none)));
  }

  /** Collects slices; starts are moved so that the whole slice lies within the operand. */
  static Literal gather(
      Literal operand,
      int[] sliceSizes,
      ImmutableLongArray offsetDims,
      ImmutableLongArray collapsed,
      IndexVectors vectors) {
    int[] dims = Index.ints(operand.dims());
    int[] strides = Index.strides(dims);
    ImmutableLongArray left =
        Index.others(
            dims.length,
            ImmutableLongArray.builder()
                .addAll(collapsed)
                .addAll(vectors.operandBatchingDims())
                .build());
    int[] sliceDims = Index.pick(sliceSizes, left);
    int[] batchDims = vectors.batchDims();
    int rank = batchDims.length + sliceDims.length;
    ImmutableLongArray batchAt = Index.others(rank, offsetDims);
    int[] outDims = new int[rank];
    for (int i = 0; i < sliceDims.length; i++) {
      outDims[(int) offsetDims.get(i)] = sliceDims[i];
    }
    for (int i = 0; i < batchDims.length; i++) {
      outDims[(int) batchAt.get(i)] = batchDims[i];
    }
    int[] outStrides = Index.strides(outDims);
    int[] from = Index.offsets(sliceDims, Index.pick(strides, left));
    int[] to = Index.offsets(sliceDims, Index.pick(outStrides, offsetDims));
    int[] batchTo = Index.offsets(batchDims, Index.pick(outStrides, batchAt));
    boolean contiguous = Index.isContiguous(from) && Index.isContiguous(to);
    LiteralBuilder out = new LiteralBuilder(TensorType.of(operand.element(), Index.longs(outDims)));
    int[] start = new int[dims.length];
    for (int b = 0; b < batchTo.length; b++) {
      vectors.start(b, start);
      int base = 0;
      for (int d = 0; d < dims.length; d++) {
        base += Math.max(0, Math.min(start[d], dims[d] - sliceSizes[d])) * strides[d];
      }
      if (contiguous) {
        out.copyRange(batchTo[b], operand, base, from.length);
      } else {
        for (int k = 0; k < from.length; k++) {
          out.copy(batchTo[b] + to[k], operand, base + from[k]);
        }
      }
    }
    return out.build();
  }
}
