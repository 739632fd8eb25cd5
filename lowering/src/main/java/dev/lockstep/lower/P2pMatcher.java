package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds for every send its receive: first in, first out for each group, source, target and tag.
 *
 * <p>All ranks run one text, so the k-th send on a channel is the k-th send event in the text that
 * names the channel, and likewise for receives. The messages of one send event and one receive
 * event travel in one permute; in it no rank is a source or a target twice, because an event names
 * one peer a rank. The permute stands where the later of the two stood.
 */
final class P2pMatcher {

  /**
   * The messages that go from one send event to one receive event.
   *
   * @param send index of the send event
   * @param receive index of the receive event
   * @param pairs the messages, by source
   */
  record Match(int send, int receive, ImmutableList<Pair> pairs) {}

  /**
   * A collective that is no send or receive: what messages of the same group may not pass.
   *
   * @param call number of the call in program order
   * @param groupOf its groups
   * @param location the call
   */
  record Fence(int call, P2pEvent.GroupKeys groupOf, Location location) {}

  private record Channel(ImmutableIntArray group, int source, int target, P2pEvent.Tag tag) {}

  /** How many messages of one call a diagnostic names. */
  private static final int SHOWN = 8;

  private final ImmutableList<P2pEvent> events;

  private P2pMatcher(ImmutableList<P2pEvent> events) {
    this.events = events;
  }

  /**
   * Returns all matches, ordered by where their permutes stand.
   *
   * @param events sends and receives in program order
   * @param fences other collectives in program order
   * @param sink gets what is wrong: messages without a partner, of different types, or that would
   *     pass a fence
   */
  static ImmutableList<Match> match(
      ImmutableList<P2pEvent> events, ImmutableList<Fence> fences, DiagnosticSink sink) {
    P2pMatcher matcher = new P2pMatcher(events);
    ImmutableList<Match> matches = matcher.pairUp(sink);
    for (Match match : matches) {
      matcher.checkTypes(match, sink);
      // XLA's messages have channels of their own and pass whatever is not on them.
      if (!matcher.events.get(match.send()).tag().isXla()) {
        matcher.checkFences(match, fences, sink);
      }
    }
    return matches;
  }

  private ImmutableList<Match> pairUp(DiagnosticSink sink) {
    Map<Channel, Deque<Integer>> sends = new LinkedHashMap<>();
    Map<Channel, Deque<Integer>> receives = new LinkedHashMap<>();
    for (int e = 0; e < events.size(); e++) {
      P2pEvent event = events.get(e);
      for (int rank = 0; rank < event.peers().length(); rank++) {
        int peer = event.peers().get(rank);
        if (peer >= 0) {
          Channel channel =
              new Channel(
                  event.groupOf().members().get(rank),
                  event.isSend() ? rank : peer,
                  event.isSend() ? peer : rank,
                  event.tag());
          (event.isSend() ? sends : receives)
              .computeIfAbsent(channel, key -> new ArrayDeque<>())
              .add(e);
        }
      }
    }
    // Keyed by the later event, then both events, so that the order is that of the permutes.
    Map<Long, List<Pair>> found = new TreeMap<>();
    Map<Integer, List<Channel>> lone = new TreeMap<>();
    for (Map.Entry<Channel, Deque<Integer>> entry : sends.entrySet()) {
      Channel channel = entry.getKey();
      Deque<Integer> partners = receives.getOrDefault(channel, new ArrayDeque<>());
      Deque<Integer> mine = entry.getValue();
      while (!mine.isEmpty() && !partners.isEmpty()) {
        found
            .computeIfAbsent(key(mine.remove(), partners.remove()), k -> new ArrayList<>())
            .add(new Pair(channel.source(), channel.target()));
      }
      if (!mine.isEmpty()) {
        lone.computeIfAbsent(mine.remove(), k -> new ArrayList<>()).add(channel);
      }
    }
    receives.forEach(
        (channel, left) -> {
          if (!left.isEmpty()) {
            lone.computeIfAbsent(left.remove(), k -> new ArrayList<>()).add(channel);
          }
        });
    reportUnmatched(lone, sink);
    ImmutableList.Builder<Match> out = ImmutableList.builder();
    found.forEach(
        (key, pairs) -> {
          pairs.sort(Comparator.comparingInt(Pair::source));
          int n = events.size();
          int send = (int) (key / n % n);
          int receive = (int) (key % n);
          out.add(new Match(send, receive, ImmutableList.copyOf(pairs)));
        });
    return out.build();
  }

  private long key(int send, int receive) {
    long n = events.size();
    return (Math.max(send, receive) * n + send) * n + receive;
  }

  /**
   * Reports each call once, with all its messages; a send and a receive of the same two ranks are
   * one mistake.
   */
  private void reportUnmatched(Map<Integer, List<Channel>> lone, DiagnosticSink sink) {
    Set<Integer> told = new HashSet<>();
    lone.forEach(
        (event, channels) -> {
          if (told.add(event)) {
            Integer partner = partner(event, channels.get(0), lone);
            if (partner != null && hasSamePairs(channels, lone.get(partner))) {
              told.add(partner);
            }
            sink.report(unmatched(events.get(event), channels, partner));
          }
        });
  }

  private static boolean hasSamePairs(List<Channel> a, @Nullable List<Channel> b) {
    return b != null && pairs(a).equals(pairs(b));
  }

  private static Set<Pair> pairs(List<Channel> channels) {
    Set<Pair> out = new HashSet<>();
    channels.forEach(channel -> out.add(new Pair(channel.source(), channel.target())));
    return out;
  }

  /** Returns what the partner of a lone event may have meant: best what is itself without one. */
  private @Nullable Integer partner(int event, Channel channel, Map<Integer, List<Channel>> lone) {
    P2pEvent one = events.get(event);
    for (Map.Entry<Integer, List<Channel>> entry : lone.entrySet()) {
      if (events.get(entry.getKey()).isSend() != one.isSend()
          && pairs(entry.getValue()).contains(new Pair(channel.source(), channel.target()))) {
        return entry.getKey();
      }
    }
    int rank = one.isSend() ? channel.target() : channel.source();
    for (int e = 0; e < events.size(); e++) {
      if (events.get(e).isSend() != one.isSend() && events.get(e).peers().get(rank) >= 0) {
        return e;
      }
    }
    return null;
  }

  private Diagnostic unmatched(
      P2pEvent lone, List<Channel> channels, @Nullable Integer partnerEvent) {
    Channel channel = channels.get(0);
    int rank = lone.isSend() ? channel.target() : channel.source();
    StringBuilder message = new StringBuilder();
    if (lone.isSend()) {
      message.append("rank ").append(channel.source()).append(" sends to rank ").append(rank);
    } else {
      message.append("rank ").append(channel.target()).append(" receives from rank ").append(rank);
    }
    message.append(' ').append(lone.tag()).append(", but no ");
    message.append(lone.isSend() ? "receive" : "send").append(" is left for it");
    for (int i = 1; i < Math.min(channels.size(), SHOWN); i++) {
      message.append(i == 1 ? "; nor from rank " : ", ").append(channels.get(i).source());
      message.append(" to ").append(channels.get(i).target());
    }
    if (channels.size() > SHOWN) {
      message.append(" and ").append(channels.size() - SHOWN).append(" more");
    }
    Diagnostic diagnostic = Diagnostic.error("p2p-unmatched", message.toString(), lone.location());
    if (partnerEvent == null) {
      return diagnostic;
    }
    P2pEvent other = events.get(partnerEvent);
    return diagnostic.withNote(
        "rank "
            + rank
            + " "
            + other.verb()
            + "s here: peer "
            + other.peers().get(rank)
            + " "
            + other.tag(),
        other.location());
  }

  private void checkTypes(Match match, DiagnosticSink sink) {
    P2pEvent send = events.get(match.send());
    P2pEvent receive = events.get(match.receive());
    if (!send.type().isSameShape(receive.type())) {
      Pair pair = match.pairs().get(0);
      sink.report(
          Diagnostic.error(
                  "p2p-type",
                  "rank "
                      + pair.source()
                      + " sends "
                      + send.type()
                      + ", rank "
                      + pair.target()
                      + " receives "
                      + receive.type(),
                  send.location())
              .withNote("received here", receive.location()));
    }
  }

  private void checkFences(Match match, ImmutableList<Fence> fences, DiagnosticSink sink) {
    P2pEvent send = events.get(match.send());
    P2pEvent receive = events.get(match.receive());
    int from = Math.min(send.call(), receive.call());
    int to = Math.max(send.call(), receive.call());
    for (Fence fence : fences) {
      if (fence.call() <= from || fence.call() >= to) {
        continue;
      }
      for (Pair pair : match.pairs()) {
        ImmutableIntArray group = send.groupOf().members().get(pair.source());
        if (fence.groupOf().members().get(pair.source()).equals(group)) {
          sink.report(
              Diagnostic.error(
                      "p2p-passes-collective",
                      "the message from rank "
                          + pair.source()
                          + " to rank "
                          + pair.target()
                          + " would pass another collective of its group",
                      send.location())
                  .withNote("received here", receive.location())
                  .withNote("the collective between the two", fence.location()));
          return;
        }
      }
    }
  }
}
