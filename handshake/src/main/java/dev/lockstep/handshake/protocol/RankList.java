package dev.lockstep.handshake.protocol;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;

/**
 * The members of a process group, or the participants of a program: ranks in rising order, each
 * once, at least one.
 *
 * <p>Messages name a list by {@link #id}; the ranks themselves are sent once a connection.
 */
public final class RankList {
  private final ImmutableIntArray ranks;
  private final long id;

  private RankList(ImmutableIntArray ranks) {
    this.ranks = ranks;
    Hasher hasher = Hashing.murmur3_128().newHasher();
    ranks.forEach(hasher::putInt);
    this.id = hasher.hash().asLong();
  }

  /**
   * Returns the list of {@code ranks}.
   *
   * @throws IllegalArgumentException if there is none, one is negative, or they do not rise
   */
  public static RankList of(int... ranks) {
    return of(ImmutableIntArray.copyOf(ranks));
  }

  /**
   * Returns the list of {@code ranks}.
   *
   * @throws IllegalArgumentException if there is none, one is negative, or they do not rise
   */
  public static RankList of(ImmutableIntArray ranks) {
    if (ranks.isEmpty()) {
      throw new IllegalArgumentException("a process group needs a member");
    }
    int before = -1;
    for (int i = 0; i < ranks.length(); i++) {
      int rank = ranks.get(i);
      if (rank < 0) {
        throw new IllegalArgumentException("rank " + rank + " is negative");
      }
      if (rank == before) {
        throw new IllegalArgumentException("rank " + rank + " stands twice in a process group");
      }
      if (rank < before) {
        throw new IllegalArgumentException(
            "ranks of a process group must rise, but " + rank + " follows " + before);
      }
      before = rank;
    }
    return new RankList(ranks);
  }

  /** Returns the list of 0 to {@code world} - 1. */
  public static RankList world(int world) {
    int[] ranks = new int[world];
    Arrays.setAll(ranks, i -> i);
    return of(ranks);
  }

  /** 64 bits that name this list; different lists have different ids but for hash collisions. */
  public long id() {
    return id;
  }

  /** How many ranks. */
  public int size() {
    return ranks.length();
  }

  /** The {@code index}-th rank. */
  public int get(int index) {
    return ranks.get(index);
  }

  /** The ranks in rising order. */
  public ImmutableIntArray ranks() {
    return ranks;
  }

  /** Where {@code rank} stands, or -1. */
  public int indexOf(int rank) {
    if (ranks.get(ranks.length() - 1) == ranks.length() - 1) {
      return rank >= 0 && rank < ranks.length() ? rank : -1;
    }
    int low = 0;
    int high = ranks.length() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = ranks.get(middle);
      if (found == rank) {
        return middle;
      }
      if (found < rank) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /** Whether {@code rank} is a member. */
  public boolean contains(int rank) {
    return indexOf(rank) >= 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RankList list && ranks.equals(list.ranks);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  /** Ranges where ranks follow each other: {@code [0-3,8]}. */
  @Override
  public String toString() {
    return RankText.of(ranks);
  }
}
