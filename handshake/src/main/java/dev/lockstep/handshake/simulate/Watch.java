package dev.lockstep.handshake.simulate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What must hold in every run, whatever fails: ranks of a round never get verdicts that allow
 * different things; a program is fat only where every participant holds the same at the same
 * position; nobody waits past every deadline.
 */
final class Watch {
  /** A round's limit, a client's patience, grace and the network. */
  private static final long LONGEST_WAIT = Duration.ofMinutes(11).toNanos();

  private final List<String> violations = new ArrayList<>();
  private final Map<Key, Long> counts = new HashMap<>();
  private final Map<Place, Map<Integer, Program>> issued = new HashMap<>();

  /** A rank's count on a list of participants in an epoch. */
  private record Key(long epoch, int rank, RankList participants) {}

  /** Where a program stands on the timeline of its participants. */
  private record Place(long epoch, RankList participants, long before) {}

  void violate(String text) {
    violations.add(text);
  }

  ImmutableList<String> violations() {
    return ImmutableList.copyOf(violations);
  }

  /** A rank has come to a program; returns how many collectives of its participants came before. */
  long issued(long epoch, int rank, Program program) {
    RankList participants = program.groups().get(0);
    Key key = new Key(epoch, rank, participants);
    long before = counts.getOrDefault(key, 0L);
    counts.put(key, before + program.summary().positions());
    issued
        .computeIfAbsent(new Place(epoch, participants, before), unused -> new HashMap<>())
        .put(rank, program);
    return before;
  }

  void check(List<Outcome.Given> given) {
    Map<Long, Outcome.Given> byRound = new HashMap<>();
    Map<Place, Outcome.Given> byPlace = new HashMap<>();
    for (Outcome.Given one : given) {
      if (one.waitedNanos() > LONGEST_WAIT) {
        violate("rank " + one.rank() + " has waited " + Duration.ofNanos(one.waitedNanos()));
      }
      if (!one.local()) {
        checkRound(one, byRound);
        checkPlace(one, byPlace);
        checkFat(one);
      }
    }
  }

  private void checkRound(Outcome.Given one, Map<Long, Outcome.Given> byRound) {
    Verdict verdict = one.verdict();
    if (verdict.round() == 0 || !verdict.kind().runs()) {
      return;
    }
    Outcome.Given other = byRound.putIfAbsent(verdict.round(), one);
    if (other != null && !other.verdict().sameOutcome(verdict)) {
      violate(
          "round "
              + verdict.round()
              + " is "
              + verdict.kind()
              + " for rank "
              + one.rank()
              + " and "
              + other.verdict().kind()
              + " for rank "
              + other.rank());
    }
  }

  /**
   * Participants that come to one place with programs of equally many collectives are of one round,
   * whichever coordinator it was.
   */
  private void checkPlace(Outcome.Given one, Map<Place, Outcome.Given> byPlace) {
    if (!one.verdict().kind().runs() || one.program().summary().positions() == 0) {
      return;
    }
    Place place = new Place(one.epoch(), one.program().groups().get(0), one.before());
    Outcome.Given other = byPlace.putIfAbsent(place, one);
    if (other != null
        && other.program().summary().positions() == one.program().summary().positions()
        && !other.verdict().sameOutcome(one.verdict())) {
      violate(
          "at collective "
              + one.before()
              + " of "
              + place.participants()
              + " rank "
              + one.rank()
              + " is told "
              + one.verdict().kind()
              + " and rank "
              + other.rank()
              + " "
              + other.verdict().kind());
    }
  }

  /**
   * Whoever is told that a program is fat must share it, at its position, with all participants.
   */
  private void checkFat(Outcome.Given one) {
    Program program = one.program();
    if (program.summary().positions() == 0 || one.verdict().kind() != VerdictKind.FAT) {
      return;
    }
    RankList participants = program.groups().get(0);
    Map<Integer, Program> there =
        issued.getOrDefault(new Place(one.epoch(), participants, one.before()), Map.of());
    for (int i = 0; i < participants.size(); i++) {
      Program theirs = there.get(participants.get(i));
      if (theirs == null || !theirs.summary().sameText(program.summary())) {
        violate(
            "rank "
                + one.rank()
                + " is told FAT in step "
                + one.step()
                + " of epoch "
                + one.epoch()
                + ", but rank "
                + participants.get(i)
                + (theirs == null ? " never came there" : " holds " + theirs.name()));
      }
    }
  }
}
