package dev.lockstep.tools.job;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.runtime.transport.ByteWriter;
import dev.lockstep.runtime.transport.Dispatcher;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Ranks that show each other their programs, where what one may do depends on what all run. Each
 * tells the others the hash of its text; of the ranks with equal texts only the lowest sends it,
 * and only to those that have another. A rank may hide its text: where all that have a text hide
 * it, and another rank lacks it, no text is sent and all know why.
 */
final class ProgramExchange {
  private static final byte KIND = 'p';
  private static final byte HEAD = 0;
  private static final byte TEXT = 1;

  /** Reads a program of another rank as this rank reads its own. */
  interface Reader {
    Module read(Source source, int index);
  }

  /** What one rank says of one of its programs. */
  private record Head(String file, HashCode hash, int index, boolean hidden) {}

  /**
   * What ranks have shown each other.
   *
   * @param programs the programs of all, by rank; empty where some are hidden
   * @param hiding the ranks that hide what others lack; the same on all of them
   */
  record Shown(
      ImmutableMap<Integer, ImmutableList<JobProgram>> programs, ImmutableList<Integer> hiding) {}

  /** What has come for one exchange. */
  private static final class Round {
    final TreeMap<Integer, ImmutableList<Head>> heads = new TreeMap<>();
  }

  private final Dispatcher dispatcher;
  private final boolean hides;
  private final Reader reader;
  private final Map<Long, Round> rounds = new HashMap<>();
  private final Map<HashCode, Source> texts = new HashMap<>();
  private final Map<List<Object>, Module> modules = new HashMap<>();

  /**
   * Creates an exchange.
   *
   * @param hides whether this rank sends no text
   */
  ProgramExchange(Dispatcher dispatcher, boolean hides, Reader reader) {
    this.dispatcher = dispatcher;
    this.hides = hides;
    this.reader = reader;
    dispatcher.handle(KIND, this::take);
  }

  /**
   * Shows {@code own} to the others and returns what all have. All of {@code ranks} call this with
   * the same round and ranks.
   *
   * @throws dev.lockstep.runtime.transport.TransportException if another rank is lost
   */
  Shown gather(long round, ImmutableIntArray ranks, ImmutableList<JobProgram> own) {
    ImmutableList.Builder<Head> heads = ImmutableList.builder();
    for (JobProgram program : own) {
      HashCode hash = Hashing.sha256().hashBytes(program.source().bytes());
      heads.add(new Head(program.file(), hash, program.index(), hides));
      texts.put(hash, program.source());
      modules.put(List.of(hash, program.index()), program.module());
    }
    Round here = rounds.computeIfAbsent(round, r -> new Round());
    here.heads.put(dispatcher.rank(), heads.build());
    dispatcher.send(others(ranks), heads(round, heads.build()));
    await(() -> missing(here, ranks), "what programs the others run");
    ImmutableList<Integer> hiding = hiding(here);
    if (!hiding.isEmpty()) {
      rounds.remove(round);
      return new Shown(ImmutableMap.of(), hiding);
    }
    Map<HashCode, Integer> holders = new LinkedHashMap<>();
    here.heads.forEach(
        (rank, list) ->
            list.stream()
                .filter(head -> !head.hidden())
                .forEach(head -> holders.putIfAbsent(head.hash(), rank)));
    holders.forEach(
        (hash, holder) -> {
          if (holder == dispatcher.rank()) {
            sendText(hash, ranks, here);
          }
        });
    await(() -> without(holders), "the programs of others");
    rounds.remove(round);
    ImmutableMap.Builder<Integer, ImmutableList<JobProgram>> out = ImmutableMap.builder();
    here.heads.forEach((rank, list) -> out.put(rank, read(list)));
    return new Shown(out.buildOrThrow(), ImmutableList.of());
  }

  /** Returns the ranks with a text that some rank lacks and nobody shows. */
  private static ImmutableList<Integer> hiding(Round here) {
    Map<HashCode, TreeSet<Integer>> holders = new HashMap<>();
    Set<HashCode> shown = new HashSet<>();
    here.heads.forEach(
        (rank, list) ->
            list.forEach(
                head -> {
                  holders.computeIfAbsent(head.hash(), hash -> new TreeSet<>()).add(rank);
                  if (!head.hidden()) {
                    shown.add(head.hash());
                  }
                }));
    TreeSet<Integer> out = new TreeSet<>();
    holders.forEach(
        (hash, ranks) -> {
          if (!shown.contains(hash) && ranks.size() < here.heads.size()) {
            out.addAll(ranks);
          }
        });
    return ImmutableList.copyOf(out);
  }

  private ImmutableList<JobProgram> read(ImmutableList<Head> heads) {
    ImmutableList.Builder<JobProgram> out = ImmutableList.builder();
    for (Head head : heads) {
      Source source = texts.get(head.hash());
      checkArgument(source != null, "the text of %s is not there", head.file());
      Module module = modules.get(List.of(head.hash(), head.index()));
      if (module == null) {
        module = reader.read(source, head.index());
        modules.put(List.of(head.hash(), head.index()), module);
      }
      out.add(new JobProgram(head.file(), source, head.index(), module));
    }
    return out.build();
  }

  private ImmutableIntArray others(ImmutableIntArray ranks) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    ranks.stream().filter(rank -> rank != dispatcher.rank()).forEach(out::add);
    return out.build();
  }

  private static ByteWriter heads(long round, ImmutableList<Head> heads) {
    ByteWriter out = Dispatcher.begin(KIND);
    out.room(1).put(HEAD);
    out.room(Long.BYTES).putLong(round);
    out.number(heads.size());
    for (Head head : heads) {
      out.text(head.file()).text(head.hash().toString());
      out.room(Integer.BYTES).putInt(head.index());
      out.room(1).put((byte) (head.hidden() ? 1 : 0));
    }
    return out;
  }

  private void sendText(HashCode hash, ImmutableIntArray ranks, Round here) {
    ImmutableIntArray.Builder targets = ImmutableIntArray.builder();
    for (int rank : others(ranks).asList()) {
      if (here.heads.getOrDefault(rank, ImmutableList.of()).stream()
          .noneMatch(head -> head.hash().equals(hash))) {
        targets.add(rank);
      }
    }
    Source source = texts.get(hash);
    if (source != null) {
      ByteWriter out = Dispatcher.begin(KIND);
      out.room(1).put(TEXT);
      out.text(source.name());
      out.room(source.length()).put(source.bytes());
      dispatcher.send(targets.build(), out);
    }
  }

  /** What an exchange still waits for; none when it has all. */
  private interface Missing {
    ImmutableIntArray ranks();
  }

  private void await(Missing missing, String what) {
    for (ImmutableIntArray left = missing.ranks(); !left.isEmpty(); left = missing.ranks()) {
      dispatcher.next("asking for " + what, left);
    }
  }

  private static ImmutableIntArray missing(Round round, ImmutableIntArray ranks) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    ranks.stream().filter(rank -> !round.heads.containsKey(rank)).forEach(out::add);
    return out.build();
  }

  private ImmutableIntArray without(Map<HashCode, Integer> holders) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    holders.forEach(
        (hash, holder) -> {
          if (!texts.containsKey(hash)) {
            out.add(holder);
          }
        });
    return out.build();
  }

  private void take(int source, ByteBuffer in) {
    byte what = in.get();
    if (what == HEAD) {
      long round = in.getLong();
      int count = ByteWriter.number(in);
      ImmutableList.Builder<Head> heads = ImmutableList.builder();
      for (int i = 0; i < count; i++) {
        String file = ByteWriter.text(in);
        HashCode hash = HashCode.fromString(ByteWriter.text(in));
        heads.add(new Head(file, hash, in.getInt(), in.get() != 0));
      }
      rounds.computeIfAbsent(round, r -> new Round()).heads.put(source, heads.build());
      return;
    }
    checkArgument(what == TEXT, "it is no program");
    String name = ByteWriter.text(in);
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    // Kept under what it is, not under what its sender says it is.
    texts.putIfAbsent(Hashing.sha256().hashBytes(bytes), Source.of(name, bytes));
  }
}
