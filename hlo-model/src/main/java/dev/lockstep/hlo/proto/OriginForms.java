package dev.lockstep.hlo.proto;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.proto.xla.OriginalValueElementProto;
import dev.lockstep.hlo.proto.xla.OriginalValueProto;
import dev.lockstep.hlo.text.hlo.HloFragments;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a value comes from: <code>{({"a"}, {"b" {0}}, {})}</code>, a tree of the value's shape, and
 * its leaves in a proto.
 */
final class OriginForms {
  private static final String SYNTHETIC = "[synthetic_call]";

  /** Tuples deeper than this are taken for an attack, not a program. */
  private static final int MAX_DEPTH = 200;

  private OriginForms() {}

  /** Returns {@code proto} as text. */
  static String text(OriginalValueProto proto) {
    StringBuilder out = new StringBuilder("{");
    if (proto.getIsSyntheticCall()) {
      out.append(SYNTHETIC);
    } else {
      append(out, proto.getElementsList(), 0);
    }
    return out.append('}').toString();
  }

  /** Appends the tree of {@code leaves}, which agree in the first {@code depth} indices. */
  private static void append(StringBuilder out, List<OriginalValueElementProto> leaves, int depth) {
    if (leaves.size() == 1 && leaves.get(0).getShapeIndexCount() <= depth) {
      leaf(out.append('{'), leaves.get(0));
      out.append('}');
      return;
    }
    out.append('(');
    int from = 0;
    while (from < leaves.size()) {
      int to = from + 1;
      while (to < leaves.size() && index(leaves, to, depth) == index(leaves, from, depth)) {
        to++;
      }
      out.append(from == 0 ? "" : ", ");
      append(out, leaves.subList(from, to), depth + 1);
      from = to;
    }
    out.append(')');
  }

  private static long index(List<OriginalValueElementProto> leaves, int leaf, int depth) {
    OriginalValueElementProto element = leaves.get(leaf);
    return depth < element.getShapeIndexCount() ? element.getShapeIndex(depth) : -1 - leaf;
  }

  private static void leaf(StringBuilder out, OriginalValueElementProto leaf) {
    if (!leaf.hasOriginalArray()) {
      return;
    }
    HloFragments.quoted(out, Attribute.Str.of(leaf.getOriginalArray().getInstructionName()));
    if (leaf.getOriginalArray().getShapeIndexCount() > 0) {
      MeshForms.list(out.append(" {"), leaf.getOriginalArray().getShapeIndexList());
      out.append('}');
    }
  }

  /** Returns the proto of {@code text}. */
  static OriginalValueProto proto(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    OriginalValueProto.Builder out = OriginalValueProto.newBuilder();
    in.expect("{");
    if (in.accept(SYNTHETIC)) {
      out.setIsSyntheticCall(true);
    } else {
      node(in, new ArrayList<>(), out);
    }
    in.expect("}");
    return out.build();
  }

  private static void node(TextScanner in, List<Long> index, OriginalValueProto.Builder out) {
    if (index.size() > MAX_DEPTH) {
      throw in.error("tuples nest more than " + MAX_DEPTH + " deep");
    }
    if (in.accept("(")) {
      for (long i = 0; !in.accept(")"); i++) {
        index.add(i);
        node(in, index, out);
        index.remove(index.size() - 1);
        in.accept(",");
      }
      return;
    }
    in.expect("{");
    OriginalValueElementProto.Builder leaf = out.addElementsBuilder().addAllShapeIndex(index);
    if (in.peek() == '"') {
      leaf.getOriginalArrayBuilder().setInstructionNameBytes(ProtoStrings.bytes(in.string()));
      if (in.accept("{")) {
        leaf.getOriginalArrayBuilder().addAllShapeIndex(in.integers().asList());
        in.expect("}");
      }
    }
    in.expect("}");
  }
}
