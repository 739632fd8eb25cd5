package dev.lockstep.runtime.transport;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Ranks that are threads of one process. A thread uses its own rank's transport. */
public final class LocalNetwork {
  private final ReentrantLock lock = new ReentrantLock();
  private final ImmutableList<Member> members;
  private @Nullable TransportException failure;

  /** Creates a network of {@code size} ranks. */
  public LocalNetwork(int size) {
    checkArgument(size > 0, "%s ranks", size);
    List<Member> all = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      all.add(new Member(rank, lock.newCondition()));
    }
    this.members = ImmutableList.copyOf(all);
  }

  /** Returns the transport of {@code rank}. */
  public Transport transport(int rank) {
    return members.get(rank);
  }

  /** Says that {@code rank} has ended in peace: nothing more comes from it. */
  public void leave(int rank) {
    lock.lock();
    try {
      members.get(rank).ended = true;
      checkStalled();
    } finally {
      lock.unlock();
    }
  }

  /** Says that {@code rank} is lost: all others are told why. */
  public void lose(int rank, String why) {
    lock.lock();
    try {
      fail(new TransportException(TransportException.Kind.LOST, "rank " + rank + " " + why));
    } finally {
      lock.unlock();
    }
  }

  private void fail(TransportException why) {
    if (failure == null) {
      failure = why;
    }
    members.forEach(member -> member.changed.signalAll());
  }

  /** Everybody waits, and nothing is on its way: nothing will ever come. */
  private void checkStalled() {
    StringBuilder words = new StringBuilder();
    for (Member member : members) {
      if (!member.ended && (member.where == null || !member.parcels.isEmpty())) {
        return;
      }
      words.append(words.length() == 0 ? "" : "\n").append("rank ").append(member.rank);
      words.append(member.ended ? " has finished" : " waits in " + member.where);
    }
    if (members.stream().anyMatch(member -> !member.ended)) {
      fail(new TransportException(TransportException.Kind.STALLED, words.toString()));
    }
  }

  private final class Member implements Transport {
    private final int rank;
    private final Condition changed;
    private final ArrayDeque<Parcel> parcels = new ArrayDeque<>();
    private @Nullable String where;
    private boolean ended;

    Member(int rank, Condition changed) {
      this.rank = rank;
      this.changed = changed;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public void send(ImmutableIntArray targets, byte[] bytes) {
      lock.lock();
      try {
        check();
        for (int target : targets.asList()) {
          checkArgument(target != rank, "a rank sends nothing to itself");
          Member to = members.get(target);
          to.parcels.add(new Parcel(rank, bytes.clone()));
          to.changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Parcel receive(String place, ImmutableIntArray missing) {
      lock.lock();
      try {
        where = place;
        while (parcels.isEmpty()) {
          checkStalled();
          check();
          changed.awaitUninterruptibly();
        }
        return parcels.remove();
      } finally {
        where = null;
        lock.unlock();
      }
    }

    private void check() {
      TransportException why = failure;
      if (why != null) {
        throw new TransportException(why.kind(), String.valueOf(why.getMessage()));
      }
    }
  }
}
