package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Note;
import dev.lockstep.hlo.diag.Severity;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.RankWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Says why strands that cannot move cannot, or that all is well. */
final class Explanation {
  /** Diagnostic code: ranks wait for each other for ever. */
  static final String STALL = "ranks-stall";

  /** Strands that wait for the same in the same place are told together. */
  private record Place(Operation at, Set<Integer> missing) {}

  private final Simulation simulation;
  private final Decisions decisions;

  Explanation(Simulation simulation, Decisions decisions) {
    this.simulation = simulation;
    this.decisions = decisions;
  }

  /** Returns why the strands do not all come to their ends, or null when they do. */
  @Nullable Failure failure() {
    Simulation.Outsider outsider = simulation.outsider();
    if (outsider != null) {
      return new Failure(
          Failure.Kind.NO_GROUP,
          Diagnostic.error(
              "no-group",
              String.format(
                  "rank %d is in no group of this %s, which gives such a rank nothing",
                  outsider.strand().rank(), outsider.step().site().name()),
              place(outsider.strand(), outsider.step().operation())),
          ImmutableList.of());
    }
    if (simulation.room().unlike() != null) {
      return UnlikeCalls.failure(
          requireNonNull(simulation.room().unlike()), simulation.job().isOneText());
    }
    if (simulation.post().unlike() != null) {
      return UnlikeCalls.failure(requireNonNull(simulation.post().unlike()));
    }
    if (decisions.certain() != null) {
      return decisions.certain();
    }
    TreeMap<Integer, Strand> waiting = new TreeMap<>();
    for (Strand strand : simulation.strands()) {
      if (strand.waiting != null) {
        waiting.put(strand.rank(), strand);
      }
    }
    if (simulation.job().isTooLong()) {
      return tooLong();
    }
    if (waiting.isEmpty()) {
      return leftOver();
    }
    NavigableMap<Integer, Strand> hopeless = hopeless(waiting);
    return hopeless.isEmpty() ? undecided(waiting) : stall(hopeless);
  }

  /** Returns the strands that wait whichever way the open decisions go. */
  private NavigableMap<Integer, Strand> hopeless(NavigableMap<Integer, Strand> waiting) {
    TreeMap<Integer, Strand> left = new TreeMap<>(waiting);
    Set<Integer> open = new TreeSet<>();
    waiting.forEach(
        (rank, strand) -> {
          if (isDecision(strand)) {
            open.add(rank);
            left.remove(rank);
          }
        });
    boolean changed = !open.isEmpty();
    while (changed) {
      changed = false;
      for (Strand strand : new ArrayList<>(left.values())) {
        for (int missing : missing(strand)) {
          if (open.contains(missing)) {
            open.add(strand.rank());
            left.remove(strand.rank());
            changed = true;
            break;
          }
        }
      }
    }
    return left;
  }

  private static boolean isDecision(Strand strand) {
    return strand.waiting instanceof Wait.ForLoop || strand.waiting instanceof Wait.ForBranch;
  }

  private SortedSet<Integer> missing(Strand strand) {
    return requireNonNull(strand.waiting).missing(simulation.job().grid().size());
  }

  /** Returns the operation at which {@code strand} waits. */
  static Operation at(Strand strand) {
    Frame frame = requireNonNull(strand.top);
    return frame.steps.get(frame.position).operation();
  }

  static Location place(Strand strand, Operation operation) {
    return strand.program().in(operation.location());
  }

  private Failure stall(NavigableMap<Integer, Strand> waiting) {
    ImmutableList<Integer> cycle = cycle(waiting);
    Map<Place, List<Strand>> places = new LinkedHashMap<>();
    TreeSet<Integer> ended = new TreeSet<>();
    Strand first = cycle.isEmpty() ? waiting.firstEntry().getValue() : waiting.get(cycle.get(0));
    addPlace(requireNonNull(first), places);
    for (int rank : cycle) {
      addPlace(requireNonNull(waiting.get(rank)), places);
    }
    for (Strand strand : waiting.values()) {
      addPlace(strand, places);
    }
    for (Strand strand : waiting.values()) {
      ended.addAll(missing(strand));
    }
    ended.removeAll(waiting.keySet());
    List<Note> notes = new ArrayList<>();
    places.forEach(
        (place, strands) -> {
          List<Integer> ranks = strands.stream().map(Strand::rank).toList();
          notes.add(
              new Note(
                  String.format(
                      "%s wait%s in %s for %s",
                      RankWords.of(ranks),
                      RankWords.verbEnding(ranks.size()),
                      describe(strands.get(0)),
                      RankWords.of(place.missing())),
                  place(strands.get(0), place.at())));
        });
    for (int rank : ended) {
      Strand strand = strandOf(rank);
      notes.add(
          new Note(
              "rank " + rank + " has ended",
              strand == null
                  ? Location.UNKNOWN
                  : new Location(
                      strand.program().in(strand.program().module().location()).source(), 0, 0)));
    }
    if (!cycle.isEmpty()) {
      notes.add(new Note("they wait in a circle: " + circle(cycle), Location.UNKNOWN));
    }
    String message =
        "the ranks stall: " + notes.get(0).message() + (cycle.isEmpty() ? ", which has ended" : "");
    return new Failure(
        Failure.Kind.STALL,
        new Diagnostic(
            Severity.ERROR,
            STALL,
            message,
            notes.get(0).location(),
            ImmutableList.copyOf(notes.subList(1, notes.size()))),
        cycle);
  }

  private void addPlace(Strand strand, Map<Place, List<Strand>> places) {
    List<Strand> there =
        places.computeIfAbsent(new Place(at(strand), missing(strand)), unused -> new ArrayList<>());
    if (!there.contains(strand)) {
      there.add(strand);
    }
  }

  private @Nullable Strand strandOf(int rank) {
    for (Strand strand : simulation.strands()) {
      if (strand.rank() == rank) {
        return strand;
      }
    }
    return null;
  }

  static String circle(List<Integer> cycle) {
    StringBuilder out = new StringBuilder();
    cycle.forEach(rank -> out.append(rank).append(" -> "));
    return out.append(cycle.get(0)).toString();
  }

  /** Returns ranks that wait in a circle; empty when one of them waits for a rank that ended. */
  private ImmutableList<Integer> cycle(NavigableMap<Integer, Strand> waiting) {
    for (int start : waiting.keySet()) {
      List<Integer> path = new ArrayList<>();
      Integer at = start;
      while (at != null && !path.contains(at)) {
        path.add(at);
        Strand strand = requireNonNull(waiting.get(at));
        at = missing(strand).stream().filter(waiting::containsKey).findFirst().orElse(null);
      }
      if (at != null) {
        return ImmutableList.copyOf(path.subList(path.indexOf(at), path.size()));
      }
    }
    return ImmutableList.of();
  }

  /** Returns what {@code strand} waits in, in words. */
  private static String describe(Strand strand) {
    Wait wait = requireNonNull(strand.waiting);
    if (wait instanceof Wait.ForMeeting) {
      Meeting meeting = ((Wait.ForMeeting) wait).meeting();
      for (Meeting.Arrival arrival : meeting.arrivals) {
        if (arrival.strand() == strand) {
          return String.format(
              "this %s, number %d of the group %s,",
              arrival.step().site().name(),
              meeting.number + 1,
              RankWords.group(meeting.members.asList()));
        }
      }
    }
    if (wait instanceof Wait.ForMessages) {
      Letter letter = ((Wait.ForMessages) wait).letters().get(0);
      return String.format(
          "this %s, %s %d,",
          letter.step.site().name(),
          letter.transfer.group().isEmpty() ? "channel" : "tag",
          letter.transfer.tag());
    }
    return "this " + at(strand).def().name();
  }

  /** Returns what is left when all strands have ended: messages and meetings that nobody ended. */
  private @Nullable Failure leftOver() {
    List<Letter> unreceived = simulation.post().unreceived();
    if (!unreceived.isEmpty()) {
      Letter letter = unreceived.get(0);
      Diagnostic diagnostic =
          Diagnostic.error(
              STALL,
              String.format(
                  "rank %d sends on %s %d to %s, which never receives",
                  letter.transfer.rank(),
                  letter.transfer.group().isEmpty() ? "channel" : "tag",
                  letter.transfer.tag(),
                  letter.transfer.peer() < 0 ? "somebody" : "rank " + letter.transfer.peer()),
              place(letter.strand, letter.step.operation()));
      return new Failure(Failure.Kind.STALL, diagnostic, ImmutableList.of());
    }
    Meeting open = simulation.room().open();
    if (open == null) {
      return null;
    }
    Meeting.Arrival arrival = open.arrivals.get(0);
    Diagnostic diagnostic =
        Diagnostic.error(
            STALL,
            String.format(
                "rank %d starts this %s of the group %s, to which %s never come%s",
                arrival.strand().rank(),
                arrival.step().site().name(),
                RankWords.group(open.members.asList()),
                RankWords.of(open.absent()),
                RankWords.verbEnding(open.absent().size())),
            place(arrival.strand(), arrival.step().operation()));
    return new Failure(Failure.Kind.STALL, diagnostic, ImmutableList.of());
  }

  private Failure undecided(NavigableMap<Integer, Strand> waiting) {
    Failure found = null;
    Failure plain = null;
    for (Strand strand : waiting.values()) {
      if (isDecision(strand)) {
        found = found == null ? decisions.failure(strand) : found;
        plain = plain == null ? Undecided.of(strand, sym(strand), null) : plain;
      }
    }
    found = found == null ? plain : found;
    Failure failure = requireNonNull(found);
    Diagnostic diagnostic = failure.diagnostic();
    for (Strand strand : waiting.values()) {
      if (!isDecision(strand)) {
        diagnostic =
            diagnostic.withNote(
                String.format(
                    "rank %d waits in %s for %s",
                    strand.rank(), describe(strand), RankWords.of(missing(strand))),
                place(strand, at(strand)));
        break;
      }
    }
    return new Failure(failure.kind(), diagnostic, failure.cycle());
  }

  private static Sym sym(Strand strand) {
    return strand.waiting instanceof Wait.ForLoop
        ? ((Wait.ForLoop) strand.waiting).condition()
        : ((Wait.ForBranch) requireNonNull(strand.waiting)).selector();
  }

  private Failure tooLong() {
    Strand strand = simulation.strands().get(0);
    for (Strand other : simulation.strands()) {
      strand = strand.isFinished() ? other : strand;
    }
    return new Failure(
        Failure.Kind.TOO_LONG,
        Diagnostic.error(
            "ranks-too-long",
            "cannot tell whether the ranks meet: their loops must be followed round by round, and"
                + " have too many rounds",
            strand.program().in(strand.program().module().location())),
        ImmutableList.of());
  }
}
