package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.proto.xla.CollectiveDeviceListProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.IotaReplicaGroupListProto;
import dev.lockstep.hlo.proto.xla.MeshAxesReplicaGroupListProto;
import dev.lockstep.hlo.proto.xla.ReplicaGroup;
import dev.lockstep.hlo.proto.xla.SourceTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups of devices in each of their three forms, and pairs of devices. */
final class GroupForms {
  private static final ImmutableSet<String> GROUPED =
      ImmutableSet.of(
          "all-gather",
          "all-gather-start",
          "all-reduce",
          "all-reduce-start",
          "all-to-all",
          "collective-broadcast",
          "ragged-all-to-all",
          "reduce-scatter");

  private static final ImmutableSet<String> PAIRED =
      ImmutableSet.of("collective-permute", "collective-permute-start");

  private GroupForms() {}

  /** Returns whether instructions of {@code opcode} name pairs of devices. */
  static boolean isPaired(String opcode) {
    return PAIRED.contains(opcode);
  }

  /** Appends the groups or pairs of {@code proto}. */
  static void read(HloInstructionProto proto, AttributeText out, HloInstructionProto.Builder rest) {
    String groups = groups(proto);
    if (groups != null) {
      out.put("replica_groups", groups);
    }
    rest.clearReplicaGroups().clearReplicaGroupList();
    if (proto.getSourceTargetPairsCount() > 0 || PAIRED.contains(proto.getOpcode())) {
      StringBuilder pairs = new StringBuilder("{");
      for (SourceTarget pair : proto.getSourceTargetPairsList()) {
        pairs.append(pairs.length() == 1 ? "{" : ",{");
        pairs.append(pair.getSource()).append(',').append(pair.getTarget()).append('}');
      }
      out.put("source_target_pairs", pairs.append('}').toString());
      rest.clearSourceTargetPairs();
    }
  }

  private static @Nullable String groups(HloInstructionProto proto) {
    return switch (proto.getReplicaGroupListCase()) {
      case COLLECTIVE_DEVICE_LIST -> lists(proto.getCollectiveDeviceList().getReplicaGroupsList());
      case IOTA_COLLECTIVE_DEVICE_LIST -> iota(proto.getIotaCollectiveDeviceList());
      case MESH_AXES_REPLICA_GROUP_LIST -> mesh(proto.getMeshAxesReplicaGroupList());
      case REPLICAGROUPLIST_NOT_SET ->
          proto.getReplicaGroupsCount() > 0 || GROUPED.contains(proto.getOpcode())
              ? lists(proto.getReplicaGroupsList())
              : null;
    };
  }

  private static String lists(List<ReplicaGroup> groups) {
    StringBuilder out = new StringBuilder("{");
    for (ReplicaGroup group : groups) {
      out.append(out.length() == 1 ? "{" : ",{");
      MeshForms.list(out, group.getReplicaIdsList());
      out.append('}');
    }
    return out.append('}').toString();
  }

  private static String iota(IotaReplicaGroupListProto groups) {
    StringBuilder out = new StringBuilder("[").append(groups.getNumReplicaGroups());
    out.append(',').append(groups.getNumDevicesPerGroup()).append("]<=");
    MeshForms.iota(out, groups.getIotaReshapeDimsList(), groups.getIotaTransposePermList());
    return out.toString();
  }

  private static String mesh(MeshAxesReplicaGroupListProto groups) {
    StringBuilder out = new StringBuilder();
    MeshForms.append(out, groups.getMesh());
    MeshForms.axes(out.append(" {"), groups.getMesh(), groups.getAxesList(), ",");
    return out.append('}').toString();
  }

  /** Sets the groups of {@code out}; returns whether {@code value} has the form of groups. */
  static boolean writeGroups(Attribute value, Location location, HloInstructionProto.Builder out) {
    ReplicaGroups groups =
        value instanceof Attribute.Groups ? ((Attribute.Groups) value).groups() : null;
    if (groups instanceof ReplicaGroups.Iota) {
      out.setIotaCollectiveDeviceList(iota((ReplicaGroups.Iota) groups));
      return true;
    }
    if (groups instanceof ReplicaGroups.Mesh) {
      out.setMeshAxesReplicaGroupList(mesh(((ReplicaGroups.Mesh) groups).text(), location));
      return true;
    }
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(value);
    if (rows == null) {
      return false;
    }
    CollectiveDeviceListProto.Builder list = out.getCollectiveDeviceListBuilder();
    for (ImmutableLongArray row : rows) {
      list.addReplicaGroupsBuilder().addAllReplicaIds(row.asList());
    }
    return true;
  }

  private static IotaReplicaGroupListProto iota(ReplicaGroups.Iota groups) {
    IotaReplicaGroupListProto.Builder out =
        IotaReplicaGroupListProto.newBuilder()
            .setNumReplicaGroups(groups.groupCount())
            .setNumDevicesPerGroup(groups.groupSize())
            .addAllIotaReshapeDims(groups.reshape().asList());
    ImmutableLongArray transpose = groups.transpose();
    for (int i = 0; i < groups.reshape().length(); i++) {
      out.addIotaTransposePerm(transpose == null ? i : (int) transpose.get(i));
    }
    return out.build();
  }

  private static MeshAxesReplicaGroupListProto mesh(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    MeshAxesReplicaGroupListProto.Builder out = MeshAxesReplicaGroupListProto.newBuilder();
    List<String> names = MeshForms.read(in, out.getMeshBuilder());
    MeshForms.axes(in, names, out::addAxesBuilder);
    return out.build();
  }

  /** Sets the pairs of {@code out}; returns whether {@code value} has the form of pairs. */
  static boolean writePairs(Attribute value, HloInstructionProto.Builder out) {
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(value);
    if (rows == null) {
      return false;
    }
    for (ImmutableLongArray row : rows) {
      if (row.length() != 2) {
        return false;
      }
      out.addSourceTargetPairsBuilder().setSource(row.get(0)).setTarget(row.get(1));
    }
    return true;
  }
}
