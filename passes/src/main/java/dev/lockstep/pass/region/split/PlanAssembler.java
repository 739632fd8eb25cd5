package dev.lockstep.pass.region.split;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.plan.Segment;
import dev.lockstep.pass.region.split.Donations.Donation;
import dev.lockstep.pass.region.split.Piece.Member;
import dev.lockstep.pass.region.split.Piece.Spot;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes segments of pieces and joins them to one plan for each program of a family.
 *
 * <p>An input of a segment is a list of values, one for each program that shares it: wherever the
 * segment uses that input, the programs use these. Two such lists are two inputs as soon as one
 * program tells them apart; the others then pass one value twice.
 */
final class PlanAssembler {
  private final Family family;
  private final ImmutableList<Piece> pieces;
  private final Function<Piece, String> names;
  private final List<PlanNames> programs = new ArrayList<>();

  private PlanAssembler(Family family, ImmutableList<Piece> pieces, Function<Piece, String> names) {
    this.family = family;
    this.pieces = pieces;
    this.names = names;
    for (int c = 0; c < family.codes().size(); c++) {
      programs.add(new PlanNames(family, pieces, c));
    }
  }

  /** Returns the plan of each program of {@code family}; {@code names} gives those of segments. */
  static ImmutableList<ExecutionPlan> plans(
      Family family, ImmutableList<Piece> pieces, Function<Piece, String> names) {
    PlanAssembler assembler = new PlanAssembler(family, pieces, names);
    assembler.pieces.forEach(assembler::add);
    return assembler.programs.stream()
        .map(PlanNames::plan)
        .collect(ImmutableList.toImmutableList());
  }

  private void add(Piece piece) {
    if (!addWhole(piece)) {
      addCut(piece);
    }
  }

  /** Adds a piece that is a whole program, whose text stays as it was given. */
  private boolean addWhole(Piece piece) {
    Member model = piece.model();
    for (Member member : piece.members()) {
      if (!member.isWhole()
          || !programs.get(member.program()).takesArgumentsOnly(member)
          || !WholePrograms.takeAndGiveAlike(model, member)) {
        return false;
      }
    }
    Segment segment =
        SegmentWriter.write(names.apply(piece), SegmentContent.whole(model.flow(), piece.sites()));
    for (Member member : piece.members()) {
      programs.get(member.program()).addWhole(segment, member.flow());
    }
    return true;
  }

  private void addCut(Piece piece) {
    Member model = piece.model();
    int modelIndex = piece.members().indexOf(model);
    Map<List<Leaf>, Integer> inputs = new LinkedHashMap<>();
    IdentityHashMap<Operation, ImmutableList<Integer>> parameters = new IdentityHashMap<>();
    for (int o = 0; o < model.operations().size(); o++) {
      parameters.put(model.operations().get(o), sources(piece, o, inputs));
    }
    TreeSet<Spot> outputs = new TreeSet<>();
    for (Member member : piece.members()) {
      programs.get(member.program()).needed(member).forEach(outputs::add);
    }
    LiveCollectives.keep(piece, model, outputs);
    ImmutableList<Spot> given = ImmutableList.copyOf(outputs);
    ImmutableList<List<Leaf>> taken = ImmutableList.copyOf(inputs.keySet());
    Segment segment =
        SegmentWriter.write(
            names.apply(piece),
            new SegmentContent(
                model.flow(),
                inProgramOrder(model),
                piece.sites(),
                parameters,
                taken.stream()
                    .map(leaves -> leaves.get(modelIndex))
                    .collect(ImmutableList.toImmutableList()),
                given.stream().map(model::leaf).collect(ImmutableList.toImmutableList()),
                donations(piece, taken, given),
                false));
    for (int m = 0; m < piece.members().size(); m++) {
      int member = m;
      Member of = piece.members().get(m);
      programs
          .get(of.program())
          .add(
              segment,
              taken.stream()
                  .map(leaves -> leaves.get(member))
                  .collect(ImmutableList.toImmutableList()),
              given.stream().map(of::leaf).collect(ImmutableList.toImmutableList()));
    }
  }

  /** What was started early is finished where the program finishes it, if that is in here. */
  private static List<Operation> inProgramOrder(Member member) {
    Map<Operation, Integer> order = new IdentityHashMap<>();
    for (Operation operation : member.flow().entry().body().operations()) {
      order.put(operation, order.size());
    }
    List<Operation> out = new ArrayList<>(member.operations());
    out.sort((a, b) -> Integer.compare(requireNonNull(order.get(a)), requireNonNull(order.get(b))));
    return out;
  }

  /** Returns for each use of an operation the number of its input, or -1. */
  private ImmutableList<Integer> sources(
      Piece piece, int operation, Map<List<Leaf>, Integer> inputs) {
    List<ImmutableList<Leaf>> uses = new ArrayList<>();
    for (Member member : piece.members()) {
      uses.add(member.flow().uses(member.operations().get(operation)));
    }
    ImmutableList.Builder<Integer> out = ImmutableList.builder();
    for (int u = 0; u < uses.get(0).size(); u++) {
      ImmutableList.Builder<Leaf> leaves = ImmutableList.builder();
      boolean comesIn = false;
      for (int m = 0; m < uses.size(); m++) {
        Member member = piece.members().get(m);
        Leaf leaf = uses.get(m).get(u);
        leaves.add(leaf);
        comesIn |= comesIn(member, member.operations().get(operation), u, leaf);
      }
      out.add(comesIn ? inputs.computeIfAbsent(leaves.build(), key -> inputs.size()) : -1);
    }
    return out.build();
  }

  private boolean comesIn(Member member, Operation user, int use, Leaf leaf) {
    return leaf.isTensor()
        && member.spot(leaf) == null
        && !family.isRepeated(member.program(), user, use, leaf);
  }

  /** A donated argument goes to its last user, if all programs that share the segment say so. */
  private ImmutableSortedMap<Integer, Donation> donations(
      Piece piece, ImmutableList<List<Leaf>> inputs, ImmutableList<Spot> outputs) {
    ImmutableSortedMap.Builder<Integer, Donation> out = ImmutableSortedMap.naturalOrder();
    for (int i = 0; i < inputs.size(); i++) {
      Donation common = null;
      for (int m = 0; m < piece.members().size(); m++) {
        int member = m;
        Leaf leaf = inputs.get(i).get(m);
        boolean once = inputs.stream().filter(l -> l.get(member).equals(leaf)).count() == 1;
        Donation donation = once ? donation(piece, piece.members().get(m), leaf, outputs) : null;
        if (donation == null) {
          common = null;
          break;
        }
        common =
            common == null || common.equals(donation) ? donation : new Donation(-1, common.kind());
      }
      if (common != null) {
        out.put(i, common);
      }
    }
    return out.build();
  }

  private @Nullable Donation donation(
      Piece piece, Member member, Leaf leaf, ImmutableList<Spot> outputs) {
    Donation donation = programs.get(member.program()).donation(leaf, piece);
    if (donation == null || donation.output() < 0) {
      return donation;
    }
    Leaf result = member.flow().results().get(donation.output());
    Spot spot = member.spot(result);
    return new Donation(spot == null ? -1 : outputs.indexOf(spot), donation.kind());
  }

  /** The names that one program's plan has given, and its steps so far. */
  private static final class PlanNames {
    private final Family family;
    private final ImmutableList<Piece> pieces;
    private final int program;
    private final Map<Leaf, String> named = new HashMap<>();
    private final Map<Leaf, Piece> lastUse = new HashMap<>();
    private final Map<Flow, Donations> donations = new IdentityHashMap<>();
    private final Map<Flow, ImmutableList<String>> wholeResults = new IdentityHashMap<>();
    private final ImmutableList.Builder<PlanValue> arguments = ImmutableList.builder();
    private final ImmutableList.Builder<PlanStep> steps = ImmutableList.builder();
    private int values;

    PlanNames(Family family, ImmutableList<Piece> pieces, int program) {
      this.family = family;
      this.pieces = pieces;
      this.program = program;
      int number = 0;
      for (Flow flow : family.codes().get(program).flows()) {
        donations.put(flow, new Donations(flow));
        for (Leaf leaf : flow.arguments()) {
          if (leaf.isTensor()) {
            String name = "in" + number++;
            named.put(leaf, name);
            arguments.add(new PlanValue(name, leaf.tensorType()));
          }
        }
      }
      for (Piece piece : pieces) {
        Member member = piece.of(program);
        if (member != null) {
          used(member).forEach(leaf -> lastUse.put(leaf, piece));
        }
      }
    }

    /** Returns what comes into {@code member} from elsewhere. */
    private ImmutableList<Leaf> used(Member member) {
      ImmutableList.Builder<Leaf> out = ImmutableList.builder();
      for (Operation operation : member.operations()) {
        ImmutableList<Leaf> uses = member.flow().uses(operation);
        for (int u = 0; u < uses.size(); u++) {
          Leaf leaf = uses.get(u);
          if (leaf.isTensor()
              && member.spot(leaf) == null
              && !family.isRepeated(program, operation, u, leaf)) {
            out.add(leaf);
          }
        }
      }
      return out.build();
    }

    /**
     * Returns whether all that {@code member} uses is given in it or to the program. A constant
     * that differs between programs is neither: an earlier piece gives each program its own.
     */
    boolean takesArgumentsOnly(Member member) {
      return new HashSet<>(member.flow().arguments()).containsAll(used(member));
    }

    /** Returns what {@code member} must give: others use it, or the program gives it back. */
    SortedSet<Spot> needed(Member member) {
      TreeSet<Spot> out = new TreeSet<>();
      for (Piece piece : pieces) {
        Member other = piece.of(program);
        if (other != null && other != member) {
          used(other).forEach(leaf -> addSpot(member, leaf, out));
        }
      }
      member.flow().results().stream()
          .filter(Leaf::isTensor)
          .forEach(leaf -> addSpot(member, leaf, out));
      return out;
    }

    private static void addSpot(Member member, Leaf leaf, Set<Spot> out) {
      Spot spot = member.spot(leaf);
      if (spot != null) {
        out.add(spot);
      }
    }

    @Nullable Donation donation(Leaf leaf, Piece piece) {
      Donations of = donations.get(leaf.flow());
      boolean isLast = lastUse.get(leaf) == piece && !leaf.flow().results().contains(leaf);
      return of == null || !isLast ? null : of.of(leaf);
    }

    void add(Segment segment, List<Leaf> inputs, List<Leaf> outputs) {
      ImmutableList.Builder<String> given = ImmutableList.builder();
      for (Leaf leaf : outputs) {
        String name = "v" + values++;
        named.put(leaf, name);
        given.add(name);
      }
      steps.add(new PlanStep(segment, namesOf(inputs), given.build()));
    }

    void addWhole(Segment segment, Flow flow) {
      ImmutableList.Builder<String> given = ImmutableList.builder();
      for (Leaf leaf : flow.results()) {
        if (leaf.isTensor()) {
          given.add("v" + values++);
        }
      }
      ImmutableList<String> results = given.build();
      wholeResults.put(flow, results);
      steps.add(
          new PlanStep(
              segment,
              namesOf(flow.arguments().stream().filter(Leaf::isTensor).toList()),
              results));
    }

    private ImmutableList<String> namesOf(List<Leaf> leaves) {
      ImmutableList.Builder<String> out = ImmutableList.builder();
      for (Leaf leaf : leaves) {
        String name = named.get(leaf);
        if (name == null) {
          throw new IllegalStateException(leaf.base() + " is used before a segment gives it");
        }
        out.add(name);
      }
      return out.build();
    }

    ExecutionPlan plan() {
      ImmutableList.Builder<String> results = ImmutableList.builder();
      for (Flow flow : family.codes().get(program).flows()) {
        ImmutableList<String> whole = wholeResults.get(flow);
        results.addAll(
            whole != null
                ? whole
                : namesOf(flow.results().stream().filter(Leaf::isTensor).toList()));
      }
      return new ExecutionPlan(arguments.build(), steps.build(), results.build());
    }
  }
}
