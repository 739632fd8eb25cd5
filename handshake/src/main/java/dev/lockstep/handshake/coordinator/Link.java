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
  final List<String> programNames = new ArrayList<>();

  /** Ranks that speak through this link. */
  final List<RankState> ranks = new ArrayList<>();

  boolean open = true;

  Link(String name) {
    this.name = name;
  }

  /** The peer, for messages. */
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
