package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.PartitionId;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.op.collective.ReplicaId;
import dev.lockstep.hlo.op.compute.BatchNormGrad;
import dev.lockstep.hlo.op.compute.BatchNormInference;
import dev.lockstep.hlo.op.compute.BatchNormTraining;
import dev.lockstep.hlo.op.compute.Cholesky;
import dev.lockstep.hlo.op.compute.DotGeneral;
import dev.lockstep.hlo.op.compute.Fft;
import dev.lockstep.hlo.op.compute.Gather;
import dev.lockstep.hlo.op.compute.MapOp;
import dev.lockstep.hlo.op.compute.Reduce;
import dev.lockstep.hlo.op.compute.ReduceWindow;
import dev.lockstep.hlo.op.compute.RngBitGenerator;
import dev.lockstep.hlo.op.compute.Scatter;
import dev.lockstep.hlo.op.compute.SelectAndScatter;
import dev.lockstep.hlo.op.compute.Sort;
import dev.lockstep.hlo.op.compute.TriangularSolve;
import dev.lockstep.hlo.op.control.AfterAll;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.control.TupleOp;
import dev.lockstep.hlo.op.data.BitcastConvert;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Concatenate;
import dev.lockstep.hlo.op.data.DynamicSlice;
import dev.lockstep.hlo.op.data.DynamicUpdateSlice;
import dev.lockstep.hlo.op.data.GetDimensionSize;
import dev.lockstep.hlo.op.data.Iota;
import dev.lockstep.hlo.op.data.Pad;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.data.Reverse;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.op.elementwise.ElementwiseOps;
import org.jspecify.annotations.Nullable;

/** Which ops are translated, and why the others are not. */
public final class TranslationTable {
  /** Ops that are the same in both syntaxes but for the names and forms of attributes. */
  private static final ImmutableSet<OpDef> PLAIN =
      ImmutableSet.<OpDef>builder()
          .addAll(
              ElementwiseOps.ALL.stream()
                  .filter(def -> def.hloName() != null && !def.name().startsWith("hlo."))
                  .collect(ImmutableSet.toImmutableSet()))
          .add(Concatenate.DEF, Iota.DEF, Reshape.DEF, Reverse.DEF, Transpose.DEF, Slice.DEF)
          .add(Pad.DEF, DynamicSlice.DEF, DynamicUpdateSlice.DEF, BroadcastInDim.DEF)
          .add(BitcastConvert.DEF, GetDimensionSize.DEF)
          .add(DotGeneral.DEF, Gather.DEF, Scatter.DEF, Reduce.DEF)
          .add(ReduceWindow.DEF, SelectAndScatter.DEF, Sort.DEF, MapOp.DEF, Fft.DEF)
          .add(Cholesky.DEF, TriangularSolve.DEF, RngBitGenerator.DEF)
          .add(BatchNormGrad.DEF, BatchNormInference.DEF, BatchNormTraining.DEF)
          .add(AllGather.DEF, AllReduce.DEF, ReduceScatter.DEF, CollectivePermute.DEF)
          .add(CollectiveBroadcast.DEF, PartitionId.DEF, ReplicaId.DEF)
          .add(AfterAll.DEF, TupleOp.DEF, GetTupleElement.DEF)
          .build();

  /** Ops of whose functions and regions the structure is translated. */
  private static final ImmutableSet<String> STRUCTURE =
      ImmutableSet.of("func.func", "func.return", "hlo.parameter", "stablehlo.return");

  private static final ImmutableMap<String, String> REASONS =
      ImmutableMap.<String, String>builder()
          .put("builtin.module", "HLO has no modules in modules")
          .put("chlo.constant", "XLA expands it first")
          .put("chlo.ragged_dot", "StableHLO has it in a composite only")
          .put("chlo.scan", "XLA keeps it for itself; write a loop")
          .put("hlo.add_dependency", "StableHLO orders by tokens that ops take themselves")
          .put("hlo.domain", "it marks places for XLA's partitioner only")
          .put("hlo.ragged_all_to_all", "StableHLO has no such op")
          .put("hlo.rng_get_and_update_state", "StableHLO has no state of a generator")
          .put("hlo.scaled_dot", "StableHLO has no such op")
          .put("hlo.stochastic_convert", "StableHLO has no such op")
          .put("hlo.trace", "it is for the profiler")
          .put("stablehlo.collective_reduce", "no version of XLA reads it")
          .put("stablehlo.composite", "inline its decomposition first")
          .put("stablehlo.cross-replica-sum", "write all_reduce")
          .put("stablehlo.einsum", "write dot_general")
          .put("stablehlo.unary_einsum", "write reduce and transpose")
          .put("stablehlo.torch_index_select", "write gather")
          .put("stablehlo.dynamic_reshape", "sizes that are values are not translated")
          .put("stablehlo.set_dimension_size", "sizes with a bound are not translated")
          .put("stablehlo.infeed", "what hosts feed has other forms on each platform")
          .put("stablehlo.outfeed", "what hosts are given has other forms on each platform")
          .put("stablehlo.async_start", "StableHLO's asynchronous ops are not stable yet")
          .put("stablehlo.async_done", "StableHLO's asynchronous ops are not stable yet")
          .put("stablehlo.uniform_quantize", "HLO has no quantized types")
          .put("stablehlo.uniform_dequantize", "HLO has no quantized types")
          .buildOrThrow();

  private TranslationTable() {}

  /** Returns whether {@code def} is the same in both syntaxes but for names and forms. */
  static boolean isPlain(OpDef def) {
    return PLAIN.contains(def);
  }

  /** Returns whether {@code def} may stand in a text of {@code syntax}. */
  public static boolean isOf(OpDef def, Syntax syntax) {
    return syntax == Syntax.HLO
        ? def.hloName() != null || def == BuiltinOps.FUNC
        : !def.name().startsWith("hlo.");
  }

  /** Returns whether {@code def} is translated when it stands in a text of {@code from}. */
  public static boolean isTranslated(OpDef def, Syntax from) {
    return STRUCTURE.contains(def.name())
        || (from == Syntax.HLO ? StablehloRules.SPECIAL : HloRules.SPECIAL).containsKey(def)
        || PLAIN.contains(def);
  }

  /** Returns why {@code def} is not translated into {@code to}. */
  public static String reason(OpDef def, Syntax to) {
    String known = known(def);
    return known != null
        ? known
        : to == Syntax.HLO ? "HLO has no such op" : "StableHLO has no such op";
  }

  /** Returns the reason that is listed for {@code def}, or null when there is none. */
  public static @Nullable String known(OpDef def) {
    String name = def.name();
    if (name.startsWith("sdy.")) {
      return "Shardy's partitioner must run first";
    }
    if (name.startsWith("check.") || name.startsWith("interpreter.")) {
      return "it belongs to tests of StableHLO's interpreter";
    }
    if (name.startsWith("stablehlo.dynamic_") || name.startsWith("stablehlo.real_dynamic")) {
      return "sizes that are values are not translated";
    }
    String listed = REASONS.get(name);
    return listed == null && name.startsWith("chlo.") ? "expand chlo's ops first" : listed;
  }
}
