package dev.lockstep.handshake.coordinator;

import com.google.common.collect.Interner;
import com.google.common.collect.Interners;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import java.util.HashMap;
import java.util.Map;

/** The groups and programs that connections have defined, equal ones kept once. */
final class Definitions {
  /** About how many bytes the definitions of one connection may take. */
  private static final long MOST_WEIGHT = 64 << 20;

  private final CoordinatorOptions options;
  private final CoordinatorListener listener;
  private final Interner<ProgramSummary> programs = Interners.newWeakInterner();
  private final Map<Long, Timeline> timelines = new HashMap<>();

  Definitions(CoordinatorOptions options, CoordinatorListener listener) {
    this.options = options;
    this.listener = listener;
  }

  /** Adds a group to a connection's table; returns what is wrong with it, or "". */
  String group(Link link, int number, RankList members, RankState[] ranks) {
    if (!welcomed(link)) {
      return "";
    }
    if (number != link.groups.size() || number >= most(link)) {
      return "group " + number + " is defined after " + link.groups.size() + " others";
    }
    if (members.get(members.size() - 1) >= options.world()) {
      return "group " + members + " has a rank beyond the world of " + options.world();
    }
    Timeline timeline = timelines.get(members.id());
    if (timeline == null) {
      timeline = new Timeline(members);
      for (int i = 0; i < members.size(); i++) {
        timeline.lostMembers += ranks[members.get(i)].lost != null ? 1 : 0;
      }
      timelines.put(members.id(), timeline);
    } else if (!timeline.members.equals(members)) {
      return "groups " + members + " and " + timeline.members + " have one hash";
    }
    link.groups.add(timeline);
    return weigh(link, 64 + 16L * members.size());
  }

  /** Adds a program to a connection's table; returns what is wrong with it, or "". */
  String program(Link link, int number, ProgramSummary program, String name) {
    if (!welcomed(link)) {
      return "";
    }
    if (number != link.programs.size() || number >= most(link)) {
      return "program " + number + " is defined after " + link.programs.size() + " others";
    }
    link.programs.add(programs.intern(program));
    link.callsByGroup.add(Requests.callsByGroup(program));
    link.programNames.add(name);
    long texts = 2L * name.length();
    for (String text : program.callTexts()) {
      texts += 64 + 2L * text.length();
    }
    return weigh(link, 128 + 8L * program.regions().length() + 12L * program.calls() + texts);
  }

  /** A rank is lost, or is back. */
  void countLost(int rank, int by) {
    for (Timeline timeline : timelines.values()) {
      timeline.lostMembers += timeline.members.contains(rank) ? by : 0;
    }
  }

  /** Another epoch begins: positions count from 0 again. */
  void clear() {
    timelines.clear();
  }

  private int most(Link link) {
    return options.mostDefinitions() * Math.max(1, link.ranks.size());
  }

  /** What strangers define takes no memory. */
  private boolean welcomed(Link link) {
    if (!link.welcomed) {
      listener.dropped(link.name(), "a definition came before a rank was let in");
    }
    return link.welcomed;
  }

  private static String weigh(Link link, long weight) {
    link.weight += weight;
    // An aggregator's connection carries what each of its ranks may define.
    long most = MOST_WEIGHT * Math.max(1, link.ranks.size());
    return link.weight <= most
        ? ""
        : "the definitions of this connection take more than " + most + " bytes";
  }
}
