package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.ProgramClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds tensors whose sizes differ between ranks, where programs take them and where they hand them
 * to collectives, and says what splitting explains the sizes. Looks at each different program once.
 */
public final class UnevenShards {
  /**
   * A dimension whose size differs.
   *
   * @param what the tensor in words: {@code argument 1, dimension 0}
   * @param explanation the arithmetic, or the sizes when no rule gives them
   * @param isKnown whether a rule gives the sizes
   */
  public record Finding(String what, String explanation, boolean isKnown) {
    /** Returns both in one sentence. */
    public String text() {
      return what + ": " + explanation;
    }
  }

  private UnevenShards() {}

  /** Returns what differs, arguments first, then collectives in program order. */
  public static ImmutableList<Finding> find(ProgramClasses classes) {
    List<Function> entries = new ArrayList<>();
    for (Module module : classes.programs()) {
      Optional<Function> entry = module.entryFunction();
      if (entry.isEmpty()) {
        return ImmutableList.of();
      }
      entries.add(entry.get());
    }
    ImmutableList.Builder<Finding> out = ImmutableList.builder();
    List<List<Value>> parameters = new ArrayList<>();
    entries.forEach(entry -> parameters.add(entry.parameters()));
    compare(classes, parameters, "argument ", out);
    collectives(classes, entries, out);
    return out.build();
  }

  private static void collectives(
      ProgramClasses classes, List<Function> entries, ImmutableList.Builder<Finding> out) {
    List<List<Operation>> all = new ArrayList<>();
    int fewest = Integer.MAX_VALUE;
    for (Function entry : entries) {
      List<Operation> found =
          entry.body().operations().stream().filter(it -> it.def().isCollective()).toList();
      all.add(found);
      fewest = Math.min(fewest, found.size());
    }
    for (int i = 0; i < fewest; i++) {
      Operation first = all.get(0).get(i);
      List<List<Value>> operands = new ArrayList<>();
      boolean same = true;
      for (List<Operation> of : all) {
        same &= of.get(i).def() == first.def();
        operands.add(of.get(i).operands());
      }
      if (!same) {
        return;
      }
      String name = first.def().nameIn(classes.programs().get(0).syntax());
      compare(classes, operands, name + ", operand ", out);
    }
  }

  private static void compare(
      ProgramClasses classes,
      List<List<Value>> byClass,
      String what,
      ImmutableList.Builder<Finding> out) {
    int count = byClass.get(0).size();
    if (byClass.stream().anyMatch(values -> values.size() != count)) {
      return;
    }
    for (int i = 0; i < count; i++) {
      List<TensorType> types = new ArrayList<>();
      for (List<Value> values : byClass) {
        Type type = values.get(i).type();
        if (type instanceof TensorType tensor && tensor.isStatic()) {
          types.add(tensor);
        }
      }
      int rank = types.isEmpty() ? 0 : types.get(0).rank();
      if (types.size() == byClass.size() && types.stream().allMatch(it -> it.rank() == rank)) {
        for (int d = 0; d < rank; d++) {
          dimension(classes, types, d, what + i, out);
        }
      }
    }
  }

  private static void dimension(
      ProgramClasses classes,
      List<TensorType> types,
      int dim,
      String what,
      ImmutableList.Builder<Finding> out) {
    long[] byClass = new long[types.size()];
    boolean differ = false;
    for (int k = 0; k < byClass.length; k++) {
      byClass[k] = types.get(k).dim(dim);
      differ |= byClass[k] != byClass[0];
    }
    if (differ) {
      long[] byRank = classes.byRank(byClass);
      Sharding sharding = Sharding.of(byRank);
      out.add(new Finding(what + ", dimension " + dim, describe(byRank), sharding != null));
    }
  }

  /** Returns the arithmetic behind the sizes that ranks have. */
  public static String describe(long[] byRank) {
    Sharding sharding = Sharding.of(byRank);
    if (sharding != null) {
      return sharding.describe();
    }
    List<Long> sizes = new ArrayList<>();
    for (long size : byRank) {
      sizes.add(size);
    }
    return "sizes that no known way of splitting gives: " + Sharding.holders(sizes);
  }
}
