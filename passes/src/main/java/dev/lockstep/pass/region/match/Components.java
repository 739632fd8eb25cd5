package dev.lockstep.pass.region.match;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Sets of ranks that talk to each other, directly or through others. */
final class Components {
  private final int[] parent;
  private final int[] size;
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  Components(int world) {
    parent = new int[world];
    size = new int[world];
    for (int rank = 0; rank < world; rank++) {
      parent[rank] = rank;
      size[rank] = 1;
    }
  }

  /** Returns the rank that stands for the set of {@code rank}. */
  int of(int rank) {
    int at = rank;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Returns how many ranks are in the set of {@code rank}. */
  int size(int rank) {
    return size[of(rank)];
  }

  void join(int left, int right) {
    int a = of(left);
    int b = of(right);
    if (a != b) {
      // The lower rank stands for both, so that results do not depend on the order of joining.
      parent[Math.max(a, b)] = Math.min(a, b);
      size[Math.min(a, b)] += size[Math.max(a, b)];
    }
  }

  /** Returns whether {@code group} is seen for the first time. */
  boolean see(Object group) {
    return seen.add(group);
  }
}
