package dev.lockstep.handshake.coordinator;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator of one job, as a pure state machine: events and the time come in, messages go to
 * a {@link CoordinatorOutput}. It never blocks, reads no clock and is not safe for threads: whoever
 * holds the sockets calls it from one place at a time.
 *
 * <p>A message is heard only on the link that its rank was welcomed on last. What comes on another
 * one is late, and dropped. What breaks the protocol ends the sender's part in the job and nobody
 * else's.
 */
public final class Coordinator {
  private final CoordinatorOptions options;
  private final CoordinatorOutput output;
  private final CoordinatorListener listener;
  private final Definitions definitions;
  private final Admission admission;
  private final Rounds rounds;
  private RankState[] ranks;
  private long nextSilenceCheck;

  /** Starts a job that has not heard of any rank. */
  public Coordinator(
      CoordinatorOptions options, CoordinatorOutput output, CoordinatorListener listener) {
    this.options = options;
    this.output = output;
    this.listener = listener;
    this.ranks = fresh(options.world());
    this.admission = new Admission(options);
    this.definitions = new Definitions(options, listener);
    this.rounds = new Rounds(this, options);
  }

  private static RankState[] fresh(int world) {
    RankState[] ranks = new RankState[world];
    for (int rank = 0; rank < world; rank++) {
      ranks[rank] = new RankState(rank);
    }
    return ranks;
  }

  /** Returns the connection that {@code name} has opened. */
  public Link connected(String name) {
    return new Link(name);
  }

  /** A rank introduces itself on a connection; several may on one. */
  public void hello(Link link, Hello hello, long now) {
    Refusal refusal = admission.check(hello, ranks);
    if (refusal != null) {
      listener.refused(link.name(), hello.rank(), refusal);
      output.refuse(link, hello.rank(), hello.incarnation(), refusal);
      return;
    }
    if (admission.begins(hello)) {
      rounds.over(hello.epoch(), now);
      for (RankState rank : ranks) {
        if (rank.link != null) {
          Refusal over =
              new Refusal(
                  Refusal.Code.STALE_EPOCH, "epoch " + hello.epoch() + " of the job has begun");
          output.refuse(rank.link, rank.rank, rank.incarnation, over);
          rank.link.ranks.remove(rank);
        }
      }
      ranks = fresh(options.world());
      definitions.clear();
      admission.begin(hello);
      listener.epoch(hello.epoch());
    }
    RankState rank = ranks[hello.rank()];
    boolean again = rank.known;
    if (rank.link != null) {
      rank.link.ranks.remove(rank);
    }
    if (rank.lost != null) {
      rank.lost = null;
      definitions.countLost(rank.rank, -1);
    }
    rank.known = true;
    rank.incarnation = hello.incarnation();
    rank.connection = hello.connection();
    rank.link = link;
    rank.heardAt = now;
    rank.progressAt = Math.max(rank.progressAt, now);
    link.ranks.add(rank);
    link.welcomed = true;
    output.welcome(link, hello, rank.nextSequence);
    if (rank.nextSequence < 0) {
      rank.nextSequence = hello.firstSequence();
    }
    listener.joined(rank.rank, hello.epoch(), again);
  }

  /**
   * A connection names a group.
   *
   * @param number must be the number of groups that the connection has named before
   */
  public void defineGroup(Link link, int number, RankList members) {
    breach(link, definitions.group(link, number, members, ranks));
  }

  /**
   * A connection describes a program.
   *
   * @param number must be the number of programs that the connection has described before
   * @param name what people call it
   */
  public void defineProgram(Link link, int number, ProgramSummary program, String name) {
    breach(link, definitions.program(link, number, program, name));
  }

  /** A rank is about to run a program. */
  public void ask(Link link, int rankNumber, Ask ask, long now) {
    RankState rank = speaker(link, rankNumber, now);
    if (rank == null) {
      return;
    }
    if (ask.sequence() < rank.nextSequence) {
      Verdict kept = rank.kept(ask.sequence());
      if (kept != null && ask.mode() == Ask.Mode.ASK) {
        output.answer(link, rankNumber, ask.sequence(), kept);
      }
      return;
    }
    if (ask.sequence() > rank.nextSequence) {
      expel(
          link,
          rank,
          "request " + ask.sequence() + " came where " + rank.nextSequence + " was expected",
          now);
      return;
    }
    if (ask.program() < 0 || ask.program() >= link.programs.size()) {
      expel(link, rank, "program " + ask.program() + " was not described", now);
      return;
    }
    ImmutableList<GroupUse> uses = ask.uses();
    Timeline[] groups = new Timeline[uses.size()];
    for (int i = 0; i < groups.length; i++) {
      int number = uses.get(i).group();
      if (number < 0 || number >= link.groups.size()) {
        expel(link, rank, "group " + number + " was not defined", now);
        return;
      }
      groups[i] = link.groups.get(number);
    }
    ProgramSummary program = link.programs.get(ask.program());
    rank.nextSequence++;
    String wrong =
        Requests.check(
            rankNumber, program.positions(), link.callsByGroup.get(ask.program()), uses, groups);
    if (!wrong.isEmpty()) {
      reject(rank, ask, Reason.MALFORMED, wrong);
      return;
    }
    String gap = Requests.gap(rankNumber, uses, groups);
    if (!gap.isEmpty()) {
      reject(rank, ask, Reason.COUNT_GAP, gap);
      return;
    }
    if (ask.mode() == Ask.Mode.ASK && ++rank.pending > options.mostPending()) {
      expel(link, rank, "more than " + options.mostPending() + " requests are unanswered", now);
      return;
    }
    rounds.join(rank, link, ask, program, groups, now);
  }

  private void reject(RankState rank, Ask ask, Reason reason, String text) {
    Verdict verdict = Verdict.of(VerdictKind.REJECTED, reason, 0, text);
    String peer = rank.link == null ? "" : rank.link.name();
    listener.rejected(peer, rank.rank, ask.sequence(), verdict);
    if (ask.mode() == Ask.Mode.ASK) {
      rank.pending++;
      answer(rank, ask.sequence(), verdict);
    } else {
      notice(rank, verdict);
    }
  }

  /**
   * A rank says that it lives.
   *
   * @param progress a count that rises while the rank gets on with what it does before it asks,
   *     compiling say; rounds wait longer for a rank whose count rises
   * @param doing what it does, for messages
   */
  public void alive(Link link, int rankNumber, long progress, String doing, long now) {
    RankState rank = speaker(link, rankNumber, now);
    if (rank == null) {
      return;
    }
    if (progress > rank.progress) {
      rank.progress = progress;
      rank.progressAt = now;
      rank.doing = doing;
    }
    output.heard(link, rankNumber, rank.nextSequence);
  }

  /** A rank leaves the job in peace. */
  public void leave(Link link, int rankNumber, long now) {
    RankState rank = speaker(link, rankNumber, now);
    if (rank != null) {
      link.ranks.remove(rank);
      rank.link = null;
      lose(rank, Reason.LEFT, now);
    }
  }

  /** An aggregator has lost its own connection to a rank that speaks through it. */
  public void lost(Link link, int rankNumber, long now) {
    RankState rank = speaker(link, rankNumber, now);
    if (rank != null) {
      link.ranks.remove(rank);
      rank.link = null;
      rank.disconnectedAt = now;
      nextSilenceCheck = now;
      listener.disconnected(rank.rank);
    }
  }

  /**
   * A connection has sent what makes no sense: its ranks are not heard on it any more.
   *
   * @param text what was wrong
   */
  public void malformed(Link link, String text, long now) {
    listener.dropped(link.name(), text);
    for (RankState rank : ImmutableList.copyOf(link.ranks)) {
      expel(link, rank, text, now);
    }
  }

  /** A connection is gone. */
  public void disconnected(Link link, long now) {
    for (RankState rank : link.ranks) {
      if (rank.link == link) {
        rank.link = null;
        rank.disconnectedAt = now;
        listener.disconnected(rank.rank);
      }
    }
    link.ranks.clear();
    nextSilenceCheck = now;
    tick(now);
  }

  /**
   * Time has passed.
   *
   * @return when the next call is due, on the clock of {@code now}, if nothing happens before
   */
  public long tick(long now) {
    if (now >= nextSilenceCheck) {
      long next = now + Math.max(1, options.silence().toNanos() / 4);
      for (RankState rank : ranks) {
        if (!rank.known || rank.lost != null) {
          continue;
        }
        if (rank.link == null) {
          long until = rank.disconnectedAt + options.grace().toNanos();
          if (until <= now) {
            lose(rank, Reason.CONNECTION_LOST, now);
          } else {
            next = Math.min(next, until);
          }
        } else if (rank.heardAt + options.silence().toNanos() <= now) {
          rank.link.ranks.remove(rank);
          rank.link = null;
          lose(rank, Reason.SILENT, now);
        }
      }
      nextSilenceCheck = next;
    }
    rounds.expire(now);
    return rounds.open().isEmpty()
        ? nextSilenceCheck
        : Math.min(nextSilenceCheck, rounds.open().first().deadline);
  }

  /**
   * The coordinator itself was not running for a time, as on a machine that was suspended or has
   * too much to do: what came meanwhile was not read yet, and nobody may be held to account for it.
   */
  public void slept(long nanos) {
    for (RankState rank : ranks) {
      rank.heardAt += nanos;
      rank.disconnectedAt += nanos;
    }
    rounds.slept(nanos);
  }

  /** What is going on, for people. */
  public JobStatus status(long now) {
    return JobStatus.of(options, admission.epoch(), ranks, rounds.open(), now);
  }

  private @Nullable RankState speaker(Link link, int rankNumber, long now) {
    RankState rank = rankNumber >= 0 && rankNumber < ranks.length ? ranks[rankNumber] : null;
    if (rank == null || rank.link != link) {
      listener.dropped(link.name(), "rank " + rankNumber + " does not speak on this connection");
      return null;
    }
    rank.heardAt = now;
    return rank;
  }

  /** Ends a connection's part in the job because of what it defined, if anything is wrong. */
  private void breach(Link link, String text) {
    if (text.isEmpty()) {
      return;
    }
    for (RankState rank : ImmutableList.copyOf(link.ranks)) {
      expel(link, rank, text, rank.heardAt);
    }
  }

  private void expel(Link link, RankState rank, String text, long now) {
    Refusal refusal = new Refusal(Refusal.Code.PROTOCOL_ERROR, text);
    listener.refused(link.name(), rank.rank, refusal);
    output.refuse(link, rank.rank, rank.incarnation, refusal);
    link.ranks.remove(rank);
    rank.link = null;
    rank.disconnectedAt = now;
    nextSilenceCheck = now;
  }

  private void lose(RankState rank, Reason why, long now) {
    rank.lost = why;
    definitions.countLost(rank.rank, 1);
    listener.lost(rank.rank, why.name());
    rounds.lost(rank.rank, now);
  }

  RankState rank(int rank) {
    return ranks[rank];
  }

  void answer(RankState rank, long sequence, Verdict verdict) {
    rank.pending--;
    rank.keep(sequence, verdict);
    if (rank.link != null) {
      output.answer(rank.link, rank.rank, sequence, verdict);
    }
  }

  void notice(RankState rank, Verdict verdict) {
    if (rank.link != null) {
      output.notice(rank.link, rank.rank, verdict);
    }
  }

  void noticeOthers(Timeline group, int but, Verdict verdict) {
    for (int i = 0; i < group.members.size(); i++) {
      if (group.members.get(i) != but) {
        notice(ranks[group.members.get(i)], verdict);
      }
    }
  }

  void decided(Round round, Verdict verdict, long now) {
    listener.decided(round.party.members, verdict, now - round.openedAt);
  }

  Verdict lostVerdict(Round round) {
    return Absence.lost(round, ranks);
  }

  String describe(ImmutableIntArray absent) {
    return Absence.describe(absent, ranks);
  }
}
