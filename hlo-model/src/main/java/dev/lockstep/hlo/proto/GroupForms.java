package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.proto.xla.AxisRefProto;
import dev.lockstep.hlo.proto.xla.CollectiveDeviceListProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.IotaReplicaGroupListProto;
import dev.lockstep.hlo.proto.xla.MeshAxesReplicaGroupListProto;
import dev.lockstep.hlo.proto.xla.MeshProto;
import dev.lockstep.hlo.proto.xla.ReplicaGroup;
import dev.lockstep.hlo.proto.xla.SourceTarget;
import java.util.ArrayList;
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
      list(out, group.getReplicaIdsList());
      out.append('}');
    }
    return out.append('}').toString();
  }

  private static void list(StringBuilder out, List<? extends Number> values) {
    for (int i = 0; i < values.size(); i++) {
      out.append(i == 0 ? "" : ",").append(values.get(i));
    }
  }

  private static String iota(IotaReplicaGroupListProto groups) {
    StringBuilder out = new StringBuilder("[").append(groups.getNumReplicaGroups());
    out.append(',').append(groups.getNumDevicesPerGroup()).append("]<=");
    iota(out, groups.getIotaReshapeDimsList(), groups.getIotaTransposePermList());
    return out.toString();
  }

  private static void iota(
      StringBuilder out, List<? extends Number> reshape, List<? extends Number> transpose) {
    out.append('[');
    list(out, reshape);
    out.append(']');
    boolean identity = true;
    for (int i = 0; i < transpose.size(); i++) {
      identity &= transpose.get(i).intValue() == i;
    }
    if (!identity) {
      out.append("T(");
      list(out, transpose);
      out.append(')');
    }
  }

  private static String mesh(MeshAxesReplicaGroupListProto groups) {
    StringBuilder out = new StringBuilder("mesh[");
    MeshProto mesh = groups.getMesh();
    for (int i = 0; i < mesh.getAxesCount(); i++) {
      out.append(i == 0 ? "'" : ",'").append(mesh.getAxes(i).getName()).append("'=");
      out.append(mesh.getAxes(i).getSize());
    }
    out.append(']');
    if (mesh.hasIotaTransform()) {
      out.append(", device_ids=(");
      MeshProto.IotaTransform transform = mesh.getIotaTransform();
      iota(out, transform.getReshapeDimsList(), transform.getTransposePermList());
      out.append(')');
    } else if (mesh.getDeviceIdsCount() > 0) {
      out.append(", device_ids=(");
      list(out, mesh.getDeviceIdsList());
      out.append(')');
    }
    out.append(" {");
    for (int i = 0; i < groups.getAxesCount(); i++) {
      AxisRefProto axis = groups.getAxes(i);
      out.append(i == 0 ? "'" : ",'");
      out.append(mesh.getAxes((int) axis.getMeshAxisIndex()).getName()).append('\'');
      if (axis.hasSubAxisInfo()) {
        out.append(":(").append(axis.getSubAxisInfo().getPreSize()).append(')');
        out.append(axis.getSubAxisInfo().getSize());
      }
    }
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
    MeshProto.Builder mesh = out.getMeshBuilder();
    List<String> names = new ArrayList<>();
    in.expect("mesh[");
    while (!in.accept("]")) {
      String name = in.name();
      names.add(name);
      in.expect("=");
      mesh.addAxesBuilder().setName(name).setSize(in.integer());
      in.accept(",");
    }
    if (in.accept(",")) {
      in.expect("device_ids=(");
      if (in.accept("[")) {
        MeshProto.IotaTransform.Builder transform = mesh.getIotaTransformBuilder();
        ImmutableLongArray reshape = in.integers();
        in.expect("]");
        transform.addAllReshapeDims(reshape.asList());
        if (in.accept("T(")) {
          transform.addAllTransposePerm(in.integers().asList());
          in.expect(")");
        } else {
          for (int i = 0; i < reshape.length(); i++) {
            transform.addTransposePerm(i);
          }
        }
      } else {
        mesh.addAllDeviceIds(in.integers().asList());
      }
      in.expect(")");
    }
    in.expect("{");
    while (!in.accept("}")) {
      AxisRefProto.Builder axis = out.addAxesBuilder().setMeshAxisIndex(names.indexOf(in.name()));
      if (in.accept(":(")) {
        axis.getSubAxisInfoBuilder().setPreSize(in.integer());
        in.expect(")");
        axis.getSubAxisInfoBuilder().setSize(in.integer());
      }
      in.accept(",");
    }
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
