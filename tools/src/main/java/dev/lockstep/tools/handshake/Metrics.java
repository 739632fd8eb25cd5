package dev.lockstep.tools.handshake;

import com.sun.net.httpserver.HttpServer;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.Session;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The coordinator's log, a line an event with job, rank and round as {@code key=value}, and its
 * counters in the text form of Prometheus.
 */
final class Metrics implements CoordinatorListener {
  /** Lines a second about peers that do not behave. */
  private static final int MOST_PEER_LINES = 100;

  private final Session session;
  private final String job;
  private long peerSecond;
  private int peerLines;
  private final Map<VerdictKind, AtomicLong> rounds = new EnumMap<>(VerdictKind.class);
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong joined = new AtomicLong();
  private final AtomicLong rejoined = new AtomicLong();
  private final Map<String, AtomicLong> refused = new ConcurrentSkipListMap<>();
  private final Map<String, AtomicLong> rejected = new ConcurrentSkipListMap<>();
  private final AtomicLong disconnected = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong epoch = new AtomicLong(-1);

  Metrics(Session session, String job) {
    this.session = session;
    this.job = job;
    for (VerdictKind kind : VerdictKind.values()) {
      rounds.put(kind, new AtomicLong());
    }
    for (Refusal.Code code : Refusal.Code.values()) {
      refused.put(word(code.name()), new AtomicLong());
    }
  }

  private void log(String event, String more) {
    session.say("event=" + event + " job=" + quotedIfNeeded(job) + " epoch=" + epoch.get() + more);
  }

  private static String quotedIfNeeded(String name) {
    return name.matches("[A-Za-z0-9_.:/-]+") ? name : quoted(name);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  @Override
  public void joined(int rank, long epochOfRank, boolean again) {
    (again ? rejoined : joined).incrementAndGet();
    log(again ? "rejoined" : "joined", " rank=" + rank);
  }

  @Override
  public void refused(String link, int rank, Refusal refusal) {
    count(refused, refusal.code().name());
    logPeer(
        "refused",
        " rank="
            + rank
            + " peer="
            + quoted(link)
            + " code="
            + refusal.code()
            + " why="
            + quoted(refusal.text()));
  }

  @Override
  public void rejected(String link, int rank, long sequence, Verdict verdict) {
    count(rejected, verdict.reason().name());
    logPeer(
        "rejected",
        " rank="
            + rank
            + " peer="
            + quoted(link)
            + " request="
            + sequence
            + " reason="
            + verdict.reason()
            + " why="
            + quoted(verdict.text()));
  }

  @Override
  public void turnedAway(String peer, String code, String why) {
    count(refused, code);
    logPeer("refused", " peer=" + quoted(peer) + " code=" + code + " why=" + quoted(why));
  }

  private static String word(String code) {
    return code.toLowerCase(Locale.ROOT);
  }

  private static void count(Map<String, AtomicLong> counters, String code) {
    counters.computeIfAbsent(word(code), unused -> new AtomicLong()).incrementAndGet();
  }

  /** Logs what strangers can bring about: they must not be able to fill the disk. */
  private synchronized void logPeer(String event, String more) {
    long second = System.nanoTime() / 1_000_000_000;
    if (second != peerSecond) {
      if (peerLines > MOST_PEER_LINES) {
        log("suppressed", " lines=" + (peerLines - MOST_PEER_LINES));
      }
      peerSecond = second;
      peerLines = 0;
    }
    peerLines++;
    if (peerLines <= MOST_PEER_LINES) {
      log(event, more);
    }
  }

  @Override
  public void disconnected(int rank) {
    disconnected.incrementAndGet();
    log("disconnected", " rank=" + rank);
  }

  @Override
  public void lost(int rank, String why) {
    lost.incrementAndGet();
    log("lost", " rank=" + rank + " why=" + why);
  }

  @Override
  public void decided(RankList participants, Verdict verdict, long took) {
    AtomicLong counter = rounds.get(verdict.kind());
    if (counter != null) {
      counter.incrementAndGet();
    }
    nanos.addAndGet(took);
    // Agreement at every dispatch would fill the log.
    if (verdict.kind() != VerdictKind.FAT) {
      log(
          "decided",
          " round="
              + verdict.round()
              + " ranks="
              + participants
              + " verdict="
              + verdict.kind()
              + " reason="
              + verdict.reason()
              + " ms="
              + took / 1_000_000
              + " why="
              + quoted(verdict.text()));
    }
  }

  @Override
  public void dropped(String link, String why) {
    dropped.incrementAndGet();
    logPeer("dropped", " peer=" + quoted(link) + " why=" + quoted(why));
  }

  @Override
  public void epoch(long begun) {
    epoch.set(begun);
    log("epoch", "");
  }

  /** Serves the counters on a port of this machine; returns what stops that. */
  Runnable serve(OptionalInt port) {
    if (port.isEmpty()) {
      return () -> {};
    }
    try {
      HttpServer server =
          HttpServer.create(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), port.getAsInt()), 0);
      server.createContext(
          "/metrics",
          exchange -> {
            byte[] body = text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
      session.say("metrics on port " + server.getAddress().getPort());
      return () -> server.stop(0);
    } catch (IOException | IllegalArgumentException taken) {
      String why = taken instanceof IOException io ? IoMessages.reason(io) : taken.getMessage();
      throw new EnvironmentException(
          "cannot serve metrics on port " + port.getAsInt() + ": " + why);
    }
  }

  /** Returns all counters. */
  String text() {
    StringBuilder out = new StringBuilder();
    head(out, "rounds_total", "Rounds by verdict.");
    rounds.forEach(
        (kind, count) ->
            out.append("lockstep_handshake_rounds_total{job=")
                .append(quoted(job))
                .append(",verdict=\"")
                .append(kind.name().toLowerCase(Locale.ROOT))
                .append("\"} ")
                .append(count)
                .append('\n'));
    head(out, "round_seconds_total", "Time from the first request of a round to its verdict.");
    out.append("lockstep_handshake_round_seconds_total{job=")
        .append(quoted(job))
        .append("} ")
        .append(nanos.get() / 1e9)
        .append('\n');
    counter(out, "joined_total", "Ranks let in for the first time in an epoch.", joined);
    counter(out, "rejoined_total", "Ranks that connected again.", rejoined);
    counters(out, "refused_total", "Ranks and connections refused.", refused);
    counters(out, "rejected_total", "Requests of ranks that make no sense.", rejected);
    counter(out, "disconnected_total", "Connections lost.", disconnected);
    counter(out, "lost_total", "Ranks lost to their epoch.", lost);
    counter(out, "dropped_total", "Messages dropped.", dropped);
    return out.toString();
  }

  private void counters(
      StringBuilder out, String name, String help, Map<String, AtomicLong> byReason) {
    head(out, name, help);
    byReason.forEach(
        (reason, count) ->
            out.append("lockstep_handshake_")
                .append(name)
                .append("{job=")
                .append(quoted(job))
                .append(",reason=")
                .append(quoted(reason))
                .append("} ")
                .append(count)
                .append('\n'));
  }

  private void counter(StringBuilder out, String name, String help, AtomicLong value) {
    head(out, name, help);
    out.append("lockstep_handshake_")
        .append(name)
        .append("{job=")
        .append(quoted(job))
        .append("} ")
        .append(value)
        .append('\n');
  }

  private static void head(StringBuilder out, String name, String help) {
    out.append("# HELP lockstep_handshake_")
        .append(name)
        .append(' ')
        .append(help)
        .append("\n# TYPE lockstep_handshake_")
        .append(name)
        .append(" counter\n");
  }
}
