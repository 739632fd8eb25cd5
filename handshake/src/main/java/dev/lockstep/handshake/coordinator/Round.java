package dev.lockstep.handshake.coordinator;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The participants of one program at one position, what they brought, and what was decided. */
final class Round implements Comparable<Round> {
  final long id;
  final Timeline party;
  final long openedAt;
  long deadline;

  /** Blocks of all groups that wait for this round's programs. */
  final List<Block> blocks = new ArrayList<>(2);

  /** What each participant brought; null where it has not come. */
  final @Nullable Entry[] entries;

  int present;

  /** Whether all that came brought one text and want an answer. */
  boolean allSame = true;

  private @Nullable ProgramSummary first;

  /** Null while the round is open. */
  @Nullable Verdict verdict;

  /** One participant's part. */
  record Entry(Ask ask, ProgramSummary program, Link link) {}

  Round(long id, Timeline party, long openedAt, long deadline) {
    this.id = id;
    this.party = party;
    this.openedAt = openedAt;
    this.deadline = deadline;
    this.entries = new @Nullable Entry[party.members.size()];
  }

  /** Whether a participant has come. */
  boolean has(int member) {
    return entries[member] != null;
  }

  void add(int member, Entry entry) {
    entries[member] = entry;
    present++;
    if (first == null) {
      first = entry.program();
    }
    allSame = allSame && first.sameText(entry.program()) && entry.ask().mode() == Ask.Mode.ASK;
  }

  boolean complete() {
    return present == entries.length;
  }

  /** The participants that have not come. */
  ImmutableIntArray absent() {
    ImmutableIntArray.Builder ranks = ImmutableIntArray.builder();
    for (int member = 0; member < entries.length; member++) {
      if (entries[member] == null) {
        ranks.add(party.members.get(member));
      }
    }
    return ranks.build();
  }

  /** By deadline, then in the order of opening. */
  @Override
  public int compareTo(Round other) {
    int byDeadline = Long.compare(deadline, other.deadline);
    return byDeadline != 0 ? byDeadline : Long.compare(id, other.id);
  }
}
