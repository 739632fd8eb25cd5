package dev.lockstep.handshake.coordinator;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.protocol.Fingerprint;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankText;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides a round that all participants have come to, at equal positions of every group.
 *
 * <p>Equal programs may run whole. Otherwise every group's members must at least issue alike
 * collectives in one order, or a pairing of unlike calls would compute garbage. Where they do, the
 * programs are cut: around the regions that differ if the collectives are the same for all, at
 * every collective if not.
 */
final class Judge {
  private static final int MOST_CLASSES = 16;

  private Judge() {}

  /** A text, as the first of the ranks that hold it has described it, and these ranks. */
  private static final class Held {
    final ProgramSummary program;
    final ImmutableIntArray.Builder ranks = ImmutableIntArray.builder();

    Held(ProgramSummary program) {
      this.program = program;
    }
  }

  static Verdict judge(Round round) {
    if (round.allSame) {
      return Verdict.of(
          VerdictKind.FAT,
          Reason.SAME_PROGRAM,
          round.id,
          "all of ranks " + round.party.members + " hold the same program");
    }
    Map<Fingerprint, Held> byProgram = new LinkedHashMap<>();
    @Nullable Verdict settled = null;
    boolean settledAlike = true;
    for (int member = 0; member < round.entries.length; member++) {
      Round.Entry entry = Objects.requireNonNull(round.entries[member]);
      byProgram
          .computeIfAbsent(entry.program().whole(), unused -> new Held(entry.program()))
          .ranks
          .add(round.party.members.get(member));
      Verdict already = entry.ask().settled();
      if (already != null) {
        settledAlike &= settled == null || settled.sameOutcome(already);
        settled = settled == null ? already : settled;
      }
    }
    ImmutableList<Verdict.RankClass> classes = classes(byProgram);
    @Nullable Verdict unlike = unlike(round);
    if (unlike != null) {
      // Without classes where some do not wait for this: they will not say what they run.
      return settled != null
          ? unlike
          : new Verdict(
              unlike.kind(), unlike.reason(), unlike.round(), unlike.cut(), classes, unlike.text());
    }
    if (settled != null) {
      return besideSettled(round, byProgram, settled, settledAlike, classes);
    }
    if (byProgram.size() == 1) {
      throw new IllegalStateException("equal open programs are decided without comparing");
    }
    return differing(
        round,
        byProgram.values().stream().map(held -> held.program).collect(toImmutableList()),
        classes);
  }

  private static Verdict besideSettled(
      Round round,
      Map<Fingerprint, Held> byProgram,
      Verdict settled,
      boolean settledAlike,
      ImmutableList<Verdict.RankClass> classes) {
    // Cuts around differences need the programs of all, which those that run already do not show.
    boolean alone = settled.kind() == VerdictKind.FAT || settled.kind() == VerdictKind.SKINNY;
    if (byProgram.size() == 1 && settledAlike && alone) {
      return new Verdict(
          settled.kind(),
          settled.reason(),
          round.id,
          settled.cut(),
          settled.classes(),
          "as agreed before: " + withoutPrefix(settled.text()));
    }
    ImmutableIntArray.Builder again = ImmutableIntArray.builder();
    ImmutableIntArray.Builder eager = ImmutableIntArray.builder();
    for (int member = 0; member < round.entries.length; member++) {
      Verdict already = Objects.requireNonNull(round.entries[member]).ask().settled();
      if (already == null) {
        again.add(round.party.members.get(member));
      } else if (already.reason() == Reason.EAGER) {
        eager.add(round.party.members.get(member));
      }
    }
    ImmutableIntArray outside = eager.build();
    if (!outside.isEmpty()) {
      return new Verdict(
          VerdictKind.SKINNY,
          Reason.EAGER,
          round.id,
          ImmutableIntArray.of(),
          classes,
          "ranks " + RankText.of(outside) + " issue these collectives outside of a program");
    }
    return new Verdict(
        VerdictKind.SKINNY,
        Reason.LONE_RECOMPILE,
        round.id,
        ImmutableIntArray.of(),
        classes,
        "ranks "
            + RankText.of(again.build())
            + " ask about a program here while the other participants run what was agreed before;"
            + " the collectives are alike, so theirs run one by one beside it");
  }

  private static String withoutPrefix(String text) {
    String prefix = "as agreed before: ";
    return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
  }

  private static Verdict differing(
      Round round,
      ImmutableList<ProgramSummary> programs,
      ImmutableList<Verdict.RankClass> classes) {
    ProgramSummary first = programs.get(0);
    boolean literals = true;
    boolean sameCalls = true;
    for (ProgramSummary program : programs) {
      literals &= program.structural().equals(first.structural());
      sameCalls &=
          program.callSignatures().equals(first.callSignatures())
              && program.positions() == first.positions()
              && program.regions().length() == first.regions().length();
    }
    String parts = describe(classes);
    if (literals) {
      return new Verdict(
          VerdictKind.REPAIR,
          Reason.LITERALS_DIFFER,
          round.id,
          ImmutableIntArray.of(),
          classes,
          "the programs differ in literals only: " + parts);
    }
    ImmutableIntArray cut = sameCalls ? differingRegions(programs) : ImmutableIntArray.of();
    if (sameCalls && !cut.isEmpty()) {
      return new Verdict(
          VerdictKind.PARTIAL,
          Reason.REGIONS_DIFFER,
          round.id,
          cut,
          classes,
          "the programs differ in region"
              + (cut.length() == 1 ? " " : "s ")
              + RankText.of(cut)
              + " of "
              + first.regions().length()
              + ": "
              + parts);
    }
    return new Verdict(
        VerdictKind.SKINNY,
        Reason.PROGRAMS_DIFFER,
        round.id,
        ImmutableIntArray.of(),
        classes,
        "the programs differ: " + parts);
  }

  private static ImmutableIntArray differingRegions(ImmutableList<ProgramSummary> programs) {
    ImmutableIntArray.Builder cut = ImmutableIntArray.builder();
    ProgramSummary first = programs.get(0);
    for (int region = 0; region < first.regions().length(); region++) {
      for (ProgramSummary program : programs) {
        if (program.regions().get(region) != first.regions().get(region)) {
          cut.add(region);
          break;
        }
      }
    }
    return cut.build();
  }

  private static ImmutableList<Verdict.RankClass> classes(Map<Fingerprint, Held> byProgram) {
    List<Verdict.RankClass> classes = new ArrayList<>();
    byProgram.forEach(
        (program, held) -> classes.add(new Verdict.RankClass(program, held.ranks.build())));
    classes.sort(
        Comparator.<Verdict.RankClass>comparingInt(one -> -one.ranks().length())
            .thenComparingInt(one -> one.ranks().get(0)));
    return ImmutableList.copyOf(classes.subList(0, Math.min(classes.size(), MOST_CLASSES)));
  }

  private static String describe(ImmutableList<Verdict.RankClass> classes) {
    StringBuilder text = new StringBuilder();
    for (Verdict.RankClass one : classes) {
      text.append(text.isEmpty() ? "" : "; ").append(one);
    }
    return text.toString();
  }

  /** Returns the verdict on the first pairing of unlike collectives, or null if all are alike. */
  private static @Nullable Verdict unlike(Round round) {
    Map<Timeline, Compared> groups = new HashMap<>();
    for (int member = 0; member < round.entries.length; member++) {
      Round.Entry entry = Objects.requireNonNull(round.entries[member]);
      ImmutableList<GroupUse> uses = entry.ask().uses();
      for (int use = 0; use < uses.size(); use++) {
        Timeline group = entry.link().groups.get(uses.get(use).group());
        int rank = round.party.members.get(member);
        Compared before = groups.get(group);
        if (before == null) {
          groups.put(group, new Compared(entry.program(), use, rank));
        } else if (!before.program.sameText(entry.program())) {
          String difference = before.difference(group, entry.program(), use, rank);
          if (!difference.isEmpty()) {
            return Verdict.of(
                VerdictKind.MISMATCH, Reason.UNLIKE_COLLECTIVES, round.id, difference);
          }
        }
      }
    }
    return null;
  }

  /** The first member of a group that was seen, which the others are compared with. */
  private record Compared(ProgramSummary program, int use, int rank) {
    String difference(Timeline group, ProgramSummary other, int otherUse, int otherRank) {
      int mine = 0;
      int theirs = 0;
      for (int position = 0; ; position++) {
        mine = next(program, use, mine);
        theirs = next(other, otherUse, theirs);
        if (mine == program.calls() || theirs == other.calls()) {
          return "";
        }
        if (program.callSignatures().get(mine) != other.callSignatures().get(theirs)) {
          return "collective "
              + position
              + " of the program on group "
              + group.members
              + " is "
              + program.callText(mine)
              + " on rank "
              + rank
              + " and "
              + other.callText(theirs)
              + " on rank "
              + otherRank;
        }
        mine++;
        theirs++;
      }
    }

    private static int next(ProgramSummary program, int use, int from) {
      int call = from;
      while (call < program.calls() && program.callGroups().get(call) != use) {
        call++;
      }
      return call;
    }
  }
}
