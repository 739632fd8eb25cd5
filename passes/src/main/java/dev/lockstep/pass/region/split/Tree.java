package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a value consists of, once making tuples and picking from them is looked through. */
sealed interface Tree {
  /** Returns the type of the value. */
  Type type();

  /** Returns element {@code index}, which must be there. */
  Tree element(int index);

  /** Adds the values without elements in this one, in order. */
  void collect(ImmutableList.Builder<Leaf> out);

  /** Returns the values without elements in this one, in order. */
  default ImmutableList<Leaf> leaves() {
    ImmutableList.Builder<Leaf> out = ImmutableList.builder();
    collect(out);
    return out.build();
  }

  /**
   * A value, or a part of one that some operation gives as a tuple. Equal when flow, value and part
   * are.
   *
   * @param flow the program, since a rank may run one program twice
   * @param base an argument, or a result of an operation that is no tuple
   * @param path indices of the part from the outside in; empty for the value itself
   * @param type the type of the part
   */
  record Leaf(Flow flow, Value base, ImmutableList<Integer> path, Type type) implements Tree {
    /** Returns all of {@code value}. */
    static Leaf of(Flow flow, Value value) {
      return new Leaf(flow, value, ImmutableList.of(), value.type());
    }

    @Override
    public Leaf element(int index) {
      return new Leaf(
          flow,
          base,
          ImmutableList.<Integer>builder().addAll(path).add(index).build(),
          ((TupleType) type).elements().get(index));
    }

    /** Returns what this is an element of; fails on a whole value. */
    Leaf parent() {
      Leaf leaf = of(flow, base);
      for (int i = 0; i < path.size() - 1; i++) {
        leaf = leaf.element(path.get(i));
      }
      return leaf;
    }

    boolean isTensor() {
      return type instanceof TensorType;
    }

    boolean isToken() {
      return type instanceof TokenType;
    }

    TensorType tensorType() {
      return (TensorType) type;
    }

    @Override
    public void collect(ImmutableList.Builder<Leaf> out) {
      if (type instanceof TupleType tuple) {
        for (int i = 0; i < tuple.elements().size(); i++) {
          element(i).collect(out);
        }
      } else {
        out.add(this);
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Leaf leaf
          && leaf.flow == flow
          && leaf.base == base
          && leaf.path.equals(path);
    }

    @Override
    public int hashCode() {
      return Objects.hash(System.identityHashCode(base), path);
    }
  }

  /**
   * A tuple that the program makes. Identity is the object.
   *
   * @param elements its elements
   * @param type its type
   * @param origin the operation that makes it
   */
  record Group(ImmutableList<Tree> elements, Type type, Operation origin) implements Tree {
    @Override
    public Tree element(int index) {
      return elements.get(index);
    }

    @Override
    public void collect(ImmutableList.Builder<Leaf> out) {
      elements.forEach(element -> element.collect(out));
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
