package dev.lockstep.hlo.proto;

import com.google.common.base.Ascii;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.OpMetadata;
import dev.lockstep.hlo.proto.xla.OpSharding;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shardings: {@code {devices=[2,4]<=[8] last_tile_dim_replicate}} and {@code OpSharding}.
 *
 * <p>Source: XLA's {@code HloSharding::Print} and {@code HloParserImpl::ParseSingleSharding}.
 */
final class ShardingForms {
  private ShardingForms() {}

  /** Returns {@code sharding} as text, or null when it has a part that has no text form here. */
  static @Nullable String text(OpSharding sharding) {
    StringBuilder out = new StringBuilder();
    return append(out, sharding) ? out.toString() : null;
  }

  private static boolean append(StringBuilder out, OpSharding sharding) {
    if (!sharding.getUnknownFields().asMap().isEmpty()) {
      return false;
    }
    if (sharding.hasNamedSharding()) {
      NamedShardingForms.append(out, sharding.getNamedSharding());
      return true;
    }
    out.append('{');
    switch (sharding.getType()) {
      case TUPLE -> {
        for (int i = 0; i < sharding.getTupleShardingsCount(); i++) {
          out.append(i == 0 ? "" : ", ");
          if (!append(out, sharding.getTupleShardings(i))) {
            return false;
          }
        }
        out.append('}');
        return true;
      }
      case REPLICATED -> out.append("replicated");
      case MAXIMAL -> out.append("maximal device=").append(sharding.getTileAssignmentDevices(0));
      case MANUAL -> out.append("manual");
      case UNKNOWN -> out.append("unknown");
      case UNREDUCED -> out.append("unreduced");
      case OTHER -> tiles(out, sharding);
      case UNRECOGNIZED -> {
        return false;
      }
    }
    if (sharding.getIsShardGroup()) {
      out.append(
          sharding.getShardGroupType() == OpSharding.ShardGroupType.AS
              ? " shard_as "
              : " shard_like ");
      out.append(sharding.getShardGroupId());
    }
    if (sharding.getMetadataCount() == 1) {
      out.append(" metadata=").append(MetadataForms.text(sharding.getMetadata(0)));
    } else if (sharding.getMetadataCount() > 1) {
      String separator = " metadata={";
      for (OpMetadata metadata : sharding.getMetadataList()) {
        out.append(separator).append(MetadataForms.text(metadata));
        separator = ", ";
      }
      out.append('}');
    }
    out.append('}');
    return true;
  }

  private static void tiles(StringBuilder out, OpSharding sharding) {
    out.append("devices=[");
    list(out, sharding.getTileAssignmentDimensionsList());
    out.append(']');
    if (sharding.getIotaReshapeDimsCount() > 0) {
      out.append("<=[");
      list(out, sharding.getIotaReshapeDimsList());
      out.append(']');
      if (sharding.getIotaTransposePermCount() > 1) {
        out.append("T(");
        list(out, sharding.getIotaTransposePermList());
        out.append(')');
      }
    } else {
      list(out, sharding.getTileAssignmentDevicesList());
    }
    if (sharding.getReplicateOnLastTileDim()) {
      out.append(" last_tile_dim_replicate");
    }
    for (int i = 0; i < sharding.getLastTileDimsCount(); i++) {
      out.append(i == 0 ? " last_tile_dims={" : ", ");
      out.append(Ascii.toLowerCase(sharding.getLastTileDims(i).name()));
      out.append(i == sharding.getLastTileDimsCount() - 1 ? "}" : "");
    }
  }

  private static void list(StringBuilder out, List<? extends Number> values) {
    for (int i = 0; i < values.size(); i++) {
      out.append(i == 0 ? "" : ",").append(values.get(i));
    }
  }

  /** Returns the proto of the sharding {@code text}. */
  static OpSharding proto(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    OpSharding sharding = read(in);
    if (!in.atEnd()) {
      throw in.error("expected the end of the sharding");
    }
    return sharding;
  }

  private static OpSharding read(TextScanner in) {
    in.expect("{");
    OpSharding.Builder out = OpSharding.newBuilder();
    if (in.peek() == '{') {
      out.setType(OpSharding.Type.TUPLE);
      do {
        out.addTupleShardings(read(in));
      } while (in.accept(","));
      in.expect("}");
      return out.build();
    }
    if (in.accept("}")) {
      return out.setType(OpSharding.Type.TUPLE).build();
    }
    if (in.atWord("mesh") || in.atWord("maximal_mesh")) {
      return out.setNamedSharding(NamedShardingForms.read(in)).build();
    }
    while (!in.accept("}")) {
      part(in, out);
    }
    return out.build();
  }

  private static void part(TextScanner in, OpSharding.Builder out) {
    if (in.accept("devices=[")) {
      tileAssignment(in, out);
    } else if (in.accept("metadata=")) {
      out.addAllMetadata(MetadataForms.several(in));
    } else if (in.accept("last_tile_dims={")) {
      do {
        out.addLastTileDims(OpSharding.Type.valueOf(Ascii.toUpperCase(in.word())));
      } while (in.accept(","));
      in.expect("}");
    } else if (in.accept("device=")) {
      out.addTileAssignmentDimensions(1).addTileAssignmentDevices(in.integer());
    } else {
      String word = in.word();
      switch (word) {
        case "replicated", "maximal", "manual", "unknown", "unreduced" ->
            out.setType(OpSharding.Type.valueOf(Ascii.toUpperCase(word)));
        case "last_tile_dim_replicate" -> out.setReplicateOnLastTileDim(true);
        case "shard_as", "shard_like" ->
            out.setIsShardGroup(true)
                .setShardGroupId(in.integer())
                .setShardGroupType(
                    word.equals("shard_as")
                        ? OpSharding.ShardGroupType.AS
                        : OpSharding.ShardGroupType.LIKE);
        default -> throw in.error("a sharding has no part '" + word + "' that a proto takes");
      }
    }
  }

  private static void tileAssignment(TextScanner in, OpSharding.Builder out) {
    out.setType(OpSharding.Type.OTHER);
    out.addAllTileAssignmentDimensions(in.integers().asList());
    in.expect("]");
    if (!in.accept("<=[")) {
      out.addAllTileAssignmentDevices(in.integers().asList());
      return;
    }
    ImmutableLongArray reshape = in.integers();
    in.expect("]");
    out.addAllIotaReshapeDims(reshape.asList());
    if (in.accept("T(")) {
      for (long dimension : in.integers().asList()) {
        out.addIotaTransposePerm((int) dimension);
      }
      in.expect(")");
    } else {
      for (int i = 0; i < reshape.length(); i++) {
        out.addIotaTransposePerm(i);
      }
    }
  }
}
