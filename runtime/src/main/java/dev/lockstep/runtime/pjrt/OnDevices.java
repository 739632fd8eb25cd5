package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MeshAxisGroups;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.PartitionId;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The text for a launch on some of the devices of a grid: the devices become replicas 0 and on, in
 * their order. Groups and pairs are said of those replicas, those of other devices go; numbers of
 * replicas and partitions become the ones that the devices had in the grid.
 */
final class OnDevices {
  private final Module module;
  private final DeviceGrid grid;
  private final ImmutableIntArray devices;
  private final Map<Integer, Long> places = new HashMap<>();

  private OnDevices(Module module, DeviceGrid grid, ImmutableIntArray devices) {
    this.module = module;
    this.grid = grid;
    this.devices = devices;
    for (int i = 0; i < devices.length(); i++) {
      places.put(devices.get(i), (long) i);
    }
  }

  /**
   * Returns {@code module}, written for {@code grid}, for a launch on {@code devices} as replicas.
   *
   * @throws IllegalArgumentException if a group makes no sense, or holds some of the devices only
   */
  static Module rewrite(Module module, DeviceGrid grid, ImmutableIntArray devices) {
    OnDevices rewrite = new OnDevices(module, grid, devices);
    return Rewriter.rewrite(module, rewrite::operation).withAttributes(rewrite.header());
  }

  /** Returns {@code module} for a launch on all devices of {@code grid} as replicas. */
  static Module all(Module module, DeviceGrid grid) {
    ImmutableIntArray.Builder devices = ImmutableIntArray.builder();
    for (int device = 0; device < grid.size(); device++) {
      devices.add(device);
    }
    try {
      return rewrite(module, grid, devices.build());
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "collective-groups", String.valueOf(e.getMessage()), module.location());
    }
  }

  /**
   * Returns whether the partitions of {@code module} address each other by number, with nothing
   * left to partition. XLA's partitioner refuses such a program, which computes the same over
   * replicas. What XLA has scheduled is another matter: it is fused and has layouts.
   */
  static boolean addressesPartitions(Module module, DeviceGrid grid) {
    return grid.partitions() > 1
        && module.attributes().get("is_scheduled") != Attribute.Bool.TRUE
        && module.operations().stream().anyMatch(OnDevices::holdsPartitionId)
        && !EntryLayout.of(Program.of(module), grid).isGlobal();
  }

  private static boolean holdsPartitionId(Operation operation) {
    return operation.anyMatch(inner -> inner.is(PartitionId.DEF));
  }

  private Attributes header() {
    Attributes header = module.attributes();
    if (module.syntax() == Syntax.HLO) {
      return header
          .without(Module.NUM_PARTITIONS)
          .with(Module.REPLICA_COUNT, Attribute.Int.untyped(devices.length()));
    }
    return header
        .with(Module.MHLO_NUM_REPLICAS, Attribute.Int.i32(devices.length()))
        .with(Module.MHLO_NUM_PARTITIONS, Attribute.Int.i32(1));
  }

  private @Nullable ImmutableList<Value> operation(Operation written, OpBuilder builder) {
    if (written.def().semantics() instanceof Semantics.PerDevice perDevice
        && written.operands().isEmpty()) {
      return ImmutableList.of(number(written, perDevice, builder));
    }
    Operation operation = MeshAxisGroups.spelledOut(written, module);
    Attributes attributes = operation.attributes();
    if (operation.def().attributes().contains(Collectives.PAIRS)) {
      attributes = attributes.with("source_target_pairs", builder.pairs(pairs(operation)));
    } else if (operation.def().attributes().contains(Collectives.GROUPS)) {
      attributes = attributes.with("replica_groups", builder.groups(groups(operation)));
    } else {
      return null;
    }
    builder.add(
        operation.withAttributes(
            attributes
                .without("channel_id")
                .without("channel_handle")
                .without("use_global_device_ids")));
    return written.results();
  }

  /** Returns a number that depends on the device: a constant, or looked up by replica. */
  private Value number(Operation operation, Semantics.PerDevice semantics, OpBuilder builder) {
    long[] values = new long[devices.length()];
    boolean isReplica = true;
    boolean isUniform = true;
    ElementType element = ElementType.UI32;
    for (int i = 0; i < values.length; i++) {
      Datum value = semantics.eval(operation, ImmutableList.of(), devices.get(i), grid).get(0);
      element = ((Literal) value).element();
      values[i] = ((Literal) value).getLong(0);
      isReplica &= values[i] == i;
      isUniform &= values[i] == values[0];
    }
    if (isUniform) {
      return builder.scalar(element, values[0]);
    }
    if (isReplica) {
      return builder.replicaId();
    }
    Value table = builder.constant(Literal.of(TensorType.of(element, values.length), ints(values)));
    Value slice = builder.dynamicSlice(table, List.of(builder.replicaId()), 1);
    return builder.reshape(slice);
  }

  private static int[] ints(long[] values) {
    int[] out = new int[values.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (int) values[i];
    }
    return out;
  }

  private ReplicaGroups groups(Operation operation) {
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    ProcessGroups all = Partners.groups(operation, module, grid);
    for (ImmutableIntArray group : all.groups()) {
      ImmutableLongArray.Builder members = ImmutableLongArray.builder(group.length());
      group.stream().filter(places::containsKey).forEach(d -> members.add(place(d)));
      ImmutableLongArray here = members.build();
      if (!here.isEmpty()) {
        if (here.length() != group.length()) {
          throw new IllegalArgumentException(
              "devices " + devices + " are launched without the others of group " + group);
        }
        out.add(here);
      }
    }
    return new ReplicaGroups.Lists(out.build());
  }

  private long place(int device) {
    Long place = places.get(device);
    return place == null ? -1 : place;
  }

  private ImmutableList<ImmutableLongArray> pairs(Operation operation) {
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    boolean ofPartitions = Collectives.mode(operation) == GroupMode.CROSS_PARTITION;
    int times = ofPartitions ? grid.replicas() : grid.partitions();
    for (ImmutableLongArray pair : Collectives.pairs(operation)) {
      for (int other = 0; other < times; other++) {
        int source = device(pair.get(0), other, ofPartitions);
        int target = device(pair.get(1), other, ofPartitions);
        if (places.containsKey(source) && places.containsKey(target)) {
          out.add(ImmutableLongArray.of(place(source), place(target)));
        }
      }
    }
    return out.build();
  }

  private int device(long id, int other, boolean ofPartitions) {
    int number = Math.toIntExact(id);
    return ofPartitions ? grid.device(other, number) : grid.device(number, other);
  }
}
