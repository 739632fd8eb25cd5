package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.op.compute.Gather;
import dev.lockstep.hlo.op.compute.MapOp;
import dev.lockstep.hlo.op.compute.Reduce;
import dev.lockstep.hlo.op.compute.ReduceWindow;
import dev.lockstep.hlo.op.compute.Scatter;
import dev.lockstep.hlo.op.compute.TriangularSolve;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Reverse;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.type.TensorType;

/** What one syntax leaves out where it is empty or false, and the other must have. */
final class Defaults {
  private static final ImmutableMap<OpDef, String> EMPTY_LISTS =
      ImmutableMap.of(
          BroadcastInDim.DEF, "broadcast_dimensions",
          Transpose.DEF, "permutation",
          Reverse.DEF, "dimensions",
          Reduce.DEF, "dimensions",
          ReduceWindow.DEF, "window_dimensions");

  private static final ImmutableSet<OpDef> GROUPED =
      ImmutableSet.of(
          AllGather.DEF, AllReduce.DEF, AllToAll.DEF, CollectiveBroadcast.DEF, ReduceScatter.DEF);

  /** What HLO text must have, and MLIR leaves out where it is empty. */
  private static final ImmutableSetMultimap<OpDef, String> LISTS_OF_HLO =
      ImmutableSetMultimap.<OpDef, String>builder()
          .putAll(Gather.DEF, "offset_dims", "collapsed_slice_dims", "start_index_map")
          .putAll(
              Scatter.DEF,
              "update_window_dims",
              "inserted_window_dims",
              "scatter_dims_to_operand_dims")
          .build();

  private Defaults() {}

  /** Returns {@code given} with what {@code def} must have in HLO. */
  static Attributes ofHlo(OpDef def, Attributes given) {
    Attributes out = given;
    for (String list : LISTS_OF_HLO.get(def)) {
      out = out.has(list) ? out : out.with(list, Attribute.Longs.of());
    }
    boolean isIndexed = def == Gather.DEF || def == Scatter.DEF;
    return isIndexed && !out.has("index_vector_dim")
        ? out.with("index_vector_dim", Attribute.Int.untyped(0))
        : out;
  }

  /** Returns the attributes of a collective, groups included. */
  static Attributes of(Operation operation, OpBuilder builder) {
    Attributes given = AttributeTranslation.of(operation, builder);
    return operation.def().attributes().contains(Collectives.GROUPS) && !given.has("replica_groups")
        ? given.with("replica_groups", builder.groups(ReplicaGroups.Lists.ALL))
        : given;
  }

  /** Returns {@code given} with what {@code def} must have in StableHLO. */
  static Attributes added(Operation operation, OpDef def, Attributes given, OpBuilder builder) {
    Attributes out = given;
    String list = EMPTY_LISTS.get(def);
    if (list != null && !out.has(list)) {
      out = out.with(list, Attribute.Longs.of());
    }
    if (GROUPED.contains(def) && !out.has("replica_groups")) {
      out = out.with("replica_groups", builder.groups(ReplicaGroups.Lists.ALL));
    }
    if (def == MapOp.DEF && !out.has("dimensions")) {
      long[] all = new long[((TensorType) operation.result().type()).rank()];
      for (int d = 0; d < all.length; d++) {
        all[d] = d;
      }
      out = out.with("dimensions", Attribute.Longs.of(all));
    }
    if (def == TriangularSolve.DEF) {
      for (String flag : new String[] {"left_side", "lower", "unit_diagonal"}) {
        out = out.has(flag) ? out : out.with(flag, Attribute.Bool.FALSE);
      }
      out =
          out.has("transpose_a")
              ? out
              : out.with("transpose_a", new Attribute.Word("stablehlo.transpose", "NO_TRANSPOSE"));
    }
    return out;
  }
}
