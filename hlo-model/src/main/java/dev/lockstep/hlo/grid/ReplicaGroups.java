package dev.lockstep.hlo.grid;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Groups of ids as a program writes them; what the ids mean is {@link GroupMode}'s business.
 *
 * <p>The written form is kept, because XLA prints back the form it read.
 */
public sealed interface ReplicaGroups {

  /** Returns the groups with padding (-1) left out; empty when none were written, meaning all. */
  ImmutableList<ImmutableLongArray> lists();

  /**
   * {@code {{0,1},{2,3}}}, or a dense tensor.
   *
   * @param lists the groups
   */
  record Lists(ImmutableList<ImmutableLongArray> lists) implements ReplicaGroups {
    /** No groups: everybody is one group. */
    public static final Lists ALL = new Lists(ImmutableList.of());
  }

  /**
   * {@code [2,4]<=[4,2]T(1,0)}: an iota over {@code reshape} dimensions, transposed, cut in rows.
   *
   * @param groupCount number of groups
   * @param groupSize members of each
   * @param reshape dimensions of the iota
   * @param transpose permutation of the dimensions, or null when it is the identity
   */
  record Iota(
      long groupCount,
      long groupSize,
      ImmutableLongArray reshape,
      @Nullable ImmutableLongArray transpose)
      implements ReplicaGroups {
    @Override
    public ImmutableList<ImmutableLongArray> lists() {
      return IotaTiles.groups(groupCount, groupSize, reshape, transpose);
    }
  }

  /**
   * {@code mesh['a'=2,'b'=2] {'a'}}: groups along axes of a mesh.
   *
   * @param text the form as written
   * @param lists the groups it stands for
   */
  record Mesh(String text, ImmutableList<ImmutableLongArray> lists) implements ReplicaGroups {}
}
