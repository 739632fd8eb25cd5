package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.Iterator;

/** A value of HLO as StableHLO has it: one value, or for a tuple one for each of its leaves. */
sealed interface Tree {
  /** One value. */
  record Leaf(Value value) implements Tree {}

  /** A tuple. */
  record Node(ImmutableList<Tree> elements) implements Tree {}

  /** Returns the leaves in order. */
  default ImmutableList<Value> leaves() {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    if (this instanceof Leaf leaf) {
      out.add(leaf.value());
    } else if (this instanceof Node node) {
      node.elements().forEach(element -> out.addAll(element.leaves()));
    }
    return out.build();
  }

  /** Returns a tree of the shape of {@code type} whose leaves are {@code values}. */
  static Tree of(Type type, Iterator<Value> values) {
    if (!(type instanceof TupleType)) {
      return new Leaf(values.next());
    }
    ImmutableList.Builder<Tree> out = ImmutableList.builder();
    for (Type element : ((TupleType) type).elements()) {
      out.add(of(element, values));
    }
    return new Node(out.build());
  }

  /** Returns the types of the leaves of {@code type}, without layouts. */
  static ImmutableList<Type> types(Type type) {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    if (type instanceof TupleType) {
      ((TupleType) type).elements().forEach(element -> out.addAll(types(element)));
    } else {
      out.add(type instanceof TensorType ? ((TensorType) type).withLayout(null) : type);
    }
    return out.build();
  }
}
