package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.PrimitiveType;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of arrays that a collective permute sends: text has a list of sizes for each, a proto
 * all sizes in one list, which the shapes of the operands divide.
 */
final class SliceForms {
  private SliceForms() {}

  /** Appends {@code slice_sizes={{1,4},{1,4}}} where {@code proto} is a permute of parts. */
  static void read(
      HloInstructionProto proto,
      ProtoNames names,
      AttributeText out,
      HloInstructionProto.Builder rest) {
    if (!GroupForms.isPaired(proto.getOpcode()) || proto.getOperandIdsCount() != 4) {
      return;
    }
    ShapeProto input = names.proto(proto.getOperandIds(0)).getShape();
    ShapeProto starts = names.proto(proto.getOperandIds(2)).getShape();
    List<Integer> ranks = ranks(input, starts);
    long sum = ranks.stream().mapToLong(Integer::longValue).sum();
    if (sum != proto.getDynamicSliceSizesCount()) {
      return;
    }
    StringBuilder text = new StringBuilder("{");
    int at = 0;
    for (int rank : ranks) {
      text.append(text.length() == 1 ? "{" : ",{");
      MeshForms.list(text, proto.getDynamicSliceSizesList().subList(at, at + rank));
      text.append('}');
      at += rank;
    }
    out.put("slice_sizes", text.append('}').toString());
    rest.clearDynamicSliceSizes();
  }

  /** Returns how many dimensions each part has, given where the parts begin. */
  private static List<Integer> ranks(ShapeProto input, ShapeProto starts) {
    List<Integer> out = new ArrayList<>();
    if (!isTuple(input)) {
      int parts = isTuple(first(starts)) ? starts.getTupleShapesCount() : 1;
      for (int i = 0; i < parts; i++) {
        out.add(input.getDimensionsCount());
      }
      return out;
    }
    boolean single = !isTuple(first(first(starts)));
    for (int i = 0; i < input.getTupleShapesCount(); i++) {
      boolean known = i < starts.getTupleShapesCount();
      int parts = single || !known ? 1 : starts.getTupleShapes(i).getTupleShapesCount();
      for (int j = 0; j < parts; j++) {
        out.add(input.getTupleShapes(i).getDimensionsCount());
      }
    }
    return out;
  }

  private static boolean isTuple(ShapeProto shape) {
    return shape.getElementType() == PrimitiveType.TUPLE;
  }

  private static ShapeProto first(ShapeProto shape) {
    return shape.getTupleShapesCount() > 0
        ? shape.getTupleShapes(0)
        : ShapeProto.getDefaultInstance();
  }

  /** Sets the sizes of {@code out}; returns whether {@code value} has the form of sizes. */
  static boolean write(Attribute value, HloInstructionProto.Builder out) {
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(value);
    if (rows == null) {
      return false;
    }
    rows.forEach(row -> out.addAllDynamicSliceSizes(row.asList()));
    return true;
  }
}
