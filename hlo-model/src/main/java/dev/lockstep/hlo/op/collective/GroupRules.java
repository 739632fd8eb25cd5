package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.ReducerRule;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.ElementType;
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
          if (group.get(i) < 0) {
            error(operation, code, sink, "id " + group.get(i) + " in replica_groups is negative");
            return;
          }
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
  static Constraint.ModuleCheck globalIds() {
    return (operation, around, code, sink) -> {
      if (!Collectives.USE_GLOBAL_DEVICE_IDS.getOr(operation, false)) {
        return;
      }
      Long channel = Collectives.CHANNEL.find(operation);
      if (channel != null && channel == 0 && !around.isHlo()) {
        sink.warning(
            code, "use_global_device_ids needs a channel above zero", operation.location());
      } else if (Collectives.channel(operation).isEmpty()) {
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
  static Constraint.ModuleCheck scaled(AttrKey<Long> dimension, boolean gives) {
    return (operation, around, code, sink) -> {
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
        if (!fits && !around.isHlo() && isMultiple(whole, part, operand, result, dim)) {
          // StableHLO's verifier does not look at the number of members, and its texts use that.
          sink.warning(
              code,
              String.format(
                  "sizes %d and %d of dimension %d do not fit groups of %d",
                  operand.dim(dim.intValue()), result.dim(dim.intValue()), dim, members),
              operation.location());
        } else if (!fits) {
          mismatch(operation, code, sink, i);
          return;
        }
      }
    };
  }

  private static boolean isMultiple(
      long whole, long part, TensorType operand, TensorType result, long dim) {
    boolean fits = part > 0 && whole % part == 0;
    for (int d = 0; d < operand.rank(); d++) {
      fits &= d == dim || TensorRule.agree(operand.dim(d), result.dim(d));
    }
    return fits;
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

  /** The body folds two elements of each operand. */
  static Constraint.BodyCheck reducer() {
    return (operation, bodies, code, sink) -> {
      int count = operation.operands().size() - (isRooted(operation) ? 1 : 0);
      for (int i = 0; bodies.size() == 1 && i < count && !sink.hasErrors(); i++) {
        Type type = operation.operand(i).type();
        if (type instanceof TensorType) {
          ReducerRule.check(
              operation,
              bodies.get(0),
              ImmutableList.of(type),
              ImmutableList.of(((TensorType) type).withDims()),
              ImmutableLongArray.of(),
              code,
              sink);
        }
      }
    };
  }

  /** Results have the elements that the body gives. */
  static Constraint.BodyCheck reduced() {
    return (operation, bodies, code, sink) -> {
      ImmutableList<Type> given =
          bodies.size() == 1 ? ReducerRule.given(bodies.get(0)) : ImmutableList.of();
      if (given.size() != 1 || !(given.get(0) instanceof TensorType)) {
        return;
      }
      ElementType wanted = ((TensorType) given.get(0)).element();
      boolean isHlo = bodies.get(0).root() != null;
      for (Type type : Results.types(operation)) {
        ElementType got = type instanceof TensorType ? ((TensorType) type).element() : wanted;
        if (got != wanted && !(isHlo && got.isFloat() && wanted.isFloat())) {
          error(
              operation,
              code,
              sink,
              "a result has elements of type " + got + " but the body gives " + wanted);
          return;
        }
      }
    };
  }

  private static boolean isRooted(Operation operation) {
    return Collectives.HAS_DYNAMIC_ROOT.getOr(operation, false);
  }

  /** There is something to give, and a root for each where roots are values. */
  static Constraint.Check roots() {
    return (operation, code, sink) -> {
      int operands = operation.operands().size();
      if (!isRooted(operation)) {
        if (operands == 0) {
          error(operation, code, sink, "there is no operand");
        }
        return;
      }
      if (operands < 2) {
        error(operation, code, sink, "there must be an operand and its root");
        return;
      }
      Type roots = operation.operand(operands - 1).type();
      Type wanted = TensorType.of(ElementType.I32, operands - 1);
      if (!roots.isSameShape(wanted)) {
        error(operation, code, sink, "roots have type " + roots + ", must have type " + wanted);
      }
    };
  }

  /** There is a result for each operand that is no root. */
  static Constraint.Check resultForEach() {
    return (operation, code, sink) -> {
      int wanted = operation.operands().size() - (isRooted(operation) ? 1 : 0);
      int got = Results.types(operation).size();
      if (got != wanted) {
        error(operation, code, sink, got + " results for " + wanted + " operands");
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
