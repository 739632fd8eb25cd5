package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.wire.Ask;
import dev.lockstep.handshake.wire.ClientFrame;
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

  private ClientFrame.Builder frame = ClientFrame.newBuilder();
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

  /**
   * Adds requests.
   *
   * @param ask what they say, without ranks
   */
  void ask(Ask ask, List<Integer> asking) {
    gathered.computeIfAbsent(ask, Ask::toBuilder).addAllRanks(asking);
    ranks += asking.size();
  }

  void add(ClientMessage.Builder message) {
    frame.addMessages(message);
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
    gathered.clear();
    ranks = 0;
  }

  /** How many requests there are, those of different ranks counted apart. */
  int requests() {
    return ranks;
  }

  boolean isEmpty() {
    return gathered.isEmpty() && frame.getMessagesCount() == 0;
  }

  /** Returns what was gathered, or null for nothing, and begins anew. */
  @Nullable ClientFrame take() {
    closeAsks();
    if (frame.getMessagesCount() == 0) {
      return null;
    }
    ClientFrame full = frame.build();
    frame = ClientFrame.newBuilder();
    return full;
  }

  /** The stream is gone. */
  void clear() {
    groups.clear();
    programs.clear();
    gathered.clear();
    ranks = 0;
    frame = ClientFrame.newBuilder();
  }
}
