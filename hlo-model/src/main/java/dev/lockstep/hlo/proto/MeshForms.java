package dev.lockstep.hlo.proto;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.proto.xla.AxisRefProto;
import dev.lockstep.hlo.proto.xla.MeshProto;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Meshes of devices, {@code mesh['a'=2,'b'=4]}, and lists of their axes. */
final class MeshForms {
  private static final String ONE_DEVICE = "maximal_mesh[device_id=";

  private MeshForms() {}

  /** Appends {@code mesh['a'=2,'b'=4]}, with the order of devices where it is not the usual one. */
  static void append(StringBuilder out, MeshProto mesh) {
    if (mesh.getAxesCount() == 0 && mesh.getDeviceIdsCount() == 1) {
      out.append(ONE_DEVICE).append(mesh.getDeviceIds(0)).append(']');
      return;
    }
    out.append("mesh[");
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
  }

  /** Appends {@code [4,2]T(1,0)}, the transposition only where it is one. */
  static void iota(
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

  static void list(StringBuilder out, List<? extends Number> values) {
    for (int i = 0; i < values.size(); i++) {
      out.append(i == 0 ? "" : ",").append(values.get(i));
    }
  }

  /** Appends {@code 'a','b':(1)2} for axes of {@code mesh}. */
  static void axes(StringBuilder out, MeshProto mesh, List<AxisRefProto> axes, String separator) {
    for (int i = 0; i < axes.size(); i++) {
      AxisRefProto axis = axes.get(i);
      out.append(i == 0 ? "" : separator).append('\'');
      out.append(mesh.getAxes((int) axis.getMeshAxisIndex()).getName()).append('\'');
      if (axis.hasSubAxisInfo()) {
        out.append(":(").append(axis.getSubAxisInfo().getPreSize()).append(')');
        out.append(axis.getSubAxisInfo().getSize());
      }
    }
  }

  /** Reads a mesh into {@code mesh} and returns the names of its axes. */
  static List<String> read(TextScanner in, MeshProto.Builder mesh) {
    List<String> names = new ArrayList<>();
    if (in.accept(ONE_DEVICE)) {
      mesh.addDeviceIds(in.integer());
      in.expect("]");
      return names;
    }
    in.expect("mesh[");
    while (!in.accept("]")) {
      String name = in.name();
      names.add(name);
      in.expect("=");
      mesh.addAxesBuilder().setName(name).setSize(in.integer());
      in.accept(",");
    }
    in.accept(",");
    if (!in.accept("device_ids=(")) {
      return names;
    }
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
    return names;
  }

  /** Reads one axis, or a part of one, into {@code axis}. */
  static void axis(TextScanner in, List<String> names, AxisRefProto.Builder axis) {
    String name = in.name();
    if (!names.contains(name)) {
      throw in.error("the mesh has no axis '" + name + "'");
    }
    axis.setMeshAxisIndex(names.indexOf(name));
    if (in.accept(":(")) {
      axis.getSubAxisInfoBuilder().setPreSize(in.integer());
      in.expect(")");
      axis.getSubAxisInfoBuilder().setSize(in.integer());
    }
  }

  /** Reads <code>{'a','b'}</code>; {@code next} gives what an axis is written into. */
  static void axes(TextScanner in, List<String> names, Supplier<AxisRefProto.Builder> next) {
    in.expect("{");
    while (!in.accept("}")) {
      axis(in, names, next.get());
      in.accept(",");
    }
  }
}
