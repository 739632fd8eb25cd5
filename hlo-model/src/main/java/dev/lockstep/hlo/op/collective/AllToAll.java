package dev.lockstep.hlo.op.collective;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Parts;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** {@code stablehlo.all_to_all}, HLO's {@code all-to-all}. */
public final class AllToAll {
  /** The dimension that is cut; absent in the tuple form. */
  public static final AttrKey<Long> SPLIT_DIMENSION =
      AttrKeys.integerOrList("split_dimension", "dimensions");

  /** The dimension along which parts are joined; absent in the tuple form. */
  public static final AttrKey<Long> CONCAT_DIMENSION =
      AttrKeys.integerOrList("concat_dimension", "dimensions");

  /** Number of parts, in MLIR. */
  public static final AttrKey<Long> SPLIT_COUNT = AttrKeys.integer("split_count", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_to_all")
          .hlo("all-to-all")
          .summary("Gives each member a part of every operand")
          .attributes(
              SPLIT_DIMENSION,
              CONCAT_DIMENSION,
              SPLIT_COUNT,
              Collectives.GROUPS,
              Collectives.CHANNEL)
          .trait(Trait.COLLECTIVE)
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint(
              "C1",
              "the split dimension is one of the operands",
              GroupRules.dimension(SPLIT_DIMENSION))
          .constraint("C2", "the split size is a multiple of the count", AllToAll::checkSplit)
          .constraint(
              "C3",
              "the concat dimension is one of the operands",
              GroupRules.dimension(CONCAT_DIMENSION))
          .constraint("C4", "the split count is positive", AllToAll::checkCount)
          .constraint("C5", "no id stands twice", GroupRules.uniqueIds())
          .constraint("I5", "all groups have one size", GroupRules.uniformGroups())
          .constraint("C7", "the ids are 0, 1 and so on", GroupRules.denseIds())
          .constraint("C8", "the split count is the size of the group", AllToAll::checkGroup)
          .constraint(
              "C9",
              "results have the operands' sizes, moved from split to concat dimension",
              AllToAll::checkResults)
          .semantics(new Meaning())
          .build();

  private AllToAll() {}

  private static void checkSplit(Operation operation, String code, DiagnosticSink sink) {
    Long dim = SPLIT_DIMENSION.find(operation);
    long count = SPLIT_COUNT.getOr(operation, (long) GroupRules.members(operation));
    for (Value value : operation.operands()) {
      if (dim == null || count <= 0 || !(value.type() instanceof TensorType)) {
        return;
      }
      TensorType type = (TensorType) value.type();
      if (dim >= 0
          && dim < type.rank()
          && type.dim(dim.intValue()) != TensorType.DYNAMIC
          && type.dim(dim.intValue()) % count != 0) {
        GroupRules.error(
            operation, code, sink, type + " cannot be cut in " + count + " along " + dim);
        return;
      }
    }
  }

  private static void checkCount(Operation operation, String code, DiagnosticSink sink) {
    Long count = SPLIT_COUNT.find(operation);
    if (count != null && count <= 0) {
      GroupRules.error(operation, code, sink, "split_count is " + count + ", must be above zero");
    }
  }

  private static void checkGroup(Operation operation, String code, DiagnosticSink sink) {
    int members = GroupRules.members(operation);
    Long count = SPLIT_COUNT.find(operation);
    if (count == null && SPLIT_DIMENSION.find(operation) == null) {
      count = (long) operation.operands().size();
    }
    if (members > 0 && count != null && count != members) {
      GroupRules.error(
          operation, code, sink, "there are " + count + " parts in groups of " + members);
    }
  }

  private static void checkResults(Operation operation, String code, DiagnosticSink sink) {
    Long split = SPLIT_DIMENSION.find(operation);
    Long concat = CONCAT_DIMENSION.find(operation);
    Long count = SPLIT_COUNT.find(operation);
    ImmutableList<Type> results = Results.types(operation);
    for (int i = 0; i < operation.operands().size(); i++) {
      if (split == null
          || concat == null
          || i >= results.size()
          || !(operation.operand(i).type() instanceof TensorType)
          || !(results.get(i) instanceof TensorType)) {
        return;
      }
      TensorType operand = (TensorType) operation.operand(i).type();
      long[] dims = operand.dims().toArray();
      if (split < 0 || split >= dims.length || concat < 0 || concat >= dims.length) {
        return;
      }
      if (count != null && count > 0 && !split.equals(concat)) {
        scale(dims, split.intValue(), 1, count);
        scale(dims, concat.intValue(), count, 1);
      }
      TensorType wanted = TensorType.of(operand.element(), dims);
      if (!TensorRule.agree(wanted, (TensorType) results.get(i))) {
        GroupRules.error(
            operation,
            code,
            sink,
            "result " + i + " must be " + wanted + ", not " + results.get(i));
        return;
      }
    }
  }

  private static void scale(long[] dims, int dim, long times, long over) {
    if (dims[dim] != TensorType.DYNAMIC) {
      dims[dim] = dims[dim] * times / over;
    }
  }

  /** Member i gets part i of every operand, joined in group order; or operand i in tuple form. */
  private static final class Meaning extends Meeting {
    @Override
    public ImmutableList<ImmutableList<Datum>> eval(
        Operation operation,
        ImmutableList<ImmutableList<Datum>> operands,
        ImmutableList<Integer> members,
        DeviceGrid grid,
        Semantics.BodyRunner bodies) {
      Long split = SPLIT_DIMENSION.find(operation);
      if (split == null) {
        return tupleForm(operation, operands, members.size());
      }
      int count = members.size();
      Long parts = SPLIT_COUNT.find(operation);
      checkArgument(
          parts == null || parts == count, "split_count is %s in a group of %s", parts, count);
      int splitDim = Math.toIntExact(split);
      int concatDim = Math.toIntExact(CONCAT_DIMENSION.get(operation));
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int m = 0; m < count; m++) {
        ImmutableList.Builder<Datum> results = ImmutableList.builder();
        for (int i = 0; i < operands.get(0).size(); i++) {
          ImmutableList.Builder<Literal> received = ImmutableList.builder();
          for (ImmutableList<Datum> sender : operands) {
            received.add(Parts.part(Results.literal(operation, sender, i), splitDim, m, count));
          }
          results.add(Parts.join(received.build(), concatDim));
        }
        out.add(results.build());
      }
      return out.build();
    }

    private static ImmutableList<ImmutableList<Datum>> tupleForm(
        Operation operation, ImmutableList<ImmutableList<Datum>> operands, int count) {
      ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
      for (int m = 0; m < count; m++) {
        ImmutableList.Builder<Datum> results = ImmutableList.builder();
        for (ImmutableList<Datum> sender : operands) {
          checkArgument(
              sender.size() == count, "%s operands in a group of %s", sender.size(), count);
          results.add(Results.literal(operation, sender, m));
        }
        out.add(results.build());
      }
      return out.build();
    }
  }
}
