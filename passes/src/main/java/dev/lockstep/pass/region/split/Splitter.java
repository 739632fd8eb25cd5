package dev.lockstep.pass.region.split;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.plan.RankPlans.PlanClass;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.MatchOptions;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.RankMatcher;
import dev.lockstep.pass.region.match.Verdict;
import dev.lockstep.pass.region.split.Cutter.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Cuts the programs of ranks into segments.
 *
 * <p>Collectives keep their program order on every rank. A segment that holds more than one is the
 * same text on all ranks that take part, since compilers reorder independent collectives within a
 * module, and do so alike only in modules that are alike.
 */
public final class Splitter {
  private final PlanMode mode;
  private final Set<Integer> differing;
  private final ImmutableList.Builder<Diagnostic> notes = ImmutableList.builder();

  private Splitter(PlanMode mode, Set<Integer> differing) {
    this.mode = mode;
    this.differing = differing;
  }

  /**
   * Returns the plan of programs that every rank runs, one after the other.
   *
   * @param programs the programs of one rank, which all other ranks run too
   * @param mode how to cut; {@link PlanMode#AUTO} cuts nothing, since nothing differs
   * @throws dev.lockstep.hlo.diag.DiagnosticException if a program cannot be cut
   */
  public static Split ofAll(List<Module> programs, PlanMode mode) {
    return new Splitter(mode, Set.of()).one(programs, style(mode));
  }

  /**
   * Returns the plan that runs programs one after the other, each whole. Nothing is checked: it is
   * right where compilers do not reorder, as on the interpreter.
   */
  public static ExecutionPlan whole(List<Module> programs) {
    return new Splitter(PlanMode.FAT, Set.of())
        .one(programs, Style.AUTO)
        .plans()
        .classes()
        .get(0)
        .plan();
  }

  /**
   * Returns the plan of programs that one rank runs while others run something else that meets
   * them: every collective is a segment by itself, in program order.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if a program cannot be cut
   */
  public static Split alone(List<Module> programs) {
    return new Splitter(PlanMode.SKINNY, Set.of()).one(programs, Style.ALONE);
  }

  /**
   * Returns whether the ranks of {@code programs} meet once they are cut as {@code mode} says: a
   * segment ends only when what it started has ended, so that starts hold a rank up.
   */
  public static MatchReport match(RankPrograms programs, PlanMode mode) {
    boolean cuts = mode == PlanMode.SKINNY || !programs.isOneText();
    return RankMatcher.match(programs, new MatchOptions(false, cuts));
  }

  /**
   * Returns the plans of ranks that may run different programs.
   *
   * @param report what {@link #match} gave: the ranks meet
   * @param differing numbers of regions, counted from 0 between collectives, to be cut apart
   *     although they may be equal
   * @throws dev.lockstep.hlo.diag.DiagnosticException if a program cannot be cut, or the mode is
   *     not safe for programs that differ as these do
   */
  public static Split ofRanks(
      RankPrograms programs, MatchReport report, PlanMode mode, Set<Integer> differing) {
    checkArgument(report.verdict() == Verdict.MEET, "the ranks do not meet");
    return new Splitter(mode, ImmutableSet.copyOf(differing)).ranks(programs);
  }

  private static Style style(PlanMode mode) {
    return mode == PlanMode.SKINNY ? Style.SKINNY : Style.AUTO;
  }

  private static RankCode code(List<Module> programs) {
    return RankCode.of(programs.stream().map(Flow::of).toList());
  }

  private Split one(List<Module> programs, Style style) {
    Family family = Family.of(List.of(code(programs)));
    noteNested(family, style);
    ImmutableList<Piece> pieces = Pieces.of(family, Cutter.cut(family, style, differing));
    ExecutionPlan plan = PlanAssembler.plans(family, pieces, Piece::number).get(0);
    Module first = programs.get(0);
    return new Split(
        RankPlans.ofAll(mode, first.replicas(), first.partitions(), plan), notes.build());
  }

  private Split ranks(RankPrograms programs) {
    Map<Object, List<List<Integer>>> bySites = new LinkedHashMap<>();
    Map<List<Integer>, RankCode> codes = new LinkedHashMap<>();
    Closed closed = new Closed(programs);
    for (List<Integer> members : programs.ranksByModules()) {
      RankCode code = code(programs.modules(members.get(0)));
      codes.put(members, code);
      // The rows of a mesh that run one program each and meet nobody else need no cut for others.
      boolean isApart = mode == PlanMode.AUTO && closed.is(ImmutableSet.copyOf(members));
      Object family = isApart ? members : Family.signature(code);
      bySites.computeIfAbsent(family, key -> new ArrayList<>()).add(members);
    }
    TreeMap<Integer, PlanClass> plans = new TreeMap<>();
    for (List<List<Integer>> members : bySites.values()) {
      Family family = Family.of(members.stream().map(codes::get).toList());
      Set<Integer> ranks = new TreeSet<>();
      members.forEach(ranks::addAll);
      boolean isClosed = closed.is(ranks);
      if (mode == PlanMode.FAT) {
        FatRule.check(family, members, isClosed);
      }
      // Ranks of which others run something else must not leave the order to their compilers.
      Style style = isClosed ? style(mode) : Style.ALONE;
      noteNested(family, style);
      Set<Integer> cut = isClosed && members.size() == 1 ? Set.of() : differing;
      ImmutableList<Piece> pieces = Pieces.of(family, Cutter.cut(family, style, cut));
      ImmutableList<ExecutionPlan> made =
          PlanAssembler.plans(family, pieces, piece -> name(piece, members, programs.world()));
      for (int c = 0; c < made.size(); c++) {
        plans.put(
            members.get(c).get(0),
            new PlanClass(ImmutableSortedSet.copyOf(members.get(c)), made.get(c)));
      }
    }
    return new Split(
        new RankPlans(
            mode,
            OptionalInt.of(programs.grid().replicas()),
            OptionalInt.of(programs.grid().partitions()),
            merged(plans)),
        notes.build());
  }

  /** Ranks whose plans came out equal, since their programs say the same, share one. */
  private static ImmutableList<PlanClass> merged(Map<Integer, PlanClass> plans) {
    Map<ExecutionPlan, List<Integer>> byPlan = new LinkedHashMap<>();
    for (PlanClass each : plans.values()) {
      byPlan.computeIfAbsent(each.plan(), key -> new ArrayList<>()).addAll(each.ranks());
    }
    ImmutableList.Builder<PlanClass> out = ImmutableList.builder();
    byPlan.forEach((plan, ranks) -> out.add(new PlanClass(ImmutableSortedSet.copyOf(ranks), plan)));
    return out.build();
  }

  /** Returns the piece's number, with its first rank where not all ranks share it. */
  private static String name(Piece piece, List<List<Integer>> members, int ranks) {
    int first = ranks;
    int count = 0;
    for (Piece.Member member : piece.members()) {
      List<Integer> of = members.get(member.program());
      first = Math.min(first, of.get(0));
      count += of.size();
    }
    return count == ranks ? piece.number() : piece.number() + ".rank" + first;
  }

  private void noteNested(Family family, Style style) {
    for (Item item : family.items()) {
      if (!item.isNested()) {
        continue;
      }
      boolean differs = style == Style.ALONE || !item.isSame();
      for (int c = 0; c < (item.isSame() ? 1 : family.codes().size()); c++) {
        Operation operation = item.operations(c).get(0);
        Flow flow = item.parts().get(c).get(0).flow();
        ImmutableList<String> names = flow.communication().names(operation);
        Diagnostic note = NestedRule.check(flow, operation, names, differs);
        if (differs || style != Style.AUTO) {
          notes.add(note);
        }
      }
    }
  }
}
