package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.HashSet;
import java.util.Set;

/**
 * Rules about groups, pairs and channels that several collectives share. Groups whose form is not a
 * list of ids, such as axes of a mesh, are not looked into.
 */
final class GroupRules {
  /** HLO's permute of slices in place, whose pairs may repeat and whose operands differ. */
  private static final String SLICE_SIZES = "slice_sizes";

  private GroupRules() {}

  /** No id stands in two groups or twice in one. */
  static Constraint.Check uniqueIds() {
    return (operation, code, sink) -> {
      Set<Long> seen = new HashSet<>();
      for (ImmutableLongArray group : written(operation)) {
        for (int i = 0; i < group.length(); i++) {
          if (!seen.add(group.get(i))) {
            error(operation, code, sink, "id " + group.get(i) + " stands twice in replica_groups");
            return;
          }
        }
      }
    };
  }

  /** The ids are 0, 1 and so on without a gap. */
  static Constraint.Check denseIds() {
    return (operation, code, sink) -> {
      Set<Long> seen = new HashSet<>();
      long largest = -1;
      for (ImmutableLongArray group : written(operation)) {
        for (int i = 0; i < group.length(); i++) {
          seen.add(group.get(i));
          largest = Math.max(largest, group.get(i));
        }
      }
      for (long id = 0; id <= largest; id++) {
        if (!seen.contains(id)) {
          error(
              operation,
              code,
              sink,
              "replica_groups must name all ids up to " + largest + ", but " + id + " is missing");
          return;
        }
      }
    };
  }

  /** No id is negative, except for -1 behind a shorter group, which readers leave out. */
  static Constraint.Check naturalIds() {
    return (operation, code, sink) -> {
      for (ImmutableLongArray group : written(operation)) {
        for (int i = 0; i < group.length(); i++) {
          if (group.get(i) < 0) {
            error(operation, code, sink, "id " + group.get(i) + " in replica_groups is negative");
            return;
          }
        }
      }
    };
  }

  /** All groups have one size. */
  static Constraint.Check uniformGroups() {
    return (operation, code, sink) -> {
      if (written(operation).stream().mapToInt(ImmutableLongArray::length).distinct().count() > 1) {
        error(operation, code, sink, "all replica_groups must have the same size");
      }
    };
  }

  /** Flattened ids need a channel and groups. */
  static Constraint.Check globalIds() {
    return (operation, code, sink) -> {
      if (!Collectives.USE_GLOBAL_DEVICE_IDS.getOr(operation, false)) {
        return;
      }
      if (Collectives.channel(operation).isEmpty()) {
        error(operation, code, sink, "use_global_device_ids needs a channel with an id above zero");
      } else if (isListed(operation) && written(operation).isEmpty()) {
        error(operation, code, sink, "use_global_device_ids needs replica_groups");
      }
    };
  }

  /** Pairs are pairs. */
  static Constraint.Check pairShape() {
    return (operation, code, sink) -> {
      for (ImmutableLongArray pair : Collectives.pairs(operation)) {
        if (pair.length() != 2) {
          error(operation, code, sink, "source_target_pairs must be pairs, got " + pair);
          return;
        }
      }
    };
  }

  /** No id stands twice at one end, 0 for sources and 1 for targets. */
  static Constraint.Check uniqueEnds(int end) {
    return (operation, code, sink) -> {
      if (operation.attribute(SLICE_SIZES) != null) {
        return;
      }
      Set<Long> seen = new HashSet<>();
      for (ImmutableLongArray pair : Collectives.pairs(operation)) {
        if (pair.length() == 2 && !seen.add(pair.get(end))) {
          error(
              operation,
              code,
              sink,
              (end == 0 ? "source " : "target ")
                  + pair.get(end)
                  + " stands twice in source_target_pairs");
          return;
        }
      }
    };
  }

  /** No id in pairs is negative. */
  static Constraint.Check naturalPairs() {
    return (operation, code, sink) -> {
      for (ImmutableLongArray pair : Collectives.pairs(operation)) {
        for (int i = 0; i < pair.length(); i++) {
          if (pair.get(i) < 0) {
            error(
                operation, code, sink, "id " + pair.get(i) + " in source_target_pairs is negative");
            return;
          }
        }
      }
    };
  }

  /**
   * Each result is its operand, except that the size of {@code dimension} is multiplied, or for
   * {@code gives} divided, by the number of members, as far as that is known.
   */
  static Constraint.Check scaled(AttrKey<Long> dimension, boolean gives) {
    return (operation, code, sink) -> {
      Long dim = dimension.find(operation);
      for (int i = 0; dim != null && i < tensors(operation); i++) {
        TensorType operand = (TensorType) operation.operand(i).type();
        TensorType result = (TensorType) Results.types(operation).get(i);
        if (dim < 0 || dim >= operand.rank() || operand.rank() != result.rank()) {
          if (operand.rank() != result.rank()) {
            mismatch(operation, code, sink, i);
          }
          return;
        }
        long whole = (gives ? operand : result).dim(dim.intValue());
        long part = (gives ? result : operand).dim(dim.intValue());
        int members = members(operation);
        boolean fits =
            whole == TensorType.DYNAMIC
                || part == TensorType.DYNAMIC
                || (members > 0
                    ? whole == part * members
                    : part == 0 ? whole == 0 : whole % part == 0);
        for (int d = 0; d < operand.rank(); d++) {
          fits &= d == dim || TensorRule.agree(operand.dim(d), result.dim(d));
        }
        if (!fits) {
          mismatch(operation, code, sink, i);
          return;
        }
      }
    };
  }

  /** Each result has the shape of its operand, and {@code elements} its elements too. */
  static Constraint.Check same(boolean elements) {
    return (operation, code, sink) -> {
      if (operation.attribute(SLICE_SIZES) != null) {
        return;
      }
      for (int i = 0; i < tensors(operation); i++) {
        TensorType operand = (TensorType) operation.operand(i).type();
        TensorType result = (TensorType) Results.types(operation).get(i);
        if (!TensorRule.agreeInShape(operand, result)
            || elements && operand.element() != result.element()) {
          mismatch(operation, code, sink, i);
          return;
        }
      }
    };
  }

  /** A dimension is one of every operand. */
  static Constraint.Check dimension(AttrKey<Long> key) {
    return (operation, code, sink) -> {
      Long dim = key.find(operation);
      for (int i = 0; dim != null && i < tensors(operation); i++) {
        int rank = ((TensorType) operation.operand(i).type()).rank();
        if (dim < 0 || dim >= rank) {
          error(
              operation,
              code,
              sink,
              "dimension " + dim + " is not one of an operand of rank " + rank);
          return;
        }
      }
    };
  }

  /** A reducer in a region takes and gives scalars of one type, two for each that it gives. */
  static Constraint.Check reducer() {
    return (operation, code, sink) -> {
      if (operation.regions().size() != 1 || operation.regions().get(0).isEmpty()) {
        return;
      }
      Block block = operation.regions().get(0).entry();
      int given = block.returned().size();
      boolean fits = given > 0 && block.arguments().size() == 2 * given;
      for (int i = 0; fits && i < 2 * given; i++) {
        Type type = block.arguments().get(i).type();
        Type back = block.returned().get(i % given).type();
        // Types that are not modelled, such as quantised ones, are given the benefit of the doubt.
        fits =
            type instanceof OpaqueType
                || back instanceof OpaqueType
                || type instanceof TensorType
                    && ((TensorType) type).rank() == 0
                    && type.isSameShape(back);
      }
      if (!fits) {
        error(
            operation, code, sink, "the reducer must take two scalars and give one of their type");
      }
    };
  }

  /** Returns how many operands and results are tensors in step, from the first on. */
  private static int tensors(Operation operation) {
    ImmutableList<Type> results = Results.types(operation);
    int count = Math.min(operation.operands().size(), results.size());
    for (int i = 0; i < count; i++) {
      if (!(operation.operand(i).type() instanceof TensorType)
          || !(results.get(i) instanceof TensorType)) {
        return 0;
      }
    }
    return count;
  }

  /** Returns the size of the groups when the text fixes it, else 0. */
  static int members(Operation operation) {
    ImmutableList<ImmutableLongArray> groups = written(operation);
    return groups.isEmpty() || Collectives.mode(operation) == GroupMode.CROSS_REPLICA_AND_PARTITION
        ? 0
        : groups.get(0).length();
  }

  private static boolean isListed(Operation operation) {
    Attribute raw = Collectives.GROUPS.raw(operation);
    return !(raw instanceof Attribute.Struct) && !(raw instanceof Attribute.Raw);
  }

  private static ImmutableList<ImmutableLongArray> written(Operation operation) {
    return isListed(operation) ? Collectives.groups(operation).lists() : ImmutableList.of();
  }

  static void error(Operation operation, String code, DiagnosticSink sink, String message) {
    sink.error(code, message, operation.location());
  }

  private static void mismatch(Operation operation, String code, DiagnosticSink sink, int i) {
    error(
        operation,
        code,
        sink,
        "operand "
            + i
            + " has type "
            + operation.operand(i).type()
            + ", which does not give the type "
            + Results.types(operation).get(i)
            + " of result "
            + i);
  }
}
