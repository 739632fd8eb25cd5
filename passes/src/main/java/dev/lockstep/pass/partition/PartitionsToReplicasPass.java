package dev.lockstep.pass.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.PartitionId;
import dev.lockstep.hlo.op.collective.ReplicaId;
import dev.lockstep.hlo.op.control.Fusion;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import java.util.OptionalInt;

/** Makes replicas of the partitions of HLO that XLA has partitioned. */
public final class PartitionsToReplicasPass implements Pass {
  /** The pass; it holds no state. */
  public static final PartitionsToReplicasPass INSTANCE = new PartitionsToReplicasPass();

  private static final PassInfo INFO =
      PassInfo.of(
          "partitions-to-replicas",
          "Makes replicas of the partitions of HLO that XLA has partitioned",
          """
          XLA does not compile again what it has partitioned and scheduled: the partitioner refuses
          partition-id and collectives over partitions, and schedules do not fit any more. The same
          program over as many replicas computes the same: partition-id becomes replica-id,
          replica-id becomes zero, groups and pairs become those of the devices that meet, written
          out, without channels and global ids. Shardings, which have done their work, and the
          schedule go. Fusions become calls, and bitcasts the transposes and reshapes that they stand
          for: XLA assigns layouts and fuses anew, and expects neither.

          Only HLO of one replica and several partitions is rewritten, and of that only what is
          scheduled or has no shardings: where shardings still are to be obeyed, shapes are those of
          whole arrays. Everything else stays.

          Every device keeps its place: device p, which was partition p of replica 0, is replica p.
          The groups of every collective hold the same devices in the same order, so every device
          still issues the same sequence and meets the same others.
          """);

  private static final ImmutableList<String> OF_PARTITIONING =
      ImmutableList.of(
          "is_scheduled",
          Module.NUM_PARTITIONS,
          "allow_spmd_sharding_propagation_to_parameters",
          "allow_spmd_sharding_propagation_to_output");

  private PartitionsToReplicasPass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    OptionalInt partitions = context.partitions(module);
    if (module.syntax() != Syntax.HLO
        || partitions.orElse(1) < 2
        || context.replicas(module).orElse(1) > 1
        || module.replicas().orElse(1) != 1
        || !isPartitioned(module)) {
      return module;
    }
    DeviceGrid grid = new DeviceGrid(1, partitions.getAsInt());
    Attributes header = module.attributes();
    for (String name : OF_PARTITIONING) {
      header = header.without(name);
    }
    header =
        header
            .without(Module.REPLICA_COUNT)
            .with(Module.REPLICA_COUNT, Attribute.Int.untyped(grid.partitions()));
    return module.withAttributes(header).mapFunctions(function -> rewrite(function, grid));
  }

  /**
   * Only what XLA has scheduled is surely partitioned: it schedules last. What has no shardings has
   * nothing left to partition.
   */
  private static boolean isPartitioned(Module module) {
    return module.attributes().get("is_scheduled") == Attribute.Bool.TRUE
        || module.functions().stream()
            .flatMap(function -> function.body().operations().stream())
            .noneMatch(operation -> operation.attributes().has("sharding"));
  }

  private static Function rewrite(Function function, DeviceGrid grid) {
    Block body = function.body();
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    Operation root = body.root();
    for (Operation operation : body.operations()) {
      if (Bitcasts.isOne(operation)) {
        ImmutableList<Operation> steps = Bitcasts.rewrite(operation);
        out.addAll(steps);
        root = operation == body.root() ? steps.get(steps.size() - 1) : root;
        continue;
      }
      Operation now = rewrite(operation, grid);
      out.add(now);
      root = operation == body.root() ? now : root;
    }
    return function.withBody(body.withOperations(out.build(), root));
  }

  private static Operation rewrite(Operation operation, DeviceGrid grid) {
    Attributes attributes = operation.attributes().without("sharding");
    if (operation.is(PartitionId.DEF)) {
      return remade(operation, ReplicaId.DEF, attributes);
    }
    if (operation.is(ReplicaId.DEF)) {
      Attribute zero = Attribute.Dense.of(Literal.scalar(ElementType.UI32, 0));
      return remade(operation, Constant.DEF, attributes.with("value", zero));
    }
    if (operation.is(Fusion.DEF)) {
      return remade(operation, BuiltinOps.CALL, called(operation));
    }
    if (attributes.has("replica_groups")) {
      attributes = attributes.with("replica_groups", groups(operation, grid));
    } else if (attributes.has("source_target_pairs")) {
      attributes = attributes.with("source_target_pairs", pairs(operation, grid));
    } else {
      return operation.withAttributes(attributes);
    }
    return operation.withAttributes(
        attributes.without("channel_id").without("use_global_device_ids"));
  }

  /** Returns the attributes of the call that does what a fusion does. */
  private static Attributes called(Operation fusion) {
    Attributes out = Attributes.of("to_apply", Attribute.Symbol.of(Bodies.callees(fusion).get(0)));
    Attribute metadata = fusion.attribute("metadata");
    return metadata == null ? out : out.with("metadata", metadata);
  }

  private static Operation remade(Operation operation, OpDef def, Attributes attributes) {
    return new Operation(
        def,
        operation.operands(),
        operation.results(),
        attributes,
        operation.regions(),
        operation.location(),
        operation.debugLocation());
  }

  private static Attribute groups(Operation operation, DeviceGrid grid) {
    ImmutableList.Builder<ImmutableLongArray> lists = ImmutableList.builder();
    try {
      for (ImmutableIntArray group :
          Collectives.processGroups(operation, grid, MemberOrder.REPLICA_MAJOR).groups()) {
        lists.add(ImmutableLongArray.copyOf(group.stream().asLongStream()));
      }
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "partitions-to-replicas", String.valueOf(e.getMessage()), operation.location());
    }
    return new Attribute.Groups(new ReplicaGroups.Lists(lists.build()));
  }

  private static Attribute pairs(Operation operation, DeviceGrid grid) {
    ImmutableList<ImmutableLongArray> pairs = Collectives.pairs(operation);
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    if (Collectives.mode(operation) == GroupMode.CROSS_REPLICA) {
      // There is one replica, so each partition sends to itself or to nobody.
      for (int p = 0; p < grid.partitions() && !pairs.isEmpty(); p++) {
        out.add(Attribute.Longs.of(p, p));
      }
    } else {
      pairs.forEach(pair -> out.add(new Attribute.Longs(pair, ElementType.I64)));
    }
    return new Attribute.Array(out.build());
  }
}
