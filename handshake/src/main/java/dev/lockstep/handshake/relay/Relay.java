package dev.lockstep.handshake.relay;

import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import dev.lockstep.handshake.relay.RelayOutput.Why;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Passes parcels on between the ranks of one job, as a pure state machine: events and the time come
 * in, messages go to a {@link RelayOutput}. It keeps no parcel but the last part of each sender
 * that a receiver has no room for: the sender's stream rests meanwhile.
 *
 * <p>When a rank is lost or fails, all others are told at once. When every rank waits and nothing
 * is on its way, nothing will ever come, and all are told in what each waits.
 *
 * @param <S> a rank's stream
 */
public final class Relay<S> {
  private static final long NO_EPOCH = -1;

  private final RelayOptions options;
  private final RelayOutput<S> output;
  private Member<S>[] members;
  private long epoch = NO_EPOCH;
  private long begunAt;
  private @Nullable Why over;
  private String overText = "";

  /** A part that waits until all its targets have room. */
  private record Resting(ImmutableIntArray targets, ByteString data, boolean more) {}

  private static final class Member<S> {
    final int rank;
    @Nullable S stream;
    boolean ended;
    long heardAt;

    /** Parcels that were passed on to it. */
    long given;

    /** Where it waits, when it has taken {@link #taken}; null while it does not. */
    @Nullable String where;

    long taken;
    @Nullable Resting resting;

    Member(int rank) {
      this.rank = rank;
    }

    boolean waits() {
      return where != null && taken == given && resting == null;
    }
  }

  /** Starts a relay that has not heard of any rank. */
  public Relay(RelayOptions options, RelayOutput<S> output) {
    this.options = options;
    this.output = output;
    this.members = fresh(options.world());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <S> Member<S>[] fresh(int world) {
    Member<S>[] members = new Member[world];
    for (int rank = 0; rank < world; rank++) {
      members[rank] = new Member<>(rank);
    }
    return members;
  }

  /**
   * A rank introduces itself; its stream then begins with {@link RelayOutput#welcome}, or is over.
   *
   * @return whether it was let in
   */
  public boolean hello(
      S stream, String job, String token, long helloEpoch, int rank, int world, long now) {
    String refusal = refusal(job, token, helloEpoch, rank, world);
    if (refusal.isEmpty() && helloEpoch > epoch && members[rank].stream != null) {
      output.notYet(stream, "rank " + rank + " of epoch " + epoch + " is still connected");
      return false;
    }
    if (!refusal.isEmpty()) {
      output.over(stream, Why.REFUSED, refusal);
      return false;
    }
    if (helloEpoch > epoch) {
      end(Why.LOST, "epoch " + helloEpoch + " of the job has begun");
      members = fresh(options.world());
      epoch = helloEpoch;
      begunAt = now;
      over = null;
    }
    Member<S> member = members[rank];
    member.stream = stream;
    member.heardAt = now;
    output.welcome(stream);
    Why why = over;
    if (why != null) {
      output.over(stream, why, overText);
      return true;
    }
    output.resume(stream);
    pump();
    return true;
  }

  private String refusal(String job, String token, long helloEpoch, int rank, int world) {
    // The token first, and in constant time: who has none learns nothing else about the job.
    if (!MessageDigest.isEqual(
        token.getBytes(StandardCharsets.UTF_8), options.token().getBytes(StandardCharsets.UTF_8))) {
      return "the token is not this job's";
    }
    if (!job.equals(options.job())) {
      return "the job is " + options.job() + ", not " + job;
    }
    if (world != options.world()) {
      return "the rank says the job has " + world + " ranks, here it has " + options.world();
    }
    if (rank < 0 || rank >= world) {
      return "rank " + rank + " is not one of " + world;
    }
    if (helloEpoch < epoch || helloEpoch < 0) {
      return "epoch " + helloEpoch + " is over, the job is in " + epoch;
    }
    if (helloEpoch == epoch && (members[rank].stream != null || members[rank].ended)) {
      return "another process has joined as rank "
          + rank
          + " already; give each its own number, or restart the job with a higher epoch";
    }
    return "";
  }

  /** A rank sends part of a parcel. */
  public void piece(int rank, ImmutableIntArray targets, ByteString data, boolean more, long now) {
    Member<S> member = heard(rank, now);
    for (int target : targets.asList()) {
      if (target < 0 || target >= members.length || target == rank) {
        lose(rank, "has sent something to rank " + target, now);
        return;
      }
    }
    member.resting = new Resting(targets, data, more);
    pump();
  }

  /** A rank waits. */
  public void waits(int rank, long taken, String where, long now) {
    Member<S> member = heard(rank, now);
    member.where = where;
    member.taken = taken;
    resume(member);
    checkStalled();
  }

  /** A rank lives. */
  public void lives(int rank, long now) {
    resume(heard(rank, now));
  }

  /** A rank has ended: in peace, or with words on why it could not go on. */
  public void end(int rank, String failure, long now) {
    Member<S> member = heard(rank, now);
    member.ended = true;
    member.stream = null;
    member.where = null;
    if (!failure.isEmpty()) {
      end(Why.LOST, "rank " + rank + " has failed: " + failure);
    } else {
      pump();
      checkStalled();
    }
  }

  /** A rank's stream is gone. */
  public void disconnected(int rank, S stream, long now) {
    if (stream.equals(members[rank].stream)) {
      members[rank].stream = null;
      lose(rank, "is lost: its connection broke", now);
    }
  }

  /** A rank has sent what makes no sense. */
  public void lose(int rank, String why, long now) {
    Member<S> member = heard(rank, now);
    member.ended = true;
    S stream = member.stream;
    member.stream = null;
    String text = "rank " + rank + " " + why;
    if (stream != null) {
      output.over(stream, Why.REFUSED, text);
    }
    end(Why.LOST, text);
  }

  /** A stream has room again. */
  public void roomAgain() {
    pump();
  }

  /** Time has passed. */
  public void tick(long now) {
    if (epoch == NO_EPOCH || over != null) {
      return;
    }
    long limit = options.silence().toNanos();
    boolean waited = false;
    for (Member<S> member : members) {
      waited |= member.where != null || member.resting != null;
      if (member.stream != null && member.resting == null && now - member.heardAt > limit) {
        lose(
            member.rank,
            "is lost: it has said nothing for " + (now - member.heardAt) / 1_000_000 + " ms",
            now);
        return;
      }
    }
    for (Member<S> member : members) {
      if (waited && member.stream == null && !member.ended && now - begunAt > limit) {
        end(Why.LOST, "rank " + member.rank + " has not come within " + limit / 1_000_000 + " ms");
        return;
      }
    }
  }

  private Member<S> heard(int rank, long now) {
    Member<S> member = members[rank];
    member.heardAt = now;
    return member;
  }

  private void resume(Member<S> member) {
    S stream = member.stream;
    if (stream != null) {
      output.resume(stream);
    }
  }

  /** Passes on what rests and whose targets have room, in the order of ranks. */
  private void pump() {
    for (Member<S> member : members) {
      Resting part = member.resting;
      if (part == null || over != null || !part.targets().stream().allMatch(this::hasRoom)) {
        continue;
      }
      member.resting = null;
      for (int target : part.targets().asList()) {
        Member<S> to = members[target];
        S stream = to.stream;
        if (stream != null) {
          to.given += part.more() ? 0 : 1;
          output.piece(stream, member.rank, part.data(), part.more());
        }
      }
      resume(member);
    }
  }

  /** Who has ended takes nothing; who has not come yet is waited for. */
  private boolean hasRoom(int rank) {
    S stream = members[rank].stream;
    return stream == null ? members[rank].ended : output.hasRoom(stream);
  }

  private void checkStalled() {
    StringBuilder words = new StringBuilder();
    boolean some = false;
    for (Member<S> member : members) {
      if (!member.ended && (member.stream == null || !member.waits())) {
        return;
      }
      some |= !member.ended;
      words.append(words.length() == 0 ? "" : "\n").append("rank ").append(member.rank);
      words.append(member.ended ? " has finished" : " waits in " + member.where);
    }
    if (some) {
      end(Why.STALLED, words.toString());
    }
  }

  private void end(Why why, String text) {
    if (over != null) {
      return;
    }
    over = why;
    overText = text;
    for (Member<S> member : members) {
      member.resting = null;
      S stream = member.stream;
      if (stream != null) {
        output.over(stream, why, text);
      }
    }
  }
}
