package dev.lockstep.hlo.build;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import java.util.OptionalLong;

/**
 * The layer of {@link OpBuilder} that builds communication.
 *
 * <p>Collectives of several operands are one operation; the values returned are its results in
 * order, whichever way the syntax gives them.
 */
abstract class CollectiveBuilder extends DataBuilder {
  CollectiveBuilder(BuildScope scope) {
    super(scope);
  }

  /** Returns the id of the replica, a ui32 scalar. */
  public Value replicaId() {
    return emit(
        named("stablehlo.replica_id"),
        ImmutableList.of(),
        TensorType.of(ElementType.UI32),
        Attributes.EMPTY);
  }

  /** Returns the id of the partition, a ui32 scalar. */
  public Value partitionId() {
    return emit(
        named("stablehlo.partition_id"),
        ImmutableList.of(),
        TensorType.of(ElementType.UI32),
        Attributes.EMPTY);
  }

  /** Returns the operands reduced over each group; {@code kind} is applied to one element type. */
  public ImmutableList<Value> allReduce(
      List<Value> operands, ReductionKind kind, CollectiveGroups groups) {
    Attributes.Builder attributes = grouped(groups, true);
    return reducing("stablehlo.all_reduce", operands, types(operands), kind, attributes);
  }

  /** Returns the operand reduced over each group. */
  public Value allReduce(Value operand, ReductionKind kind, CollectiveGroups groups) {
    return allReduce(ImmutableList.of(operand), kind, groups).get(0);
  }

  /**
   * Returns the operands of all members joined along {@code dimension}.
   *
   * @param groupSize members of each group
   */
  public ImmutableList<Value> allGather(
      List<Value> operands, int dimension, long groupSize, CollectiveGroups groups) {
    Attributes.Builder attributes = grouped(groups, true);
    dimension("all_gather_dim", dimension, attributes);
    return emitAll(
        named("stablehlo.all_gather"),
        ImmutableList.copyOf(operands),
        scaled(operands, dimension, groupSize, 1),
        attributes.build(),
        ImmutableList.of());
  }

  /** Returns the operands of all members joined along {@code dimension}. */
  public Value allGather(Value operand, int dimension, long groupSize, CollectiveGroups groups) {
    return allGather(ImmutableList.of(operand), dimension, groupSize, groups).get(0);
  }

  /**
   * Returns this member's part, along {@code dimension}, of the operands reduced over each group.
   * In StableHLO, which has one operand here, several operands make several operations.
   *
   * @param groupSize members of each group
   */
  public ImmutableList<Value> reduceScatter(
      List<Value> operands,
      int dimension,
      long groupSize,
      ReductionKind kind,
      CollectiveGroups groups) {
    if (!isHlo() && operands.size() > 1) {
      ImmutableList.Builder<Value> results = ImmutableList.builder();
      for (Value operand : operands) {
        results.add(reduceScatter(operand, dimension, groupSize, kind, groups));
      }
      return results.build();
    }
    Attributes.Builder attributes = grouped(groups, true);
    dimension("scatter_dimension", dimension, attributes);
    return reducing(
        "stablehlo.reduce_scatter",
        operands,
        scaled(operands, dimension, 1, groupSize),
        kind,
        attributes);
  }

  /** Returns this member's part of the operand reduced over each group. */
  public Value reduceScatter(
      Value operand, int dimension, long groupSize, ReductionKind kind, CollectiveGroups groups) {
    return reduceScatter(ImmutableList.of(operand), dimension, groupSize, kind, groups).get(0);
  }

  /**
   * Returns the operand after block {@code i} of {@code dimension} was sent to member {@code i},
   * blocks that came joined along the same dimension in the order of their senders.
   *
   * @param groupSize members of each group, the number of blocks
   */
  public Value allToAll(Value operand, int dimension, long groupSize, CollectiveGroups groups) {
    Attributes.Builder attributes = grouped(groups, false);
    if (isHlo()) {
      attributes.put("dimensions", Attribute.Longs.of(dimension));
    } else {
      attributes
          .put("split_dimension", Attribute.Int.i64(dimension))
          .put("concat_dimension", Attribute.Int.i64(dimension))
          .put("split_count", Attribute.Int.i64(groupSize));
    }
    return emit(
        named("stablehlo.all_to_all"),
        ImmutableList.of(operand),
        operand.type(),
        attributes.build());
  }

  /** Returns what the source of this device's pair had, or zeros where no pair ends. */
  public Value collectivePermute(
      Value operand, List<ImmutableLongArray> sourceTargetPairs, OptionalLong channel) {
    Attributes.Builder attributes = Attributes.builder();
    attributes.put("source_target_pairs", pairs(sourceTargetPairs));
    channel(channel, attributes);
    return emit(
        named("stablehlo.collective_permute"),
        ImmutableList.of(operand),
        operand.type(),
        attributes.build());
  }

  /** Returns what the first member of each group had, zeros for devices in no group. */
  public Value collectiveBroadcast(Value operand, CollectiveGroups groups) {
    return emit(
        named("stablehlo.collective_broadcast"),
        ImmutableList.of(operand),
        operand.type(),
        grouped(groups, false).build());
  }

  /** Returns a token that is there once {@code tokens} are. */
  public Value afterAll(List<Value> tokens) {
    return emit(
        named("stablehlo.after_all"),
        ImmutableList.copyOf(tokens),
        TokenType.TOKEN,
        Attributes.EMPTY);
  }

  /**
   * Returns the results of a custom call.
   *
   * @param more further attributes, in the names and forms of the syntax
   */
  public ImmutableList<Value> customCall(
      String target,
      List<Value> operands,
      List<? extends Type> results,
      boolean sideEffect,
      Attributes more) {
    Attributes.Builder attributes = Attributes.builder();
    attributes.put(isHlo() ? "custom_call_target" : "call_target_name", Attribute.Str.of(target));
    if (sideEffect) {
      attributes.put(
          isHlo() ? "custom_call_has_side_effect" : "has_side_effect", Attribute.Bool.TRUE);
    }
    more.forEach(attributes::put);
    return emitAll(
        named("stablehlo.custom_call"),
        ImmutableList.copyOf(operands),
        ImmutableList.copyOf(results),
        attributes.build(),
        ImmutableList.of());
  }

  private ImmutableList<Value> reducing(
      String name,
      List<Value> operands,
      ImmutableList<Type> results,
      ReductionKind kind,
      Attributes.Builder attributes) {
    ElementType element = tensor(operands.get(0)).element();
    ImmutableList<Region> regions = ImmutableList.of();
    if (isHlo()) {
      attributes.put("to_apply", Attribute.Symbol.of(scope().reducer(kind, element)));
    } else {
      regions = ImmutableList.of(reducer(kind, element));
    }
    return emitAll(
        named(name), ImmutableList.copyOf(operands), results, attributes.build(), regions);
  }

  /** Returns a StableHLO region that joins two scalars. */
  public Region reducer(ReductionKind kind, ElementType element) {
    TensorType type = TensorType.of(element);
    Value left = new Value(type);
    Value right = new Value(type);
    Value joined = new Value(type);
    ImmutableList<Value> arguments = ImmutableList.of(left, right);
    Operation join = detached(kind.def(), arguments, ImmutableList.of(joined));
    Operation end =
        detached(named("stablehlo.return"), ImmutableList.of(joined), ImmutableList.of());
    return Region.of(Block.of(arguments, ImmutableList.of(join, end)));
  }

  private static ImmutableList<Type> types(List<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  private static ImmutableList<Type> scaled(
      List<Value> values, int dimension, long factor, long divisor) {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (Value value : values) {
      long[] dims = tensor(value).dims().toArray();
      dims[dimension] = dims[dimension] * factor / divisor;
      out.add(tensor(value).withDims(dims));
    }
    return out.build();
  }

  private void dimension(String mlirName, int dimension, Attributes.Builder attributes) {
    if (isHlo()) {
      attributes.put("dimensions", Attribute.Longs.of(dimension));
    } else {
      attributes.put(mlirName, Attribute.Int.i64(dimension));
    }
  }

  /** Returns groups as the syntax writes them. */
  public Attribute groups(ReplicaGroups groups) {
    return isHlo()
        ? new Attribute.Groups(groups)
        : Attribute.Dense.of(Rows.literal(groups.lists(), 0));
  }

  /** Returns source-target pairs as the syntax writes them. */
  public Attribute pairs(List<ImmutableLongArray> sourceTargetPairs) {
    return rows(ImmutableList.copyOf(sourceTargetPairs));
  }

  private Attributes.Builder grouped(CollectiveGroups groups, boolean mayHaveGlobalIds) {
    Attributes.Builder attributes = Attributes.builder();
    attributes.put("replica_groups", groups(groups.groups()));
    channel(groups.channel(), attributes);
    if (mayHaveGlobalIds && groups.globalIds()) {
      attributes.put("use_global_device_ids", isHlo() ? Attribute.Bool.TRUE : Attribute.Unit.UNIT);
    }
    return attributes;
  }

  private void channel(OptionalLong channel, Attributes.Builder attributes) {
    if (channel.isEmpty()) {
      return;
    }
    if (isHlo()) {
      attributes.put("channel_id", Attribute.Int.untyped(channel.getAsLong()));
      return;
    }
    // Type 1 is device to device; only sends and receives have others.
    attributes.put(
        "channel_handle",
        new Attribute.Struct(
            "stablehlo.channel_handle",
            Attributes.of(
                "handle", Attribute.Int.i64(channel.getAsLong()), "type", Attribute.Int.i64(1))));
  }
}
