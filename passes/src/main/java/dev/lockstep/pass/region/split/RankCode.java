package dev.lockstep.pass.region.split;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.AsyncStart;
import dev.lockstep.hlo.op.collective.Collectives;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * All programs of one rank as one sequence: region 0, site 0, region 1, and so on. A site is an
 * operation that communicates, with what follows it; a region is what stands between two sites. A
 * region in which one program ends and another begins has a part of each.
 */
final class RankCode {
  /** Consecutive operations of one program, maybe none. */
  record Part(Flow flow, List<Operation> operations) {}

  /**
   * An operation that communicates, and those that finish what it started.
   *
   * @param isNested whether communication is inside a loop or branch
   */
  record Site(Part part, boolean isNested) {
    Operation head() {
      return part.operations().get(0);
    }

    Flow flow() {
      return part.flow();
    }
  }

  private final ImmutableList<Flow> flows;
  private final List<List<Part>> regions = new ArrayList<>();
  private final List<Site> sites = new ArrayList<>();

  private RankCode(List<Flow> flows) {
    this.flows = ImmutableList.copyOf(flows);
    regions.add(new ArrayList<>());
    flows.forEach(this::add);
  }

  static RankCode of(List<Flow> flows) {
    return new RankCode(flows);
  }

  private void add(Flow flow) {
    Map<Value, Part> owners = new IdentityHashMap<>();
    Part region = open(flow);
    for (Operation operation : flow.operations()) {
      Part part = region;
      if (Communication.follows(operation)
          && flow.tree(operation.operand(0)) instanceof Tree.Leaf leaf
          && owners.containsKey(leaf.base())) {
        part = owners.get(leaf.base());
        part.operations().add(operation);
      } else if (flow.communication().in(operation)) {
        part = new Part(flow, new ArrayList<>(List.of(operation)));
        sites.add(new Site(part, isNested(flow, operation)));
        regions.add(new ArrayList<>());
        region = open(flow);
      } else {
        region.operations().add(operation);
      }
      for (Value result : operation.results()) {
        owners.put(result, part);
      }
    }
  }

  private static boolean isNested(Flow flow, Operation operation) {
    return flow.communication().isNested(operation)
        && !(operation.is(AsyncStart.DEF)
            && Collectives.collective(operation, flow.module()) != null);
  }

  private Part open(Flow flow) {
    Part part = new Part(flow, new ArrayList<>());
    regions.get(regions.size() - 1).add(part);
    return part;
  }

  /** Gives the cheap {@code leaf} in the region before site {@code site}, unless one gives it. */
  void keep(Tree.Leaf leaf, int site) {
    Operation operation = requireNonNull(leaf.flow().repeated(leaf));
    boolean isKept =
        regions.stream()
            .flatMap(List::stream)
            .anyMatch(part -> part.flow() == leaf.flow() && part.operations().contains(operation));
    if (!isKept) {
      List<Part> before = regions.get(site);
      before.get(before.size() - 1).operations().add(operation);
    }
  }

  /** Returns the programs in the order in which they run. */
  ImmutableList<Flow> flows() {
    return flows;
  }

  /** Returns the regions, one more than sites; each has one part for each program in it. */
  List<List<Part>> regions() {
    return regions;
  }

  /** Returns the sites in program order. */
  List<Site> sites() {
    return sites;
  }
}
