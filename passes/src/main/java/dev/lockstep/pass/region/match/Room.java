package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.pass.region.CollectiveSignature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the members of groups together: the n-th collective of a set of ranks on one member meets
 * the n-th on every other.
 */
final class Room {
  /** The meetings of one set of ranks. */
  private static final class Line {
    final ImmutableIntArray members;
    final int[] sorted;
    final int[] counts;
    final Map<Integer, Meeting> open = new HashMap<>();

    Line(ImmutableIntArray members) {
      this.members = members;
      this.sorted = members.toArray();
      this.counts = new int[members.length()];
    }

    int indexOf(int rank) {
      return Arrays.binarySearch(sorted, rank);
    }
  }

  private final boolean oneText;
  private final LongSupplier ids;
  private final Map<ImmutableIntArray, Line> lines = new HashMap<>();
  private final Map<CollectiveSignature, Line> bySignature = new IdentityHashMap<>();
  private final Map<CollectiveSignature, Map<CollectiveSignature, Boolean>> compared =
      new IdentityHashMap<>();
  private final List<Meeting> unlike = new ArrayList<>();
  private int completed;
  private boolean channelsDiffer;

  /**
   * Creates an empty room.
   *
   * @param oneText whether all ranks run one text, in which only an operation meets itself
   * @param ids gives numbers that no other meeting has
   */
  Room(boolean oneText, LongSupplier ids) {
    this.oneText = oneText;
    this.ids = ids;
  }

  private Line line(CollectiveSignature signature) {
    Line line = bySignature.get(signature);
    if (line == null) {
      line = lines.computeIfAbsent(signature.members(), Line::new);
      bySignature.put(signature, line);
    }
    return line;
  }

  /** Notes that a strand has come to a collective; returns the meeting that it joins. */
  Meeting come(Strand strand, Steps.Come step, CollectiveSignature signature) {
    Line line = line(signature);
    int number = line.counts[line.indexOf(strand.rank())]++;
    Meeting meeting = line.open.get(number);
    if (meeting == null) {
      meeting = new Meeting(line.members, number, ids.getAsLong());
      line.open.put(number, meeting);
    }
    if (!meeting.arrivals.isEmpty()
        && !agree(meeting.arrivals.get(0), step, signature)
        && !meeting.unlike) {
      meeting.unlike = true;
      unlike.add(meeting);
    }
    meeting.arrivals.add(new Meeting.Arrival(strand, step, signature));
    if (meeting.arrivals.size() == line.members.length() && !Counts.agree(meeting)) {
      meeting.unlike = true;
      unlike.add(meeting);
    }
    if (meeting.isComplete()) {
      line.open.remove(number);
      completed++;
    }
    return meeting;
  }

  private boolean agree(Meeting.Arrival first, Steps.Come step, CollectiveSignature signature) {
    if (oneText && first.step().operation() != step.operation()) {
      return false;
    }
    if (first.signature() == signature) {
      return true;
    }
    channelsDiffer |= !first.signature().channel().equals(signature.channel());
    return requireNonNull(
        compared
            .computeIfAbsent(first.signature(), unused -> new IdentityHashMap<>())
            .computeIfAbsent(signature, other -> first.signature().difference(other) == null));
  }

  /** Returns how many meetings are over. */
  int completed() {
    return completed;
  }

  /** Returns how many different sets of ranks have met or tried to. */
  int groups() {
    return lines.size();
  }

  /** Returns whether members of a meeting gave XLA's channels different numbers. */
  boolean channelsDiffer() {
    return channelsDiffer;
  }

  /** Returns the first meeting of calls that cannot meet, or null. */
  @Nullable Meeting unlike() {
    return unlike.isEmpty() ? null : unlike.get(0);
  }

  /** Returns a meeting that waits for members, or null. */
  @Nullable Meeting open() {
    for (Line line : lines.values()) {
      for (Meeting meeting : line.open.values()) {
        return meeting;
      }
    }
    return null;
  }

  /**
   * Returns whether the members of a set that met in {@code inner} have come to different numbers
   * of meetings of that set here.
   */
  boolean isBusyFor(Room inner) {
    for (ImmutableIntArray members : inner.lines.keySet()) {
      Line line = lines.get(members);
      if (line != null && Arrays.stream(line.counts).distinct().count() > 1) {
        return true;
      }
    }
    return false;
  }

  /** Adds the members of the group of {@code signature} to {@code ranks}. */
  void join(int rank, CollectiveSignature signature, Components ranks) {
    Line line = line(signature);
    if (ranks.see(line)) {
      for (int i = 0; i < line.members.length(); i++) {
        ranks.join(rank, line.members.get(i));
      }
    } else {
      ranks.join(rank, line.members.get(0));
    }
  }
}
