package dev.lockstep.hlo.proto;

import com.google.common.base.Ascii;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.DimLevelType;
import dev.lockstep.hlo.proto.xla.LayoutProto;
import dev.lockstep.hlo.proto.xla.PrimitiveType;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import dev.lockstep.hlo.proto.xla.SplitConfigProto;
import dev.lockstep.hlo.proto.xla.TileProto;
import dev.lockstep.hlo.text.hlo.HloFragments;
import java.util.List;

/**
 * Layouts: {@code {1,0:T(8,128)(2,1)S(5)}} and {@code LayoutProto}.
 *
 * <p>Source: XLA's {@code Layout::Print} and {@code HloParserImpl::ParseLayout}.
 */
final class LayoutForms {
  /** A dimension of a tile that stands for all of the dimension before it, {@code *} in text. */
  private static final long COMBINED = Long.MIN_VALUE;

  private LayoutForms() {}

  /** Appends {@code layout} in braces; nothing for a scalar's plain one. */
  static void append(StringBuilder out, LayoutProto layout) {
    StringBuilder order = new StringBuilder();
    for (long dimension : layout.getMinorToMajorList()) {
      order.append(order.length() == 0 ? "" : ",").append(dimension);
    }
    String extras = extras(layout);
    if (order.length() == 0 && extras.isEmpty()) {
      return;
    }
    out.append('{').append(order);
    if (!extras.isEmpty()) {
      out.append(':').append(extras);
    }
    out.append('}');
  }

  private static String extras(LayoutProto layout) {
    StringBuilder out = new StringBuilder();
    levels(out, layout);
    if (layout.getTilesCount() > 0) {
      out.append('T');
      for (TileProto tile : layout.getTilesList()) {
        out.append('(');
        for (int i = 0; i < tile.getDimensionsCount(); i++) {
          long size = tile.getDimensions(i);
          out.append(i == 0 ? "" : ",").append(size == COMBINED ? "*" : Long.toString(size));
        }
        out.append(')');
      }
    }
    if (layout.getTailPaddingAlignmentInElements() > 1) {
      out.append("L(").append(layout.getTailPaddingAlignmentInElements()).append(')');
    }
    type(out, '#', layout.getIndexPrimitiveType());
    type(out, '*', layout.getPointerPrimitiveType());
    if (layout.getElementSizeInBits() != 0) {
      out.append("E(").append(layout.getElementSizeInBits()).append(')');
    }
    if (layout.getMemorySpace() != 0) {
      out.append("S(").append(layout.getMemorySpace()).append(')');
    }
    if (layout.getSplitConfigsCount() > 0) {
      out.append("SC");
      for (SplitConfigProto split : layout.getSplitConfigsList()) {
        out.append('(').append(split.getDimension()).append(':');
        list(out, split.getSplitIndicesList());
        out.append(')');
      }
    }
    if (layout.hasPhysicalShape()) {
      out.append("P(").append(ShapeForms.text(layout.getPhysicalShape())).append(')');
    }
    if (layout.getDynamicShapeMetadataPrefixBytes() > 0) {
      out.append("M(").append(layout.getDynamicShapeMetadataPrefixBytes()).append(')');
    }
    return out.toString();
  }

  private static void list(StringBuilder out, List<Long> values) {
    for (int i = 0; i < values.size(); i++) {
      out.append(i == 0 ? "" : ",").append(values.get(i));
    }
  }

  private static void type(StringBuilder out, char sign, PrimitiveType type) {
    if (type != PrimitiveType.PRIMITIVE_TYPE_INVALID && type != PrimitiveType.UNRECOGNIZED) {
      out.append(sign).append('(').append(Ascii.toLowerCase(type.name())).append(')');
    }
  }

  private static void levels(StringBuilder out, LayoutProto layout) {
    for (int i = 0; i < layout.getDimLevelTypesCount(); i++) {
      out.append(i == 0 ? "D(" : ",");
      out.append(
          switch (layout.getDimLevelTypes(i)) {
            case DIM_COMPRESSED -> "C";
            case DIM_SINGLETON -> "S";
            case DIM_LOOSE_COMPRESSED -> "H";
            case DIM_DENSE, UNRECOGNIZED -> "D";
          });
      out.append(i < layout.getDimUniqueCount() && !layout.getDimUnique(i) ? "+" : "");
      out.append(i < layout.getDimOrderedCount() && !layout.getDimOrdered(i) ? "~" : "");
    }
    out.append(layout.getDimLevelTypesCount() > 0 ? ")" : "");
  }

  /** Adds to {@code out} what stands after the colon of a layout. */
  static void parse(String extras, Location location, LayoutProto.Builder out) {
    TextScanner in = new TextScanner(extras, location);
    while (!in.atEnd()) {
      if (in.accept("T(")) {
        do {
          tile(in, out);
        } while (in.accept("("));
      } else if (in.accept("L(")) {
        out.setTailPaddingAlignmentInElements(in.integer());
        in.expect(")");
      } else if (in.accept("#(")) {
        out.setIndexPrimitiveType(PrimitiveType.valueOf(Ascii.toUpperCase(in.word())));
        in.expect(")");
      } else if (in.accept("*(")) {
        out.setPointerPrimitiveType(PrimitiveType.valueOf(Ascii.toUpperCase(in.word())));
        in.expect(")");
      } else if (in.accept("E(")) {
        out.setElementSizeInBits(in.integer());
        in.expect(")");
      } else if (in.accept("SC(")) {
        do {
          splits(in, out);
        } while (in.accept("("));
      } else if (in.accept("S(")) {
        out.setMemorySpace(in.integer());
        in.expect(")");
      } else if (in.accept("M(")) {
        out.setDynamicShapeMetadataPrefixBytes(in.integer());
        in.expect(")");
      } else if (in.accept("P(")) {
        ShapeProto physical = ShapeForms.proto(HloFragments.type(in.untilClosed()), location);
        out.setPhysicalShape(physical);
      } else if (in.accept("D(")) {
        do {
          level(in, out);
        } while (in.accept(","));
        in.expect(")");
      } else {
        throw in.error("no such part of a layout");
      }
    }
  }

  private static void tile(TextScanner in, LayoutProto.Builder out) {
    TileProto.Builder tile = TileProto.newBuilder();
    do {
      tile.addDimensions(in.accept("*") ? COMBINED : in.integer());
    } while (in.accept(","));
    in.expect(")");
    out.addTiles(tile);
  }

  private static void splits(TextScanner in, LayoutProto.Builder out) {
    SplitConfigProto.Builder split = SplitConfigProto.newBuilder().setDimension(in.integer());
    in.expect(":");
    ImmutableLongArray indices = in.integers();
    in.expect(")");
    out.addSplitConfigs(split.addAllSplitIndices(indices.asList()));
  }

  private static void level(TextScanner in, LayoutProto.Builder out) {
    if (in.accept("D")) {
      out.addDimLevelTypes(DimLevelType.DIM_DENSE);
    } else if (in.accept("C")) {
      out.addDimLevelTypes(DimLevelType.DIM_COMPRESSED);
    } else if (in.accept("S")) {
      out.addDimLevelTypes(DimLevelType.DIM_SINGLETON);
    } else if (in.accept("H")) {
      out.addDimLevelTypes(DimLevelType.DIM_LOOSE_COMPRESSED);
    } else {
      throw in.error("no such level of a dimension");
    }
    out.addDimUnique(!in.accept("+"));
    out.addDimOrdered(!in.accept("~"));
  }
}
