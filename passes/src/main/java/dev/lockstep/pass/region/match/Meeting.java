package dev.lockstep.pass.region.match;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.pass.region.CollectiveSignature;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** One collective of one group: who has come, and with what. */
final class Meeting {
  /**
   * A member that has come.
   *
   * @param strand who
   * @param step where
   * @param signature with what
   */
  record Arrival(Strand strand, Steps.Come step, CollectiveSignature signature) {}

  /** The ranks of the group, ascending. */
  final ImmutableIntArray members;

  /** Which meeting of the group it is, from 0. */
  final int number;

  /** A number that no other meeting of the job has. */
  final long id;

  final List<Arrival> arrivals = new ArrayList<>();

  /** Whether members have come with calls that cannot meet; such a meeting never ends. */
  boolean unlike;

  Meeting(ImmutableIntArray members, int number, long id) {
    this.members = members;
    this.number = number;
    this.id = id;
  }

  boolean isComplete() {
    return !unlike && arrivals.size() == members.length();
  }

  /** Returns the members that have not come. */
  SortedSet<Integer> absent() {
    TreeSet<Integer> out = new TreeSet<>(members.asList());
    arrivals.forEach(arrival -> out.remove(arrival.strand().rank()));
    return out;
  }
}
