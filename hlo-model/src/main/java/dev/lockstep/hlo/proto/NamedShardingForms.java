package dev.lockstep.hlo.proto;

import dev.lockstep.hlo.proto.xla.AxisRefProto;
import dev.lockstep.hlo.proto.xla.MeshProto;
import dev.lockstep.hlo.proto.xla.NamedShardingProto;
import dev.lockstep.hlo.proto.xla.NamedShardingProto.DimensionSharding;
import java.util.List;

/**
 * Shardings over the axes of a mesh: <code>{mesh['x'=2,'y'=4], [{'x'}, {?}], unreduced={'y'}}
 * </code>.
 *
 * <p>Source: what jaxlib 0.10 reads and prints.
 */
final class NamedShardingForms {
  private NamedShardingForms() {}

  /** Appends {@code sharding} as text. */
  static void append(StringBuilder out, NamedShardingProto sharding) {
    MeshProto mesh = sharding.getMesh();
    out.append('{');
    MeshForms.append(out, mesh);
    boolean noDimensions = sharding.getDimShardingsCount() == 0;
    boolean oneDevice = mesh.getAxesCount() == 0 && mesh.getDeviceIdsCount() == 1;
    if (noDimensions && isAll(sharding.getUnreducedAxesList(), mesh)) {
      out.append(", unreduced");
    } else if (noDimensions && isAll(sharding.getManualAxesList(), mesh)) {
      out.append(", manual");
    } else if (noDimensions && hasNoAxes(sharding)) {
      out.append(oneDevice ? "" : ", replicated");
    } else {
      dimensions(out, sharding);
      axes(out, ", replicated={", mesh, sharding.getReplicatedAxesList());
      axes(out, ", unreduced={", mesh, sharding.getUnreducedAxesList());
      axes(out, ", manual={", mesh, sharding.getManualAxesList());
    }
    if (sharding.getMetadataCount() > 0) {
      out.append(", metadata={");
      for (int i = 0; i < sharding.getMetadataCount(); i++) {
        out.append(i == 0 ? "" : ", ").append(MetadataForms.text(sharding.getMetadata(i)));
      }
      out.append('}');
    }
    out.append('}');
  }

  private static boolean hasNoAxes(NamedShardingProto sharding) {
    return sharding.getReplicatedAxesCount() == 0
        && sharding.getUnreducedAxesCount() == 0
        && sharding.getManualAxesCount() == 0;
  }

  /** Returns whether {@code axes} are the whole mesh, in order. */
  private static boolean isAll(List<AxisRefProto> axes, MeshProto mesh) {
    boolean all = axes.size() == mesh.getAxesCount() && !axes.isEmpty();
    for (int i = 0; all && i < axes.size(); i++) {
      all = axes.get(i).getMeshAxisIndex() == i && !axes.get(i).hasSubAxisInfo();
    }
    return all;
  }

  private static void dimensions(StringBuilder out, NamedShardingProto sharding) {
    out.append(", [");
    for (int i = 0; i < sharding.getDimShardingsCount(); i++) {
      DimensionSharding dimension = sharding.getDimShardings(i);
      out.append(i == 0 ? "{" : ", {");
      MeshForms.axes(out, sharding.getMesh(), dimension.getAxesList(), ", ");
      if (!dimension.getIsClosed()) {
        out.append(dimension.getAxesCount() == 0 ? "?" : ", ?");
      }
      out.append('}');
    }
    out.append(']');
  }

  private static void axes(
      StringBuilder out, String begin, MeshProto mesh, List<AxisRefProto> axes) {
    if (!axes.isEmpty()) {
      MeshForms.axes(out.append(begin), mesh, axes, ", ");
      out.append('}');
    }
  }

  /** Reads a sharding whose opening brace was read, up to the closing one. */
  static NamedShardingProto read(TextScanner in) {
    NamedShardingProto.Builder out = NamedShardingProto.newBuilder();
    List<String> names = MeshForms.read(in, out.getMeshBuilder());
    in.accept(",");
    if (in.accept("[")) {
      while (!in.accept("]")) {
        dimension(in, names, out.addDimShardingsBuilder());
        in.accept(",");
      }
    }
    while (!in.accept("}")) {
      if (in.accept(",")) {
        continue;
      }
      part(in, names, out);
    }
    return out.build();
  }

  private static void dimension(
      TextScanner in, List<String> names, DimensionSharding.Builder dimension) {
    in.expect("{");
    dimension.setIsClosed(true);
    while (!in.accept("}")) {
      if (in.accept("?")) {
        dimension.setIsClosed(false);
      } else {
        MeshForms.axis(in, names, dimension.addAxesBuilder());
      }
      in.accept(",");
    }
  }

  private static void part(TextScanner in, List<String> names, NamedShardingProto.Builder out) {
    String word = in.word();
    boolean some = in.accept("=");
    switch (word) {
      case "replicated" -> {
        if (some) {
          MeshForms.axes(in, names, out::addReplicatedAxesBuilder);
        }
      }
      case "unreduced" -> {
        if (some) {
          MeshForms.axes(in, names, out::addUnreducedAxesBuilder);
        } else {
          for (int i = 0; i < names.size(); i++) {
            out.addUnreducedAxesBuilder().setMeshAxisIndex(i);
          }
        }
      }
      case "manual" -> {
        if (some) {
          MeshForms.axes(in, names, out::addManualAxesBuilder);
        } else {
          for (int i = 0; i < names.size(); i++) {
            out.addManualAxesBuilder().setMeshAxisIndex(i);
          }
        }
      }
      case "metadata" -> out.addAllMetadata(MetadataForms.several(in));
      default -> throw in.error("a sharding has no part '" + word + "' that a proto takes");
    }
  }
}
