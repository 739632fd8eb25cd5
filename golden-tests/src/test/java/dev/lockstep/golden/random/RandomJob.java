package dev.lockstep.golden.random;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.random.JobNode.Branch;
import dev.lockstep.golden.random.JobNode.Decider;
import dev.lockstep.golden.random.JobNode.Half;
import dev.lockstep.golden.random.JobNode.Loop;
import dev.lockstep.golden.random.JobNode.Meet;
import dev.lockstep.golden.random.JobNode.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Jobs of a few ranks that meet, made from a seed; then the programs of some ranks are changed as
 * people change them: a call dropped, doubled, exchanged with the next, or given another group,
 * shape, reduction, type or channel.
 */
final class RandomJob {
  private static final List<String> OPS =
      List.of(
          "all_reduce",
          "all_reduce",
          "all_gather",
          "reduce_scatter",
          "collective_broadcast",
          "all_to_all",
          "collective_permute");
  private static final List<String> REDUCTIONS = List.of("add", "maximum", "minimum");

  private final SplittableRandom random;
  private final int world;
  private final boolean oneText;
  private int channels;

  private RandomJob(long seed, boolean oneText) {
    this.random = new SplittableRandom(seed);
    this.world = 2 + random.nextInt(4);
    this.oneText = oneText;
  }

  /**
   * A job.
   *
   * @param ranks what each rank does; one list for a job of one text
   * @param world the number of ranks
   * @param changed how many changes were made
   */
  record Job(ImmutableList<ImmutableList<JobNode>> ranks, int world, int changed) {
    /** Returns whether a condition depends on what no text says. */
    boolean isOpen() {
      return ranks.stream().anyMatch(nodes -> uses(nodes, Decider.ARGUMENT, Decider.EVERYBODY));
    }

    /** Returns whether ranks may decide a condition differently. */
    boolean decidesByRank() {
      return ranks.stream().anyMatch(nodes -> uses(nodes, Decider.ARGUMENT, Decider.RANK));
    }

    private static boolean uses(List<JobNode> nodes, Decider... deciders) {
      for (JobNode node : nodes) {
        if (node instanceof Loop) {
          Loop loop = (Loop) node;
          if (List.of(deciders).contains(loop.decider()) || uses(loop.body(), deciders)) {
            return true;
          }
        } else if (node instanceof Branch) {
          Branch branch = (Branch) node;
          if (List.of(deciders).contains(branch.decider())
              || uses(branch.first(), deciders)
              || uses(branch.second(), deciders)) {
            return true;
          }
        }
      }
      return false;
    }
  }

  /** Returns a job of one program a rank. */
  static Job ofRanks(long seed) {
    RandomJob job = new RandomJob(seed, false);
    ImmutableList<JobNode> nodes = job.nodes(2 + job.random.nextInt(5), 2);
    int changes = Math.max(0, job.random.nextInt(5) - 2);
    List<ImmutableList<JobNode>> ranks = new ArrayList<>(Collections.nCopies(job.world, nodes));
    int changed = 0;
    for (int i = 0; i < changes; i++) {
      int rank = job.random.nextInt(job.world);
      ImmutableList<JobNode> after = job.change(halves(ranks.get(rank), rank), rank);
      changed += after.equals(ranks.get(rank)) ? 0 : 1;
      ranks.set(rank, after);
    }
    return new Job(ImmutableList.copyOf(ranks), job.world, changed);
  }

  /** Returns a job in which all ranks run one text. */
  static Job ofOneText(long seed) {
    RandomJob job = new RandomJob(seed, true);
    return new Job(ImmutableList.of(job.nodes(2 + job.random.nextInt(4), 2)), job.world, 0);
  }

  private ImmutableList<JobNode> nodes(int count, int depth) {
    ImmutableList.Builder<JobNode> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(12);
      if (kind == 0 && depth > 0) {
        out.add(
            new Loop(decider(true), random.nextInt(4), nodes(1 + random.nextInt(2), depth - 1)));
      } else if (kind == 1 && depth > 0) {
        out.add(
            new Branch(
                decider(false),
                random.nextInt(3),
                nodes(1 + random.nextInt(2), depth - 1),
                nodes(random.nextInt(2), depth - 1)));
      } else if (kind <= 3 && !oneText) {
        int source = random.nextInt(world);
        int target = (source + 1 + random.nextInt(world - 1)) % world;
        out.add(new Message(source, target, ++channels, 4));
      } else {
        out.add(meet());
      }
    }
    return out.build();
  }

  private Decider decider(boolean loop) {
    return switch (random.nextInt(loop ? 6 : 5)) {
      case 0 -> Decider.ARGUMENT;
      case 1 -> Decider.EVERYBODY;
      case 2 -> Decider.RANK;
      default -> Decider.TEXT;
    };
  }

  private Meet meet() {
    String op = OPS.get(random.nextInt(OPS.size()));
    return new Meet(
        op,
        op.equals("collective_permute") ? everybody() : groups(),
        120 * (1 + random.nextInt(2)),
        random.nextInt(4) == 0 ? "i32" : "f32",
        REDUCTIONS.get(random.nextInt(REDUCTIONS.size())),
        0);
  }

  private ImmutableList<ImmutableList<Integer>> everybody() {
    ImmutableList.Builder<Integer> all = ImmutableList.builder();
    for (int rank = 0; rank < world; rank++) {
      all.add(rank);
    }
    return ImmutableList.of(all.build());
  }

  /** Returns everybody, a part of the ranks, or (as one text must) groups that hold every rank. */
  private ImmutableList<ImmutableList<Integer>> groups() {
    if (random.nextInt(3) == 0) {
      return everybody();
    }
    List<Integer> ranks = new ArrayList<>(everybody().get(0));
    Collections.shuffle(ranks, new Random(random.nextLong()));
    if (!oneText) {
      return ImmutableList.of(
          ImmutableList.sortedCopyOf(ranks.subList(0, 1 + random.nextInt(world))));
    }
    int size =
        world % 2 == 0 && random.nextBoolean() ? world / 2 : random.nextBoolean() ? 1 : world;
    ImmutableList.Builder<ImmutableList<Integer>> out = ImmutableList.builder();
    for (int at = 0; at < world; at += size) {
      out.add(ImmutableList.sortedCopyOf(ranks.subList(at, at + size)));
    }
    return out.build();
  }

  /** Returns {@code nodes} with the messages of {@code rank} as its own side of them. */
  private static ImmutableList<JobNode> halves(List<JobNode> nodes, int rank) {
    ImmutableList.Builder<JobNode> out = ImmutableList.builder();
    for (JobNode node : nodes) {
      if (node instanceof Message && ((Message) node).source() == rank) {
        out.add(new Half((Message) node, true));
      } else if (node instanceof Message && ((Message) node).target() == rank) {
        out.add(new Half((Message) node, false));
      } else {
        out.add(node);
      }
    }
    return out.build();
  }

  private ImmutableList<JobNode> change(ImmutableList<JobNode> nodes, int rank) {
    List<JobNode> out = new ArrayList<>(nodes);
    if (out.isEmpty()) {
      return nodes;
    }
    int at = random.nextInt(out.size());
    JobNode node = out.get(at);
    if (node instanceof Loop && random.nextBoolean()) {
      Loop loop = (Loop) node;
      out.set(
          at,
          random.nextInt(3) == 0
              ? new Loop(loop.decider(), loop.rounds() + 1, loop.body())
              : new Loop(loop.decider(), loop.rounds(), change(loop.body(), rank)));
      return ImmutableList.copyOf(out);
    }
    if (node instanceof Branch && random.nextBoolean()) {
      Branch branch = (Branch) node;
      out.set(
          at,
          new Branch(
              branch.decider(), branch.number(), change(branch.first(), rank), branch.second()));
      return ImmutableList.copyOf(out);
    }
    switch (random.nextInt(6)) {
      case 0 -> out.remove(at);
      case 1 -> out.add(at, node);
      case 2 -> Collections.swap(out, at, (at + 1) % out.size());
      default -> out.set(at, node instanceof Meet ? changed((Meet) node) : node);
    }
    return ImmutableList.copyOf(out);
  }

  private Meet changed(Meet meet) {
    return switch (random.nextInt(5)) {
      case 0 -> new Meet(meet.op(), groups(), meet.size(), meet.type(), meet.reduction(), 0);
      case 1 ->
          new Meet(meet.op(), meet.groups(), 360 - meet.size(), meet.type(), meet.reduction(), 0);
      case 2 -> new Meet(meet.op(), meet.groups(), meet.size(), meet.type(), "multiply", 0);
      case 3 ->
          new Meet(
              meet.op(),
              meet.groups(),
              meet.size(),
              meet.type().equals("f32") ? "i32" : "f32",
              meet.reduction(),
              0);
      default ->
          new Meet("all_reduce", meet.groups(), meet.size(), meet.type(), meet.reduction(), 0);
    };
  }
}
