package dev.lockstep.pass.region.diff;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.RankWords;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.shards.UnevenShards;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the author of a model can do about programs that differ, in words. */
final class Suggestions {
  private static final int SHOWN = 4;

  private final RankPrograms programs;
  private final Map<DifferenceKind, TreeSet<Integer>> ranks = new EnumMap<>(DifferenceKind.class);
  private final Map<DifferenceKind, Set<String>> what = new EnumMap<>(DifferenceKind.class);
  private final Map<DifferenceKind, List<DiffReport.Varying>> varying =
      new EnumMap<>(DifferenceKind.class);

  private Suggestions(RankPrograms programs) {
    this.programs = programs;
  }

  static ImmutableList<String> of(
      RankPrograms programs, List<DiffReport.ClassDiff> others, List<DiffReport.Varying> varying) {
    Suggestions suggestions = new Suggestions(programs);
    for (DiffReport.ClassDiff each : others) {
      for (Difference difference : each.differences()) {
        suggestions
            .ranks
            .computeIfAbsent(difference.kind(), unused -> new TreeSet<>())
            .addAll(each.ranks().ranks());
        suggestions
            .what
            .computeIfAbsent(difference.kind(), unused -> new LinkedHashSet<>())
            .add(difference.what());
      }
    }
    for (DiffReport.Varying each : varying) {
      suggestions
          .varying
          .computeIfAbsent(each.first().kind(), unused -> new ArrayList<>())
          .add(each);
    }
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (DifferenceKind kind : suggestions.ranks.keySet()) {
      suggestions.add(kind, out);
    }
    return out.build();
  }

  private void add(DifferenceKind kind, ImmutableList.Builder<String> out) {
    TreeSet<Integer> concerned = ranks.getOrDefault(kind, new TreeSet<>());
    String who = RankWords.of(concerned);
    boolean one = concerned.size() == 1;
    switch (kind) {
      case LITERAL ->
          out.add(
              "a number is written into the program of each rank"
                  + formulas(kind)
                  + "; pass it in as a buffer or compute it from the rank when the program runs;"
                  + " 'lockstep diff --repair' makes it a table that all ranks share");
      case ATTRIBUTE ->
          out.add(
              "an attribute depends on the rank"
                  + formulas(kind)
                  + "; use an operation that takes it as a value (dynamic slice, update or pad);"
                  + " 'lockstep diff --repair' does that where one says the same");
      case GROUP ->
          out.add(
              "ranks name different process groups for the same call; that is right when each"
                  + " group's members agree, which 'lockstep verify --ranks' proves; with the"
                  + " groups of all ranks listed the programs become equal");
      case SHAPE -> shapes(out);
      case TYPE ->
          out.add(
              who
                  + (one ? " computes" : " compute")
                  + " in other element types: look for autocast, a flag or a checkpoint"
                  + " that not all ranks use");
      case ORDER ->
          out.add(
              who
                  + (one ? " runs" : " run")
                  + " the same operations in another order; calls of a group pair by order, so"
                  + " iterate over lists, never over sets or dictionaries that ranks fill"
                  + " differently");
      case EXTRA_OP ->
          out.add(
              who
                  + (one ? " computes" : " compute")
                  + " more than the others ("
                  + names(kind)
                  + "): look for 'if rank == ...' in the model; 'lockstep split' keeps what is"
                  + " common whole");
      case MISSING_OP ->
          out.add(
              who
                  + (one ? " leaves" : " leave")
                  + " out what the others compute ("
                  + names(kind)
                  + "): look for 'if rank == ...' in the model, or results that are not used"
                  + " there");
      case EXTRA_COLLECTIVE ->
          out.add(
              who
                  + (one ? " calls" : " call")
                  + " collectives that the others do not ("
                  + names(kind)
                  + "); unless all members of their group do, the job stalls: see 'lockstep verify"
                  + " --ranks'");
      case MISSING_COLLECTIVE ->
          out.add(
              who
                  + (one ? " does" : " do")
                  + " not call collectives that the others do ("
                  + names(kind)
                  + "); unless its group is another, the job stalls: see 'lockstep verify"
                  + " --ranks'");
      case OPERAND ->
          out.add(
              who
                  + (one ? " feeds" : " feed")
                  + " an operation with another value than the others do");
      case COMPILE_OPTIONS ->
          out.add(
              "ranks compile with different options ("
                  + names(kind)
                  + "); XLA may order collectives differently for each, so set them alike");
      case PROGRAMS ->
          out.add(
              who
                  + (one ? " runs" : " run")
                  + " another number of programs: look for a graph break or a recompilation on"
                  + " some ranks");
      case SYNTAX -> out.add("the programs are in different formats; translate them to one first");
    }
  }

  private String names(DifferenceKind kind) {
    List<String> all = new ArrayList<>(what.getOrDefault(kind, Set.of()));
    return String.join(", ", all.subList(0, Math.min(SHOWN, all.size())))
        + (all.size() > SHOWN ? ", ..." : "");
  }

  /** Returns the formulas that give what differs, in front of which it says where. */
  private String formulas(DifferenceKind kind) {
    List<String> out = new ArrayList<>();
    for (DiffReport.Varying each : varying.getOrDefault(kind, List.of())) {
      if (!each.formula().isEmpty()) {
        String name = each.first().what().isEmpty() ? "" : each.first().what() + " is ";
        String text = name + each.formula();
        if (!out.contains(text)) {
          out.add(text);
        }
      }
    }
    if (out.isEmpty()) {
      return "";
    }
    return " and looks like an offset of the rank: "
        + String.join("; ", out.subList(0, Math.min(SHOWN, out.size())))
        + (out.size() > SHOWN ? "; ..." : "");
  }

  /** Explains sizes by how a tensor was split, where a rule gives them. */
  private void shapes(ImmutableList.Builder<String> out) {
    List<Module> modules = new ArrayList<>();
    for (int rank = 0; rank < programs.world(); rank++) {
      if (programs.modules(rank).size() == 1) {
        modules.add(programs.modules(rank).get(0));
      }
    }
    boolean explained = false;
    if (modules.size() == programs.world()) {
      for (UnevenShards.Finding finding :
          UnevenShards.find(ProgramClasses.of(modules, programs.grid()))) {
        if (finding.isKnown() && !explained) {
          explained = true;
          out.add(
              "shards are uneven: "
                  + finding.text()
                  + "; pad them to the largest, as 'lockstep diff --repair' does");
        }
      }
    }
    if (!explained) {
      out.add(
          "ranks compute with tensors of different sizes: pad batches or shards to one size, or"
              + " mark the size as dynamic on all ranks");
    }
  }
}
