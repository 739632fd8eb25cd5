package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.relay.RelayClient;
import dev.lockstep.handshake.relay.RelayException;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.RankWords;
import dev.lockstep.pass.region.diff.DiffReport;
import dev.lockstep.pass.region.diff.RankDiff;
import dev.lockstep.runtime.transport.ByteWriter;
import dev.lockstep.tools.diff.DiffText;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why ranks that only ask got a verdict that tells them apart. Of each class of ranks the
 * lowest sends its program to the lowest of the largest class, once; that one compares them, and
 * sends the words to all.
 *
 * <p>Words are worth little waiting: a rank that does not answer in time is left out, and nothing
 * depends on it.
 */
public final class Explainer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int LARGEST_TEXT = 64 << 20;
  private static final int MOST_WORDS = 64 << 10;
  private static final byte TEXT = 't';
  private static final byte WORDS = 'w';

  /** Reads a program of another rank as this rank reads its own. */
  public interface Reader {
    /** Returns the program that {@code source} holds. */
    Module read(Source source);
  }

  private final Supplier<RelayClient> relays;
  private final int world;
  private final OptionalInt partitions;
  private final Reader reader;
  private final TreeMap<Long, TreeMap<Integer, Source>> texts = new TreeMap<>();
  private final TreeMap<Long, String> words = new TreeMap<>();
  private @Nullable RelayClient relay;
  private boolean over;

  /**
   * Creates an explainer.
   *
   * @param relays connects to the other ranks; asked when there is something to explain
   */
  public Explainer(Supplier<RelayClient> relays, int world, OptionalInt partitions, Reader reader) {
    this.relays = relays;
    this.world = world;
    this.partitions = partitions;
    this.reader = reader;
  }

  /**
   * Returns why ranks differ, for people; null where that cannot be found out.
   *
   * @param participants who got the verdict; those in none of its classes listen only
   * @param own this rank's program; without bytes when it is not to be shown
   */
  public @Nullable String explain(int rank, Verdict verdict, RankList participants, Source own) {
    List<Integer> leaders = new ArrayList<>();
    verdict.classes().forEach(each -> leaders.add(each.ranks().get(0)));
    if (leaders.size() < 2 || over) {
      return null;
    }
    try {
      if (rank != leaders.get(0)) {
        return listen(rank, verdict, own, leaders);
      }
      String said = compare(verdict, participants, own, leaders);
      ByteWriter out = begin(WORDS, verdict);
      out.text(said.substring(0, Math.min(said.length(), MOST_WORDS)));
      connection().send(others(participants, rank), out.toBytes());
      return said.isEmpty() ? null : said;
    } catch (RelayException e) {
      over = true;
      return null;
    }
  }

  private RelayClient connection() {
    RelayClient open = relay;
    if (open == null) {
      open = relays.get();
      relay = open;
    }
    return open;
  }

  private static ImmutableIntArray others(RankList participants, int rank) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    participants.ranks().stream().filter(other -> other != rank).forEach(out::add);
    return out.build();
  }

  private static ByteWriter begin(byte kind, Verdict verdict) {
    ByteWriter out = new ByteWriter();
    out.room(1).put(kind);
    out.room(Long.BYTES).putLong(verdict.round());
    return out;
  }

  private @Nullable String listen(int rank, Verdict verdict, Source own, List<Integer> leaders) {
    if (leaders.contains(rank)) {
      ByteWriter out = begin(TEXT, verdict);
      out.text(own.name());
      byte[] bytes = own.length() > LARGEST_TEXT ? new byte[0] : own.bytes();
      out.room(bytes.length).put(bytes);
      connection().send(ImmutableIntArray.of(leaders.get(0)), out.toBytes());
    }
    long until = System.nanoTime() + 2 * PATIENCE.toNanos();
    while (!words.containsKey(verdict.round()) && takeOne(until)) {}
    String said = words.remove(verdict.round());
    return said == null || said.isEmpty() ? null : said;
  }

  /** Takes in what comes next; returns false when nothing has come in time. */
  private boolean takeOne(long until) {
    Duration left = Duration.ofNanos(until - System.nanoTime());
    RelayClient.Parcel parcel =
        left.isNegative() ? null : connection().receive("asking why ranks differ", left);
    if (parcel == null) {
      return false;
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(parcel.bytes());
      byte kind = in.get();
      long round = in.getLong();
      String text = ByteWriter.text(in);
      if (kind == WORDS) {
        words.put(round, text);
      } else {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        texts
            .computeIfAbsent(round, r -> new TreeMap<>())
            .put(parcel.source(), Source.of(text, bytes));
      }
    } catch (IllegalArgumentException | BufferUnderflowException garbled) {
      // What makes no sense explains nothing.
    }
    return true;
  }

  private String compare(
      Verdict verdict, RankList participants, Source own, List<Integer> leaders) {
    TreeMap<Integer, Source> here =
        texts.computeIfAbsent(verdict.round(), round -> new TreeMap<>());
    here.put(leaders.get(0), own);
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (here.size() < leaders.size() && takeOne(until)) {}
    texts.remove(verdict.round());
    if (here.size() < leaders.size() || here.values().stream().anyMatch(s -> s.length() == 0)) {
      return "";
    }
    try {
      Map<Integer, RankPrograms.Program> byRank = new TreeMap<>();
      for (Verdict.RankClass each : verdict.classes()) {
        Source source = here.get(each.ranks().get(0));
        if (source == null) {
          return "";
        }
        RankPrograms.Program program = new RankPrograms.Program(source.name(), reader.read(source));
        each.ranks().forEach(rank -> byRank.put(rank, program));
      }
      List<ImmutableList<RankPrograms.Program>> ranks = new ArrayList<>();
      for (int rank = 0; rank < world; rank++) {
        RankPrograms.Program program = byRank.get(rank);
        ranks.add(program == null ? ImmutableList.of() : ImmutableList.of(program));
      }
      RankPrograms programs = RankPrograms.of(ranks, partitions);
      DiffReport report = RankDiff.among(programs, byRank.keySet());
      return report.areEqual()
          ? ""
          : new DiffText(programs, report, false).text() + left(participants, byRank.keySet());
    } catch (DiagnosticException | IllegalArgumentException unreadable) {
      return "";
    }
  }

  /** Returns which ranks are in none of the classes, which a verdict lists up to a number. */
  private static String left(RankList participants, Set<Integer> compared) {
    List<Integer> left =
        participants.ranks().stream().filter(rank -> !compared.contains(rank)).boxed().toList();
    return left.isEmpty()
        ? ""
        : "not compared: "
            + RankWords.of(left)
            + ", since the verdict lists the largest classes only\n";
  }

  /** Leaves; others that still listen are not disturbed. */
  @Override
  public void close() {
    if (relay != null) {
      // Whoever does not listen for the words may go without them.
      relay.close(PATIENCE);
    }
  }
}
