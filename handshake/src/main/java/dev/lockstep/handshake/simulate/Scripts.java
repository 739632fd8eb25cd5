package dev.lockstep.handshake.simulate;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.Fingerprint;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Seeded jobs: mostly steps that all ranks share, with the ways in which real ranks differ. */
public final class Scripts {
  private Scripts() {}

  /** One collective: its group and what it is. */
  public record Call(RankList group, String text) {}

  /**
   * Returns a program of {@code calls}.
   *
   * @param participants all ranks that the program's text names
   * @param literals stands for the program's literals
   * @param regions stands for what is between the collectives, one more than there are calls
   */
  public static Program program(
      String name,
      RankList participants,
      ImmutableList<Call> calls,
      ImmutableList<String> regions,
      String literals) {
    Map<RankList, Integer> numbers = new LinkedHashMap<>();
    numbers.put(participants, 0);
    ImmutableIntArray.Builder callGroups = ImmutableIntArray.builder();
    ImmutableLongArray.Builder signatures = ImmutableLongArray.builder();
    ImmutableList.Builder<String> texts = ImmutableList.builder();
    for (Call call : calls) {
      numbers.putIfAbsent(call.group(), numbers.size());
      callGroups.add(numbers.get(call.group()));
      signatures.add(hash(call.text()));
      texts.add(call.text());
    }
    ImmutableLongArray.Builder regionHashes = ImmutableLongArray.builder();
    regions.forEach(region -> regionHashes.add(hash(region + literals)));
    ImmutableList<String> callTexts = texts.build();
    ImmutableList<String> structure =
        ImmutableList.<String>builder().addAll(callTexts).addAll(regions).build();
    return new Program(
        name,
        new ProgramSummary(
            fingerprint(structure, literals),
            fingerprint(structure, ""),
            regionHashes.build(),
            callGroups.build(),
            signatures.build(),
            callTexts),
        ImmutableList.copyOf(numbers.keySet()));
  }

  private static long hash(String text) {
    return Hashing.murmur3_128().hashUnencodedChars(text).asLong();
  }

  private static Fingerprint fingerprint(ImmutableList<String> parts, String literals) {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    parts.forEach(part -> hasher.putUnencodedChars(part).putChar('\n'));
    byte[] bytes = hasher.putUnencodedChars(literals).hash().asBytes();
    return new Fingerprint(
        com.google.common.primitives.Longs.fromByteArray(bytes),
        com.google.common.primitives.Longs.fromByteArray(
            java.util.Arrays.copyOfRange(bytes, 8, 16)));
  }

  /** Returns the script of a seed, for 2 to {@code mostRanks} ranks. */
  public static Script random(long seed, int mostRanks) {
    Random random = new Random(seed);
    int world = 2 + random.nextInt(mostRanks - 1);
    Stage stage = random.nextInt(3) == 0 ? Stage.COMPILE : Stage.DISPATCH;
    List<List<Script.Step>> ranks = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      ranks.add(new ArrayList<>());
    }
    int steps = 2 + random.nextInt(6);
    int distinct = 1 + random.nextInt(3);
    for (int step = 0; step < steps; step++) {
      addStep(random, ranks, world, "step" + random.nextInt(distinct));
    }
    return new Script(
        stage, ranks.stream().map(ImmutableList::copyOf).collect(ImmutableList.toImmutableList()));
  }

  private static void addStep(
      Random random, List<List<Script.Step>> ranks, int world, String name) {
    int shape = random.nextInt(10);
    Random ofName = new Random(name.hashCode() * 31L + world);
    int calls = 1 + ofName.nextInt(4);
    int mesh = world % 2 == 0 && ofName.nextBoolean() ? 2 : 1;
    int odd = random.nextInt(world);
    for (int rank = 0; rank < world; rank++) {
      ImmutableList.Builder<Call> own = ImmutableList.builder();
      ImmutableList.Builder<String> regions = ImmutableList.builder();
      regions.add("start");
      for (int call = 0; call < calls; call++) {
        own.add(new Call(group(mesh, call, rank, world), "all_reduce f32[" + call + "]"));
        regions.add("after " + call);
      }
      ImmutableList<Call> mine = own.build();
      ImmutableList<String> between = regions.build();
      RankList all = RankList.world(world);
      boolean differs = rank == odd;
      List<Script.Step> steps = ranks.get(rank);
      if (differs && shape == 0 && calls > 1) {
        // A graph break: the same collectives in two programs.
        int half = 1 + random.nextInt(calls - 1);
        steps.add(
            step(
                random,
                program(
                    name + "/a", all, mine.subList(0, half), between.subList(0, half + 1), "")));
        steps.add(
            step(
                random,
                program(
                    name + "/b",
                    all,
                    mine.subList(half, calls),
                    between.subList(half, calls + 1),
                    "")));
      } else if (differs && shape == 1) {
        List<String> changed = new ArrayList<>(between);
        changed.set(random.nextInt(changed.size()), "an extra multiply");
        steps.add(step(random, program(name + "'", all, mine, ImmutableList.copyOf(changed), "")));
      } else if (shape == 2) {
        steps.add(step(random, program(name, all, mine, between, "offset " + rank)));
      } else if (differs && shape == 3 && random.nextInt(3) == 0) {
        List<Call> changed = new ArrayList<>(mine);
        int at = random.nextInt(calls);
        changed.set(at, new Call(mine.get(at).group(), "all_reduce bf16[7]"));
        steps.add(
            step(random, program(name + "?", all, ImmutableList.copyOf(changed), between, "")));
      } else if (differs && shape == 4) {
        for (int call = 0; call < calls; call++) {
          Program one =
              program("eager", all, mine.subList(call, call + 1), ImmutableList.of("", ""), "");
          steps.add(new Script.Step(one, true, random.nextInt(20_000_000), false));
        }
      } else {
        steps.add(step(random, program(name, all, mine, between, "")));
      }
    }
  }

  /** With a mesh, collectives alternate between its rows and its columns. */
  private static RankList group(int mesh, int call, int rank, int world) {
    if (mesh == 1) {
      return RankList.world(world);
    }
    int rows = world / 2;
    if (call % 2 == 0) {
      return RankList.of(rank / 2 * 2, rank / 2 * 2 + 1);
    }
    int[] column = new int[rows];
    for (int row = 0; row < rows; row++) {
      column[row] = row * 2 + rank % 2;
    }
    return RankList.of(column);
  }

  private static Script.Step step(Random random, Program program) {
    boolean slow = random.nextInt(40) == 0;
    long prepare = slow ? 25_000_000_000L : random.nextInt(50_000_000);
    return new Script.Step(program, false, prepare, slow || random.nextInt(4) == 0);
  }
}
