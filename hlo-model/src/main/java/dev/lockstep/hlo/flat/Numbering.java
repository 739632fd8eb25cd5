package dev.lockstep.hlo.flat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.type.Type;
import java.util.List;

/** The numbers that the leaves of a list of values get in a flat list. */
final class Numbering {
  private final ImmutableList<ImmutableList<Leaf>> leaves;
  private final int[] starts;

  private Numbering(ImmutableList<ImmutableList<Leaf>> leaves) {
    this.leaves = leaves;
    this.starts = new int[leaves.size() + 1];
    for (int i = 0; i < leaves.size(); i++) {
      starts[i + 1] = starts[i] + (int) leaves.get(i).stream().filter(Leaf::isKept).count();
    }
  }

  static Numbering of(List<? extends Type> types) {
    ImmutableList.Builder<ImmutableList<Leaf>> out = ImmutableList.builder();
    types.forEach(type -> out.add(Leaf.of(type)));
    return new Numbering(out.build());
  }

  /** Returns the leaves of value {@code index}, tokens included. */
  ImmutableList<Leaf> leaves(int index) {
    return leaves.get(index);
  }

  /** Returns the number of the first kept leaf of value {@code index}. */
  int start(int index) {
    return starts[index];
  }

  /** Returns how many values there are. */
  int values() {
    return leaves.size();
  }

  /** Returns how many leaves are kept. */
  int size() {
    return starts[leaves.size()];
  }

  /** Returns the numbers of the kept leaves of value {@code index} below {@code path}, in order. */
  ImmutableIntArray below(long index, ImmutableList<Long> path) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    if (index >= 0 && index < leaves.size()) {
      int next = starts[(int) index];
      for (Leaf leaf : leaves.get((int) index)) {
        if (leaf.isKept()) {
          if (leaf.isIn(path)) {
            out.add(next);
          }
          next++;
        }
      }
    }
    return out.build();
  }

  /** Returns the types of the kept leaves. */
  ImmutableList<Type> types() {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    leaves.forEach(of -> of.stream().filter(Leaf::isKept).map(Leaf::type).forEach(out::add));
    return out.build();
  }
}
