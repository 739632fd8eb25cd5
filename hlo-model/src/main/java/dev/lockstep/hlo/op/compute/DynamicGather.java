package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.dynamic_gather}. */
public final class DynamicGather {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_gather")
          .summary("Collects slices whose sizes are a value")
          .attributes(
              Gather.OFFSET_DIMS,
              Gather.COLLAPSED_SLICE_DIMS,
              Gather.OPERAND_BATCHING_DIMS,
              Gather.START_INDICES_BATCHING_DIMS,
              Gather.START_INDEX_MAP,
              Gather.INDEX_VECTOR_DIM)
          .inherent("indices_are_sorted")
          .takes(TypeClass.TENSOR, TypeClass.INT, TypeClass.INT.vector().fixed())
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "each dimension of the operand is an offset, left out or batching",
              IndexRules.covers(
                  Gather.OFFSET_DIMS, Gather.COLLAPSED_SLICE_DIMS, Gather.OPERAND_BATCHING_DIMS))
          .constraint(
              "C2",
              "index vectors lie along a dimension of the indices",
              IndexRules.vectorDim(1, Gather.INDEX_VECTOR_DIM))
          .constraint(
              "C3",
              "index vectors have a part for each indexed dimension",
              IndexRules.vectorSize(1, Gather.START_INDEX_MAP, Gather.INDEX_VECTOR_DIM))
          .constraint(
              "C4",
              "offset dimensions are unique and sorted",
              IndexRules.ascending(Gather.OFFSET_DIMS))
          .constraint(
              "C5",
              "offset dimensions are those of the result",
              DimensionRules.withinResult(Gather.OFFSET_DIMS))
          .constraint(
              "C6",
              "dimensions left out are unique",
              DimensionRules.unique(Gather.COLLAPSED_SLICE_DIMS, Gather.OPERAND_BATCHING_DIMS))
          .constraint(
              "C6",
              "dimensions left out are sorted",
              DimensionRules.sorted(Gather.COLLAPSED_SLICE_DIMS))
          .constraint(
              "C7",
              "dimensions left out are in range",
              DimensionRules.within(0, Gather.COLLAPSED_SLICE_DIMS))
          .constraint(
              "C8",
              "slices are thin along dimensions left out",
              GatherRules.unitSlices(Gather.COLLAPSED_SLICE_DIMS))
          .constraint(
              "C8",
              "slices are thin along batching dimensions",
              GatherRules.unitSlices(Gather.OPERAND_BATCHING_DIMS))
          .constraint(
              "C9",
              "no dimension is indexed twice",
              DimensionRules.unique(Gather.START_INDEX_MAP, Gather.OPERAND_BATCHING_DIMS))
          .constraint(
              "C10",
              "indexed dimensions are in range",
              DimensionRules.within(0, Gather.START_INDEX_MAP))
          .constraint(
              "C11",
              "there is a slice size for each dimension",
              TensorRule.of(DynamicGather::checkSizes))
          .constraint("C12", "slices fit into the operand", TensorRule.of(GatherRules::checkSizes))
          .constraint(
              "C13",
              "the result has the sizes of indices and slices",
              TensorRule.of(GatherRules::checkResult))
          .constraint(
              "C14",
              "operand and result have elements of one type",
              TensorRule.of(GatherRules::checkElements))
          .local(DynamicGather::eval)
          .build();

  private DynamicGather() {}

  private static void checkSizes(TensorRule.Case it) {
    it.require(
        it.operand(2).rank() == 1 && TensorRule.agree(it.operand(2).dim(0), it.operand(0).rank()),
        "slice sizes %s for an operand of rank %d",
        it.operand(2),
        it.operand(0).rank());
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    Literal indices = Results.literal(operation, operands, 1);
    Literal sizes = Results.literal(operation, operands, 2);
    return ImmutableList.of(
        Gather.gather(
            operation, operand, indices, Index.ints(ImmutableLongArray.copyOf(sizes.toLongs()))));
  }
}
