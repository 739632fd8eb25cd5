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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  private record Channel(ImmutableIntArray group, int source, int target, long tag) {}

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
      matcher.checkFences(match, fences, sink);
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
        reportUnmatched(mine.remove(), channel, sink);
      }
    }
    receives.forEach(
        (channel, left) -> {
          if (!left.isEmpty()) {
            reportUnmatched(left.remove(), channel, sink);
          }
        });
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

  private void reportUnmatched(int event, Channel channel, DiagnosticSink sink) {
    P2pEvent lone = events.get(event);
    String what =
        lone.isSend()
            ? "rank " + channel.source() + " sends to rank " + channel.target()
            : "rank " + channel.target() + " receives from rank " + channel.source();
    Diagnostic diagnostic =
        Diagnostic.error(
            "p2p-unmatched",
            what
                + " with tag "
                + channel.tag()
                + ", but no "
                + (lone.isSend() ? "receive" : "send")
                + " is left for it",
            lone.location());
    int partner = lone.isSend() ? channel.target() : channel.source();
    for (P2pEvent other : events) {
      if (other.isSend() != lone.isSend() && other.peers().get(partner) >= 0) {
        diagnostic =
            diagnostic.withNote(
                "rank "
                    + partner
                    + " "
                    + other.verb()
                    + "s here: peer "
                    + other.peers().get(partner)
                    + ", tag "
                    + other.tag(),
                other.location());
        break;
      }
    }
    sink.report(diagnostic);
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
