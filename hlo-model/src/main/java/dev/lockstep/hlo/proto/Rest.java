package dev.lockstep.hlo.proto;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What a proto says and no text does: unknown fields, profiles, fields of other programs. It stands
 * as serialized bytes in an attribute called {@link #NAME}, which the HLO printer leaves out.
 */
final class Rest {
  /** Name of the attribute. */
  static final String NAME = "proto.rest";

  private Rest() {}

  /** Returns the attribute that keeps {@code rest}, or null when nothing is left to keep. */
  static Attribute.@Nullable Str attribute(Message rest) {
    ByteString bytes = pruned(rest).toByteString();
    return bytes.isEmpty()
        ? null
        : new Attribute.Str(bytes.toString(StandardCharsets.ISO_8859_1), true);
  }

  /** Returns {@code message} without messages in it that say nothing. */
  private static Message pruned(Message message) {
    Message.Builder out = message.toBuilder();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isRepeated()) {
                Message inner = pruned((Message) value);
                if (inner.getSerializedSize() == 0) {
                  out.clearField(field);
                } else {
                  out.setField(field, inner);
                }
              }
            });
    return out.build();
  }

  /**
   * Merges what {@code attributes} kept into {@code out}.
   *
   * @throws DiagnosticException if it is no proto
   */
  static void restore(Attributes attributes, Location location, Message.Builder out) {
    Attribute kept = attributes.get(NAME);
    if (kept instanceof Attribute.Str) {
      try {
        out.mergeFrom(ProtoStrings.bytes((Attribute.Str) kept));
      } catch (InvalidProtocolBufferException e) {
        throw DiagnosticException.error(
            "hlo-proto", "what was kept of a proto is damaged: " + e.getMessage(), location);
      }
    }
  }

  /** Returns the unknown fields of {@code shape} and of the shapes and layouts in it, alone. */
  static ShapeProto ofShape(ShapeProto shape) {
    ShapeProto.Builder out = ShapeProto.newBuilder().setUnknownFields(shape.getUnknownFields());
    if (!shape.getLayout().getUnknownFields().asMap().isEmpty()) {
      out.getLayoutBuilder().setUnknownFields(shape.getLayout().getUnknownFields());
    }
    boolean any = false;
    for (ShapeProto element : shape.getTupleShapesList()) {
      ShapeProto inner = ofShape(element);
      out.addTupleShapes(inner);
      any |= inner.getSerializedSize() > 0;
    }
    if (!any) {
      out.clearTupleShapes();
    }
    return out.build();
  }

  /** Returns {@code shape} with the unknown fields that {@code kept} holds, where both agree. */
  static ShapeProto withShape(ShapeProto shape, ShapeProto kept) {
    if (kept.getSerializedSize() == 0) {
      return shape;
    }
    ShapeProto.Builder out = shape.toBuilder().setUnknownFields(kept.getUnknownFields());
    if (kept.hasLayout() && shape.hasLayout()) {
      out.getLayoutBuilder().setUnknownFields(kept.getLayout().getUnknownFields());
    }
    if (kept.getTupleShapesCount() == shape.getTupleShapesCount()) {
      for (int i = 0; i < shape.getTupleShapesCount(); i++) {
        out.setTupleShapes(i, withShape(shape.getTupleShapes(i), kept.getTupleShapes(i)));
      }
    }
    return out.build();
  }
}
