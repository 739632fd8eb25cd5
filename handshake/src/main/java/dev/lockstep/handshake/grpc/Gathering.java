package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.wire.Ask;
import dev.lockstep.handshake.wire.ClientMessage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What goes up from an aggregator with its next frame, and the tables of the stream it goes on. */
final class Gathering {
  private final Map<RankList, Integer> groups = new HashMap<>();
  private final Map<ProgramSummary, Integer> programs = new HashMap<>();

  /** Requests that have not gone up yet: what is equal but for the ranks, and the ranks. */
  private final Map<Ask, Ask.Builder> gathered = new LinkedHashMap<>();

  /** The one that was added to last: most requests of a moment are equal. */
  private @Nullable Ask lastKey;

  private Ask.@Nullable Builder last;
  private final ClientFrames frame = new ClientFrames();
  private int ranks;

  /** Returns the number of a group, which is defined if it has none. */
  int group(RankList group) {
    Integer known = groups.get(group);
    if (known == null) {
      known = groups.size();
      groups.put(group, known);
      add(ClientMessage.newBuilder().setDefineGroup(Wire.group(known, group)));
    }
    return known;
  }

  /** Returns the number of a program, which is defined if it has none. */
  int program(ProgramSummary program, String name) {
    Integer known = programs.get(program);
    if (known == null) {
      known = programs.size();
      programs.put(program, known);
      add(ClientMessage.newBuilder().setDefineProgram(Wire.program(known, program, name)));
    }
    return known;
  }

  /** Whether equal requests wait here already: then nothing is wrong with another. */
  boolean has(Ask ask) {
    return ask.equals(lastKey);
  }

  /**
   * Adds requests of several ranks.
   *
   * @param ask what they say, without ranks
   */
  void ask(Ask ask, List<Integer> asking) {
    for (int rank : asking) {
      ask(ask, rank);
    }
  }

  /** Adds a rank's request, which itself names no rank. */
  void ask(Ask ask, int rank) {
    Ask.Builder together = last;
    if (together == null || !ask.equals(lastKey)) {
      together = gathered.computeIfAbsent(ask, Ask::toBuilder);
      last = together;
      lastKey = ask;
    }
    together.addRanks(rank);
    ranks++;
  }

  void add(ClientMessage.Builder message) {
    frame.add(message.build());
  }

  /** Adds what must go up after the requests that came before it. */
  void addLast(ClientMessage.Builder message) {
    closeAsks();
    add(message);
  }

  private void closeAsks() {
    for (Ask.Builder ask : gathered.values()) {
      add(ClientMessage.newBuilder().setAsk(ask));
    }
    forgetAsks();
  }

  private void forgetAsks() {
    gathered.clear();
    lastKey = null;
    last = null;
    ranks = 0;
  }

  /** How many requests there are, those of different ranks counted apart. */
  int requests() {
    return ranks;
  }

  boolean isEmpty() {
    return gathered.isEmpty() && frame.isEmpty();
  }

  /** Sends what was gathered, and begins anew. */
  void sendTo(SessionCall stream) {
    closeAsks();
    frame.sendTo(stream);
  }

  /** The stream is gone. */
  void clear() {
    groups.clear();
    programs.clear();
    forgetAsks();
    frame.clear();
  }
}
