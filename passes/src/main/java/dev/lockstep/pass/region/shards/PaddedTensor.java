package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.merge.Sizes;
import java.util.ArrayList;
import java.util.List;

/**
 * An argument or result that is larger in the text of all ranks than in some rank's own. A rank's
 * elements stand in front along every dimension; what is behind them is arbitrary.
 *
 * @param isArgument whether it is an argument; a result otherwise
 * @param index its number in value files, tuples taken apart
 * @param dims the sizes for all ranks
 * @param byClass the sizes that mean something, for each class of ranks
 */
public record PaddedTensor(
    boolean isArgument,
    int index,
    ImmutableLongArray dims,
    ImmutableList<ImmutableLongArray> byClass) {

  /** Returns what the entries of aligned programs take and give in other sizes for all ranks. */
  public static ImmutableList<PaddedTensor> of(ProgramClasses classes, Sizes sizes) {
    List<List<TensorType>> arguments = new ArrayList<>();
    List<List<TensorType>> results = new ArrayList<>();
    for (Module module : classes.programs()) {
      Function entry = module.entryFunction().orElseThrow();
      List<TensorType> taken = new ArrayList<>();
      for (Value parameter : entry.parameters()) {
        flatten(parameter.type(), taken);
      }
      arguments.add(taken);
      List<TensorType> given = new ArrayList<>();
      entry.resultTypes().forEach(type -> flatten(type, given));
      results.add(given);
    }
    ImmutableList.Builder<PaddedTensor> out = ImmutableList.builder();
    collect(true, arguments, sizes, out);
    collect(false, results, sizes, out);
    return out.build();
  }

  private static void flatten(Type type, List<TensorType> into) {
    if (type instanceof TupleType tuple) {
      tuple.elements().forEach(element -> flatten(element, into));
    } else if (type instanceof TensorType tensor) {
      into.add(tensor);
    }
  }

  private static void collect(
      boolean isArgument,
      List<List<TensorType>> byClass,
      Sizes sizes,
      ImmutableList.Builder<PaddedTensor> out) {
    for (int i = 0; i < byClass.get(0).size(); i++) {
      int index = i;
      List<TensorType> types = byClass.stream().map(all -> all.get(index)).toList();
      if (types.stream().allMatch(types.get(0)::isSameShape)) {
        continue;
      }
      int rank = types.get(0).rank();
      List<ImmutableLongArray> columns = new ArrayList<>();
      ImmutableLongArray.Builder dims = ImmutableLongArray.builder(rank);
      for (int d = 0; d < rank; d++) {
        int dim = d;
        ImmutableLongArray column =
            ImmutableLongArray.copyOf(types.stream().mapToLong(it -> it.dim(dim)).toArray());
        columns.add(sizes.valid(column));
        dims.add(sizes.size(column));
      }
      ImmutableList.Builder<ImmutableLongArray> own = ImmutableList.builder();
      for (int k = 0; k < types.size(); k++) {
        int number = k;
        own.add(
            ImmutableLongArray.copyOf(
                columns.stream().mapToLong(column -> column.get(number)).toArray()));
      }
      out.add(new PaddedTensor(isArgument, i, dims.build(), own.build()));
    }
  }

  /** Returns how values must be padded, or what of them to keep, in words. */
  public String describe(ProgramClasses classes) {
    List<String> parts = new ArrayList<>();
    for (int d = 0; d < dims.length(); d++) {
      int dim = d;
      long[] own = byClass.stream().mapToLong(sizes -> sizes.get(dim)).toArray();
      boolean same = java.util.Arrays.stream(own).allMatch(size -> size == dims.get(dim));
      if (!same) {
        parts.add("dimension " + d + ", " + UnevenShards.describe(classes.byRank(own)));
      }
    }
    String key = (isArgument ? "in" : "out") + index;
    if (parts.isEmpty()) {
      return key + " has the sizes " + dims + " on all ranks";
    }
    return key
        + (isArgument ? " is padded at the end to " : " holds a rank's own elements in front of ")
        + dims
        + ": "
        + String.join("; ", parts);
  }
}
