package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds in the blocks of all ranks that run together the calls and the parts with calls inside.
 *
 * <p>Loops, functions and branches of one kind correspond by their number in the block; where ranks
 * have different numbers of them, by their number among those with calls inside.
 */
final class SetParts {
  private final List<Module> ranks;
  private final DeviceGrid grid;
  private final boolean withCollectives;
  private final List<Map<Block, Boolean>> known = new ArrayList<>();

  /**
   * Creates a reader.
   *
   * @param withCollectives whether XLA's own collectives are parts too
   */
  SetParts(List<Module> ranks, DeviceGrid grid, boolean withCollectives) {
    this.ranks = ranks;
    this.grid = grid;
    this.withCollectives = withCollectives;
    ranks.forEach(module -> known.add(new IdentityHashMap<>()));
  }

  /**
   * Returns the items of each rank in program order.
   *
   * @param blocks the block of each rank, null for a rank that does not come to it
   */
  ImmutableList<ImmutableList<SetItem>> of(List<@Nullable Block> blocks) {
    Map<String, Kind> kinds = new HashMap<>();
    for (int rank = 0; rank < blocks.size(); rank++) {
      Block block = blocks.get(rank);
      if (block != null) {
        for (Operation operation : block.operations()) {
          if (isCode(operation)) {
            kinds
                .computeIfAbsent(operation.def().name(), name -> new Kind(blocks.size()))
                .add(rank, hasItems(rank, operation));
          }
        }
      }
    }
    ImmutableList.Builder<ImmutableList<SetItem>> out = ImmutableList.builder();
    for (int rank = 0; rank < blocks.size(); rank++) {
      Block block = blocks.get(rank);
      out.add(block == null ? ImmutableList.of() : items(rank, block, kinds));
    }
    return out.build();
  }

  /** How often code of one kind stands in the blocks of the ranks, and where it holds calls. */
  private static final class Kind {
    private final List<List<Boolean>> having = new ArrayList<>();

    Kind(int ranks) {
      for (int rank = 0; rank < ranks; rank++) {
        having.add(new ArrayList<>());
      }
    }

    void add(int rank, boolean has) {
      having.get(rank).add(has);
    }

    /** Returns the number by which rank's {@code i}-th corresponds, or -1 when it is no part. */
    int number(int rank, int i) {
      boolean alike =
          having.stream().filter(all -> !all.isEmpty()).map(List::size).distinct().count() == 1;
      if (alike) {
        return having.stream().anyMatch(all -> i < all.size() && all.get(i)) ? i : -1;
      }
      List<Boolean> mine = having.get(rank);
      return mine.get(i) ? (int) mine.subList(0, i).stream().filter(has -> has).count() : -1;
    }
  }

  private ImmutableList<SetItem> items(int rank, Block block, Map<String, Kind> kinds) {
    ImmutableList.Builder<SetItem> out = ImmutableList.builder();
    Map<String, Integer> seen = new HashMap<>();
    for (Operation operation : block.operations()) {
      if (CallReader.isCall(operation)) {
        out.add(SetCall.of(rank, ranks.size(), operation));
      } else if (isCode(operation)) {
        String name = operation.def().name();
        Kind kind = kinds.get(name);
        int number = kind == null ? -1 : kind.number(rank, seen.merge(name, 1, Integer::sum) - 1);
        if (number >= 0) {
          ImmutableList<Block> bodies = Bodies.of(operation, ranks.get(rank));
          out.add(new SetPart(rank, operation, name + " number " + number, bodies, null));
        }
      } else if (withCollectives) {
        ImmutableIntArray group = group(rank, operation);
        if (group != null) {
          out.add(new SetPart(rank, operation, operation.def().name(), ImmutableList.of(), group));
        }
      }
    }
    return out.build();
  }

  private static boolean isCode(Operation operation) {
    return operation.def().semantics() instanceof Semantics.Control control
        && control != Semantics.Control.ASYNC_START
        && (!operation.regions().isEmpty() || !Bodies.callees(operation).isEmpty());
  }

  private boolean hasItems(int rank, Operation operation) {
    for (Block body : Bodies.of(operation, ranks.get(rank))) {
      if (hasItems(rank, body)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasItems(int rank, Block block) {
    Boolean found = known.get(rank).get(block);
    if (found != null) {
      return found;
    }
    // What calls itself has none of its own at first, so that the search ends.
    known.get(rank).put(block, false);
    boolean has = false;
    for (Operation operation : block.operations()) {
      has |=
          CallReader.isCall(operation)
              || isCode(operation) && hasItems(rank, operation)
              || withCollectives && group(rank, operation) != null;
    }
    known.get(rank).put(block, has);
    return has;
  }

  /** Returns whom {@code rank} meets in a collective of XLA's own; null when it is none. */
  private @Nullable ImmutableIntArray group(int rank, Operation operation) {
    Module module = ranks.get(rank);
    Operation collective = Collectives.collective(operation, module);
    if (collective == null
        || !(collective.def().semantics() instanceof Semantics.Collective meaning)) {
      return null;
    }
    MemberOrder order =
        module.syntax() == Syntax.HLO ? MemberOrder.REPLICA_MAJOR : MemberOrder.PARTITION_MAJOR;
    try {
      ProcessGroups groups = meaning.groups(collective, grid, order);
      int mine = groups.groupOf(rank);
      return mine < 0 ? null : groups.groups().get(mine);
    } catch (IllegalArgumentException e) {
      // Groups that make no sense are for the verifier; they hold nobody up here.
      return null;
    }
  }
}
