package dev.lockstep.handshake.coordinator;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankText;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Brings the requests of ranks together.
 *
 * <p>A request covers a stretch of collectives on each of its groups. Requests that cover the same
 * stretches form a round, which is decided when all participants have come. A request whose stretch
 * overlaps others without being the same, because a rank has cut the same collectives into other
 * programs, breaks the rounds it overlaps: everything in them is answered {@code SKINNY} at once,
 * so that ranks ahead and behind come together where all have passed the stretch (the flush of
 * research/torch_tpu.md 1.6, for any group).
 *
 * <p>All ranks of a round get one and the same verdict, but for a rank whose own collectives turn
 * out to be unlike the others' in a broken round: it is told {@code MISMATCH}, and the others are
 * told of it.
 */
final class Rounds {
  private final Coordinator coordinator;
  private final CoordinatorOptions options;
  private final SortedSet<Round> open = new TreeSet<>();
  private long nextRound;

  Rounds(Coordinator coordinator, CoordinatorOptions options) {
    this.coordinator = coordinator;
    this.options = options;
    this.nextRound = options.firstRound();
  }

  /** Rounds without a verdict, the one that ends first in front. */
  SortedSet<Round> open() {
    return open;
  }

  /**
   * Takes in a request whose groups and counts have been checked.
   *
   * @param timelines the groups of the request's uses
   */
  void join(
      RankState rank, Link link, Ask ask, ProgramSummary program, Timeline[] timelines, long now) {
    ImmutableList<GroupUse> uses = ask.uses();
    Timeline party = timelines[0];
    GroupUse first = uses.get(0);
    @Nullable Block here = party.at(first.before());
    Round round =
        here != null
            ? here.round
            : new Round(nextRound++, party, now, now + options.deadline().toNanos());
    if (here == null) {
      open.add(round);
    }
    int member = party.members.indexOf(rank.rank);
    boolean again = round.has(member);
    boolean conflict = again;
    for (int i = 0; i < timelines.length; i++) {
      conflict |= !enter(timelines[i], round, uses.get(i));
    }
    if (conflict) {
      breakAll(round, timelines, uses, rank, now);
    }
    Verdict own =
        conflict || here != null && here.broken
            ? compareIssued(rank, program, timelines, uses, round)
            : null;
    for (int i = 0; i < timelines.length; i++) {
      timelines[i].cover(timelines[i].members.indexOf(rank.rank), uses.get(i).after());
    }
    // What is decided up to here is told to those that came before; the newcomer is told below,
    // once.
    Verdict known = own != null ? own : round.verdict;
    if (!again) {
      round.add(member, new Round.Entry(ask, program, link));
    }
    if (known != null) {
      tell(rank, ask, known);
    } else if (ask.mode() == Ask.Mode.REPEAT && ask.settled() != null) {
      decide(round, ask.settled(), now);
    } else if (party.lostMembers > 0) {
      decide(round, coordinator.lostVerdict(round), now);
    } else if (round.complete()) {
      decide(round, Judge.judge(round), now);
    } else if (ask.mode() == Ask.Mode.ASK) {
      rank.waits.add(round);
    }
  }

  /** Answers a request, or notifies a rank that asked nothing and must not go on. */
  private void tell(RankState rank, Ask ask, Verdict verdict) {
    if (ask.mode() == Ask.Mode.ASK) {
      coordinator.answer(rank, ask.sequence(), verdict);
    } else if (ask.mode() == Ask.Mode.NOTE && !verdict.kind().runs()) {
      coordinator.notice(rank, verdict);
    }
  }

  /**
   * Puts a request's stretch on a group's timeline; returns whether it agrees with what is there.
   */
  private static boolean enter(Timeline timeline, Round round, GroupUse use) {
    @Nullable Block block = timeline.at(use.before());
    if (block == null) {
      Block opened = timeline.open(round, use.before(), use.after());
      if (opened.end == use.after()) {
        return true;
      }
      timeline.fill(use.before(), use.after());
      return false;
    }
    if (block.round == round
        && !block.broken
        && Timeline.exactly(block, use.before(), use.after())) {
      return true;
    }
    timeline.fill(use.before(), use.after());
    return false;
  }

  /** Breaks every round that a request overlaps, and all their blocks. */
  private void breakAll(
      Round own, Timeline[] timelines, ImmutableList<GroupUse> uses, RankState rank, long now) {
    breakRound(own, rank, timelines[0], uses.get(0), now);
    for (int i = 0; i < timelines.length; i++) {
      List<Block> touched = timelines[i].touched(uses.get(i).before(), uses.get(i).after());
      for (Block block : touched) {
        breakRound(block.round, rank, timelines[i], uses.get(i), now);
      }
    }
  }

  private void breakRound(Round round, RankState rank, Timeline group, GroupUse use, long now) {
    for (Block block : round.blocks) {
      if (!block.broken) {
        block.broken = true;
        issueAll(block, round);
      }
    }
    if (round.verdict == null) {
      decide(
          round,
          Verdict.of(
              VerdictKind.SKINNY,
              Reason.NOT_ALIGNED,
              round.id,
              "rank "
                  + rank.rank
                  + " has collectives "
                  + use.before()
                  + " to "
                  + (use.after() - 1)
                  + " of group "
                  + group.members
                  + " in one program, other ranks cut that stretch differently"),
          now);
    }
  }

  /** Notes, in a block that is broken now, what those that had come issue there. */
  private static void issueAll(Block block, Round round) {
    for (int member = 0; member < round.entries.length; member++) {
      Round.@Nullable Entry entry = round.entries[member];
      if (entry == null) {
        continue;
      }
      int rank = round.party.members.get(member);
      ImmutableList<GroupUse> uses = entry.ask().uses();
      for (int use = 0; use < uses.size(); use++) {
        if (entry.link().groups.get(uses.get(use).group()) == block.timeline) {
          issue(block, entry.program(), use, uses.get(use), rank);
        }
      }
    }
  }

  /** Notes a program's collectives of one group in a block; returns words on the first unlike. */
  private static String issue(
      Block block, ProgramSummary program, int use, GroupUse stretch, int rank) {
    if (use == 0 && program.positions() != program.calls()) {
      // Where this rank's collectives lie among those of others is not known.
      return "";
    }
    long position = stretch.before() - 1;
    for (int call = 0; call < program.calls(); call++) {
      // All collectives of a program take positions on the list of its participants.
      position += use == 0 || program.callGroups().get(call) == use ? 1 : 0;
      if (program.callGroups().get(call) != use) {
        continue;
      }
      if (position >= block.start && position < block.end) {
        Block.Issued mine =
            new Block.Issued(program.callSignatures().get(call), rank, program.callText(call));
        Block.@Nullable Issued other = block.issue(position, mine);
        if (other != null && other.signature() != mine.signature()) {
          return "collective "
              + position
              + " on group "
              + block.timeline.members
              + " is "
              + mine.text()
              + " on rank "
              + rank
              + " and "
              + other.text()
              + " on rank "
              + other.rank();
        }
      }
    }
    return "";
  }

  /**
   * Compares what a rank issues in broken blocks with what others said; null if nothing differs.
   */
  private @Nullable Verdict compareIssued(
      RankState rank,
      ProgramSummary program,
      Timeline[] timelines,
      ImmutableList<GroupUse> uses,
      Round round) {
    for (int i = 0; i < timelines.length; i++) {
      for (Block block : timelines[i].touched(uses.get(i).before(), uses.get(i).after())) {
        String difference = issue(block, program, i, uses.get(i), rank.rank);
        if (!difference.isEmpty()) {
          Verdict mismatch =
              Verdict.of(VerdictKind.MISMATCH, Reason.UNLIKE_COLLECTIVES, round.id, difference);
          coordinator.noticeOthers(timelines[i], rank.rank, mismatch);
          return mismatch;
        }
      }
    }
    return null;
  }

  /** Gives a round its verdict and answers those that wait for it. */
  void decide(Round round, Verdict verdict, long now) {
    open.remove(round);
    round.verdict = verdict;
    coordinator.decided(round, verdict, now);
    for (int member = 0; member < round.entries.length; member++) {
      Round.@Nullable Entry entry = round.entries[member];
      if (entry != null) {
        RankState rank = coordinator.rank(round.party.members.get(member));
        rank.waits.remove(round);
        rank.answeredAt = entry.ask().mode() == Ask.Mode.ASK ? now : rank.answeredAt;
        tell(rank, entry.ask(), verdict);
      }
    }
  }

  /** The time in which nothing was listened to counts for no deadline. */
  void slept(long nanos) {
    ImmutableList<Round> all = ImmutableList.copyOf(open);
    open.clear();
    for (Round round : all) {
      round.deadline += nanos;
      open.add(round);
    }
  }

  /** Ends the rounds whose deadline has passed, but for those whose absent ranks make progress. */
  void expire(long now) {
    while (!open.isEmpty() && open.first().deadline <= now) {
      Round round = open.first();
      open.remove(round);
      Patience patience = Patience.of(round, coordinator, options.deadline().toNanos());
      long extended = Math.min(patience.until(), round.openedAt + limit());
      if (!patience.circle().isEmpty()) {
        open.add(round);
        for (Round stuck : patience.circle()) {
          decide(stuck, crossed(stuck, patience), now);
        }
      } else if (extended > now) {
        round.deadline = extended;
        open.add(round);
      } else {
        decide(
            round,
            Verdict.of(
                VerdictKind.TIMED_OUT,
                Reason.ABSENT,
                round.id,
                "ranks "
                    + RankText.of(round.absent())
                    + " did not ask within "
                    + (now - round.openedAt) / 1_000_000
                    + " ms: "
                    + coordinator.describe(round.absent())),
            now);
      }
    }
  }

  private Verdict crossed(Round round, Patience patience) {
    return Verdict.of(
        VerdictKind.MISMATCH,
        Reason.CROSSED_ORDER,
        round.id,
        "ranks wait for each other in a circle, because they issue collectives in other orders: "
            + patience.text());
  }

  private long limit() {
    return Math.max(options.roundLimit().toNanos(), options.deadline().toNanos());
  }

  /** Ends every open round that waits for, or has heard, a lost rank. */
  void lost(int rank, long now) {
    for (Round round : ImmutableList.copyOf(open)) {
      if (round.party.members.contains(rank)) {
        decide(round, coordinator.lostVerdict(round), now);
      }
    }
  }

  /** Ends every open round because the epoch is over. */
  void over(long epoch, long now) {
    for (Round round : ImmutableList.copyOf(open)) {
      decide(
          round,
          Verdict.of(
              VerdictKind.EPOCH_OVER,
              Reason.RESTARTED,
              round.id,
              "the job goes on in epoch " + epoch),
          now);
    }
  }
}
