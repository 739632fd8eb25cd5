package dev.lockstep.hlo.proto;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.LayoutProto;
import dev.lockstep.hlo.proto.xla.PrimitiveType;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import dev.lockstep.hlo.text.hlo.HloFragments;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.FutureType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** Shapes: {@code f32[2,<=3]{1,0}} and {@code ShapeProto}. */
final class ShapeForms {
  private static final ImmutableMap<ElementType, PrimitiveType> PRIMITIVES = primitives();

  private ShapeForms() {}

  private static ImmutableMap<ElementType, PrimitiveType> primitives() {
    ImmutableMap.Builder<ElementType, PrimitiveType> out = ImmutableMap.builder();
    for (ElementType type : ElementType.values()) {
      out.put(type, PrimitiveType.valueOf(Ascii.toUpperCase(type.hloName())));
    }
    return out.buildOrThrow();
  }

  /** Returns the proto's name of {@code type}. */
  static PrimitiveType primitive(ElementType type) {
    PrimitiveType primitive = PRIMITIVES.get(type);
    if (primitive == null) {
      throw new IllegalArgumentException(type + " has no primitive type");
    }
    return primitive;
  }

  /** Returns {@code shape} as text, with layouts where it gives them. */
  static String text(ShapeProto shape) {
    StringBuilder out = new StringBuilder();
    append(out, shape);
    return out.toString();
  }

  private static void append(StringBuilder out, ShapeProto shape) {
    switch (shape.getElementType()) {
      case TUPLE -> {
        out.append('(');
        for (int i = 0; i < shape.getTupleShapesCount(); i++) {
          out.append(i == 0 ? "" : ", ");
          append(out, shape.getTupleShapes(i));
        }
        out.append(')');
      }
      case TOKEN -> out.append("token[]");
      case OPAQUE_TYPE -> out.append("opaque[]");
      case BUFFER -> {
        out.append("b(");
        append(out, shape.getTupleShapes(0));
        out.append(')');
      }
      default -> {
        out.append(Ascii.toLowerCase(name(shape))).append('[');
        for (int i = 0; i < shape.getDimensionsCount(); i++) {
          out.append(i == 0 ? "" : ",");
          long size = shape.getDimensions(i);
          boolean dynamic =
              i < shape.getIsDynamicDimensionCount() && shape.getIsDynamicDimension(i);
          if (size < 0) {
            out.append('?');
          } else {
            out.append(dynamic ? "<=" : "").append(size);
          }
        }
        out.append(']');
        if (shape.hasLayout()) {
          LayoutForms.append(out, shape.getLayout());
        }
      }
    }
  }

  private static String name(ShapeProto shape) {
    PrimitiveType type = shape.getElementType();
    return type == PrimitiveType.UNRECOGNIZED ? "type" + shape.getElementTypeValue() : type.name();
  }

  /** Returns the proto of {@code type}; a tensor without a layout gets the row-major one. */
  static ShapeProto proto(Type type, Location location) {
    return type.accept(new Writer(location));
  }

  private record Writer(Location location) implements Type.Visitor<ShapeProto> {
    @Override
    public ShapeProto tensor(TensorType type) {
      ShapeProto.Builder out = ShapeProto.newBuilder().setElementType(primitive(type.element()));
      ImmutableLongArray bounds = type.bounds();
      for (int i = 0; i < type.rank(); i++) {
        boolean dynamic = type.dim(i) == TensorType.DYNAMIC;
        out.addDimensions(dynamic && bounds != null ? bounds.get(i) : type.dim(i));
        out.addIsDynamicDimension(dynamic);
      }
      Layout layout = type.layout();
      LayoutProto.Builder order = out.getLayoutBuilder().setTailPaddingAlignmentInElements(1);
      if (layout == null || layout.minorToMajor().length() != type.rank()) {
        for (int i = type.rank() - 1; i >= 0; i--) {
          order.addMinorToMajor(i);
        }
      } else {
        ImmutableIntArray minorToMajor = layout.minorToMajor();
        for (int i = 0; i < minorToMajor.length(); i++) {
          order.addMinorToMajor(minorToMajor.get(i));
        }
      }
      if (layout != null && !layout.extras().isEmpty()) {
        LayoutForms.parse(layout.extras(), location, order);
      }
      return out.build();
    }

    @Override
    public ShapeProto tuple(TupleType type) {
      return tuple(type.elements());
    }

    private ShapeProto tuple(Iterable<Type> elements) {
      ShapeProto.Builder out = ShapeProto.newBuilder().setElementType(PrimitiveType.TUPLE);
      for (Type element : elements) {
        out.addTupleShapes(element.accept(this));
      }
      return out.build();
    }

    @Override
    public ShapeProto token(TokenType type) {
      return ShapeProto.newBuilder().setElementType(PrimitiveType.TOKEN).build();
    }

    @Override
    public ShapeProto future(FutureType type) {
      return tuple(type.types());
    }

    @Override
    public ShapeProto function(FunctionType type) {
      throw new IllegalStateException("a value is not a function: " + type);
    }

    @Override
    public ShapeProto opaque(OpaqueType type) {
      String text = type.text();
      if (text.startsWith("b(")) {
        Type inner = HloFragments.type(text.substring(2, text.length() - 1));
        return ShapeProto.newBuilder()
            .setElementType(PrimitiveType.BUFFER)
            .addTupleShapes(inner.accept(this))
            .build();
      }
      if (text.startsWith("s1[") || text.startsWith("u1[")) {
        // Not an element type of ours; its numbers are those of any other.
        ShapeProto like = HloFragments.type("s8" + text.substring(2)).accept(this);
        PrimitiveType bit = text.startsWith("s") ? PrimitiveType.S1 : PrimitiveType.U1;
        return like.toBuilder().setElementType(bit).build();
      }
      return ShapeProto.newBuilder().setElementType(PrimitiveType.OPAQUE_TYPE).build();
    }
  }
}
