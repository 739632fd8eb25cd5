package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.CollectiveSignature;
import dev.lockstep.pass.region.CollectiveSite;
import dev.lockstep.pass.region.Transfer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes the loops and branches that strands stand before.
 *
 * <p>Ranks that talk to each other inside, and to nobody else, take a loop together when they go
 * round equally often: then one round, from values of which only is known which of them all ranks
 * have alike, stands for all. They take a branch together when they choose alike: then each body
 * must work out. Loops that cannot be taken so are gone round one by one where their conditions are
 * known.
 */
final class Decisions {
  private final Simulation simulation;
  private final Map<Strand, Failure> failures = new IdentityHashMap<>();
  private final Map<Operation, ImmutableList<CollectiveSite>> sites = new IdentityHashMap<>();
  private @Nullable Failure certain;

  Decisions(Simulation simulation) {
    this.simulation = simulation;
  }

  /** Returns why the decision that {@code strand} stands before cannot be taken, or null. */
  @Nullable Failure failure(Strand strand) {
    return failures.get(strand);
  }

  /** Returns a failure that happens whichever way a branch goes, or null. */
  @Nullable Failure certain() {
    return certain;
  }

  /** Takes what can be taken; returns whether a strand can move now. */
  boolean take() {
    TreeMap<Integer, Strand> parked = new TreeMap<>();
    for (Strand strand : simulation.strands()) {
      if (isParked(strand)) {
        parked.put(strand.rank(), strand);
      }
    }
    boolean moved = false;
    for (List<Strand> together : together(parked)) {
      moved |= takeTogether(together);
    }
    if (!moved) {
      for (List<Strand> together : closed(parked)) {
        moved |= together.stream().allMatch(Decisions::isParked) && takeTogether(together);
      }
    }
    if (moved || certain != null) {
      return moved;
    }
    for (Strand strand : parked.values()) {
      if (strand.waiting instanceof Wait.ForLoop) {
        Wait.ForLoop wait = (Wait.ForLoop) strand.waiting;
        Frame frame = requireNonNull(strand.top);
        Frame.Loop loop = requireNonNull(frame.loop);
        if (wait.condition().known() != null) {
          Failure failure = failures.remove(strand);
          loop.unlike = failure == null ? Undecided.notTogether(strand) : failure;
          simulation.release(strand);
          simulation.round(strand, frame, wait.enter(), wait.condition());
          moved = true;
        }
      }
    }
    return moved;
  }

  /** Returns the sets of ranks that talk only to each other inside and all stand before it. */
  private List<List<Strand>> together(NavigableMap<Integer, Strand> parked) {
    Components components = new Components(simulation.job().grid().size());
    for (Strand strand : parked.values()) {
      for (CollectiveSite site : sites(strand)) {
        join(strand.rank(), site, components);
      }
    }
    Map<Integer, List<Strand>> byComponent = new TreeMap<>();
    for (Strand strand : parked.values()) {
      byComponent
          .computeIfAbsent(components.of(strand.rank()), unused -> new ArrayList<>())
          .add(strand);
    }
    List<List<Strand>> out = new ArrayList<>();
    for (List<Strand> strands : byComponent.values()) {
      if (strands.size() == components.size(strands.get(0).rank())) {
        out.add(strands);
      }
    }
    return out;
  }

  private static boolean isParked(Strand strand) {
    return strand.waiting instanceof Wait.ForLoop || strand.waiting instanceof Wait.ForBranch;
  }

  /**
   * Returns the smaller sets of ranks that talk only to each other inside what they stand before,
   * although others mean to talk to them in what those stand before; the smallest first.
   */
  private List<List<Strand>> closed(NavigableMap<Integer, Strand> parked) {
    List<List<Strand>> out = new ArrayList<>();
    Set<Set<Integer>> seen = new HashSet<>();
    for (Strand start : parked.values()) {
      TreeSet<Integer> reached = new TreeSet<>();
      ArrayDeque<Integer> work = new ArrayDeque<>(List.of(start.rank()));
      reached.add(start.rank());
      while (!work.isEmpty()) {
        Strand strand = parked.get(work.remove());
        if (strand == null) {
          reached.clear();
          break;
        }
        for (int peer : peers(strand)) {
          if (reached.add(peer)) {
            work.add(peer);
          }
        }
      }
      if (!reached.isEmpty() && seen.add(reached)) {
        out.add(reached.stream().map(parked::get).collect(Collectors.toList()));
      }
    }
    out.sort(Comparator.comparingInt(List::size));
    return out;
  }

  /** Returns the ranks that {@code strand} talks to inside what it stands before. */
  private SortedSet<Integer> peers(Strand strand) {
    TreeSet<Integer> out = new TreeSet<>();
    DeviceGrid grid = simulation.job().grid();
    for (CollectiveSite site : sites(strand)) {
      CollectiveSignature signature = site.signature(grid, strand.rank());
      if (signature != null) {
        out.addAll(signature.group().asList());
      }
      for (Transfer transfer : site.transfers(grid, strand.rank())) {
        if (transfer.peer() >= 0) {
          out.add(transfer.peer());
        } else {
          simulation.strands().forEach(other -> out.add(other.rank()));
        }
      }
    }
    return out;
  }

  private void join(int rank, CollectiveSite site, Components components) {
    CollectiveSignature signature = site.signature(simulation.job().grid(), rank);
    if (signature != null) {
      simulation.room().join(rank, signature, components);
    }
    for (Transfer transfer : site.transfers(simulation.job().grid(), rank)) {
      if (transfer.peer() >= 0) {
        components.join(rank, transfer.peer());
      } else {
        for (Strand strand : simulation.strands()) {
          components.join(rank, strand.rank());
        }
      }
    }
  }

  private static Steps.Enter enter(Strand strand) {
    return strand.waiting instanceof Wait.ForLoop
        ? ((Wait.ForLoop) strand.waiting).enter()
        : ((Wait.ForBranch) requireNonNull(strand.waiting)).enter();
  }

  private ImmutableList<CollectiveSite> sites(Strand strand) {
    Steps.Enter enter = enter(strand);
    return sites.computeIfAbsent(
        enter.operation(),
        operation -> {
          ImmutableList.Builder<CollectiveSite> out = ImmutableList.builder();
          for (Block body : enter.bodies()) {
            addSites(requireNonNull(strand.top).module, body, out);
          }
          return out.build();
        });
  }

  private static void addSites(
      Steps module, Block block, ImmutableList.Builder<CollectiveSite> out) {
    for (Steps.Step step : module.of(block)) {
      if (step instanceof Steps.Come) {
        out.add(((Steps.Come) step).site());
      } else if (step instanceof Steps.Enter) {
        ((Steps.Enter) step).bodies().forEach(body -> addSites(module, body, out));
      }
    }
  }

  private boolean takeTogether(List<Strand> strands) {
    boolean loops = strands.stream().allMatch(strand -> strand.waiting instanceof Wait.ForLoop);
    boolean branches =
        strands.stream().allMatch(strand -> strand.waiting instanceof Wait.ForBranch);
    if (loops) {
      for (Strand strand : strands) {
        if (requireNonNull(requireNonNull(strand.top).loop).unlike != null) {
          return false;
        }
      }
      return new LoopTogether(simulation, strands, this).take();
    }
    return branches && takeBranch(strands);
  }

  void fail(List<Strand> strands, Failure failure) {
    strands.forEach(strand -> failures.put(strand, failure));
  }

  private boolean takeBranch(List<Strand> strands) {
    Strand first = strands.get(0);
    Wait.ForBranch chosen = (Wait.ForBranch) requireNonNull(first.waiting);
    for (Strand strand : strands) {
      Wait.ForBranch other = (Wait.ForBranch) requireNonNull(strand.waiting);
      if (!other.selector().sameAs(chosen.selector())
          || other.enter().bodies().size() != chosen.enter().bodies().size()) {
        fail(strands, Undecided.of(strand, other.selector(), null));
        return false;
      }
    }
    Failure failure = null;
    int failing = 0;
    List<List<ImmutableList<Sym>>> returned = new ArrayList<>();
    int bodies = chosen.enter().bodies().size();
    for (int body = 0; body < bodies; body++) {
      List<Strand> inner = new ArrayList<>();
      for (Strand strand : strands) {
        Steps.Enter enter = enter(strand);
        Frame frame = requireNonNull(strand.top);
        inner.add(
            new Strand(
                strand,
                Evaluator.enter(
                    frame,
                    enter.operation(),
                    enter.bodies().get(body),
                    Simulation.branchArguments(strand, frame, enter, body))));
      }
      Failure of = runInside(inner);
      if (of != null) {
        failing += isLasting(of) ? 1 : 0;
        failure = failure == null || !isLasting(failure) && isLasting(of) ? of : failure;
      }
      returned.add(returned(inner));
    }
    if (failure != null) {
      if (failing == bodies) {
        certain = failure;
      }
      fail(strands, Undecided.of(first, chosen.selector(), failure));
      return false;
    }
    finish(strands, returned);
    return true;
  }

  /**
   * Returns whether a body that does not work out by itself cannot work out with what comes after
   * it either: who waits for one that is done with its body may still meet it later.
   */
  private static boolean isLasting(Failure failure) {
    return failure.isCertain()
        && (failure.kind() != Failure.Kind.STALL || !failure.cycle().isEmpty());
  }

  /** Runs {@code inner} apart from the rest; returns why that does not work out, or null. */
  @Nullable Failure runInside(List<Strand> inner) {
    Simulation inside = new Simulation(simulation.job(), inner);
    Failure failure = inside.run();
    if (failure != null) {
      return failure;
    }
    return simulation.room().isBusyFor(inside.room()) || simulation.post().isBusyFor(inside.post())
        ? Undecided.notTogether(inner.get(0))
        : null;
  }

  /** Returns the parts of what each strand's body gives back. */
  static List<ImmutableList<Sym>> returned(List<Strand> inner) {
    List<ImmutableList<Sym>> out = new ArrayList<>();
    for (Strand strand : inner) {
      Frame frame = requireNonNull(strand.bottom);
      ImmutableList.Builder<Sym> leaves = ImmutableList.builder();
      for (Value value : frame.block.returned()) {
        strand.evaluator().value(frame, value).addLeaves(value.type(), leaves);
      }
      out.add(leaves.build());
    }
    return out;
  }

  /** Gives the strands the results of a branch: alike where all bodies give all ranks the same. */
  private void finish(List<Strand> strands, List<List<ImmutableList<Sym>>> returned) {
    long number = simulation.job().number();
    for (int s = 0; s < strands.size(); s++) {
      Strand strand = strands.get(s);
      Operation operation = enter(strand).operation();
      Origin origin = new Origin("the result of a branch", operation.location());
      int[] next = {0};
      ImmutableList.Builder<Sym> results = ImmutableList.builder();
      for (Value result : operation.results()) {
        Type type = result.type();
        results.add(
            Simulation.build(
                type,
                unused -> {
                  int leaf = next[0]++;
                  return isAlike(returned, leaf)
                      ? Sym.shared("branch", number, leaf)
                      : strand.evaluator().own(origin);
                }));
      }
      simulation.finish(strand, requireNonNull(strand.top), results.build());
    }
  }

  private static boolean isAlike(List<List<ImmutableList<Sym>>> returned, int leaf) {
    for (List<ImmutableList<Sym>> ofBody : returned) {
      for (ImmutableList<Sym> ofStrand : ofBody) {
        if (leaf >= ofStrand.size()
            || leaf >= ofBody.get(0).size()
            || !ofStrand.get(leaf).sameAs(ofBody.get(0).get(leaf))) {
          return false;
        }
      }
    }
    return true;
  }
}
