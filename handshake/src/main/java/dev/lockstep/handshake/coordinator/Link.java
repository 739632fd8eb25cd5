package dev.lockstep.handshake.coordinator;

import dev.lockstep.handshake.protocol.ProgramSummary;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection, of one rank or of an aggregator that speaks for several, with the tables that its
 * messages refer to by number.
 */
public final class Link {
  private final String name;
  final List<Timeline> groups = new ArrayList<>();
  final List<ProgramSummary> programs = new ArrayList<>();

  /** For each program, how many of its collectives are on each group that it refers to. */
  final List<int[]> callsByGroup = new ArrayList<>();

  final List<String> programNames = new ArrayList<>();

  /** Ranks that speak through this link. */
  final List<RankState> ranks = new ArrayList<>();

  /** Whether any rank was ever let in on this link: before that nothing else is listened to. */
  boolean welcomed;

  /** About how much memory the tables take. */
  long weight;

  Link(String name) {
    this.name = name;
  }

  /** The peer, for messages. */
  public String name() {
    return name;
  }

  /** Whether any rank speaks through this link at present. */
  public boolean speaks() {
    return !ranks.isEmpty();
  }

  /**
   * The only rank that speaks through this link, or -1 if none does.
   *
   * @throws IllegalArgumentException if several do
   */
  public int soleRank() {
    if (ranks.size() > 1) {
      throw new IllegalArgumentException(
          "a request names no rank on a connection of " + ranks.size() + " ranks");
    }
    return ranks.isEmpty() ? -1 : ranks.get(0).rank;
  }

  @Override
  public String toString() {
    return name;
  }
}
