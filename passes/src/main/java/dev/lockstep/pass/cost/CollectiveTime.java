package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllGatherStart;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllReduceStart;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.CollectivePermuteStart;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.CrossReplicaSum;
import dev.lockstep.hlo.op.collective.RaggedAllToAll;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.type.Type;
import java.util.HashMap;
import java.util.Map;

/**
 * How long collectives take.
 *
 * <p>With n members and b bytes that go in and come out at each, rings move (n-1)/n of the larger
 * side for all-gather, reduce-scatter and all-to-all, twice that for all-reduce, and everything for
 * a permute or broadcast; every step along a dimension of the network adds a hop. Bytes go at the
 * rate of the narrowest place: a device's links within its domain, or, when the group leaves the
 * domain, what the members in one domain send out together.
 */
public final class CollectiveTime {
  private enum Kind {
    GATHER,
    SCATTER,
    REDUCE,
    EXCHANGE,
    MOVE
  }

  private static final Map<OpDef, Kind> KINDS =
      Map.of(
          AllGather.DEF, Kind.GATHER,
          AllGatherStart.DEF, Kind.GATHER,
          ReduceScatter.DEF, Kind.SCATTER,
          AllReduce.DEF, Kind.REDUCE,
          AllReduceStart.DEF, Kind.REDUCE,
          CrossReplicaSum.DEF, Kind.REDUCE,
          AllToAll.DEF, Kind.EXCHANGE,
          RaggedAllToAll.DEF, Kind.EXCHANGE,
          CollectivePermute.DEF, Kind.MOVE,
          CollectivePermuteStart.DEF, Kind.MOVE);

  private final DeviceModel device;
  private final DeviceGrid grid;
  private final MemberOrder order;

  /** Creates the model for a program on {@code grid}, whose members stand in {@code order}. */
  public CollectiveTime(DeviceModel device, DeviceGrid grid, MemberOrder order) {
    this.device = device;
    this.grid = grid;
    this.order = order;
  }

  /**
   * Returns the seconds that {@code collective} takes.
   *
   * @throws IllegalArgumentException if its groups make no sense on the grid
   */
  public double seconds(Operation collective) {
    Kind kind = KINDS.getOrDefault(collective.def(), Kind.MOVE);
    long in = bytes(collective.operandTypes());
    if (kind == Kind.MOVE && !Collectives.pairs(collective).isEmpty()) {
      return moved(collective, in);
    }
    ProcessGroups groups = Collectives.processGroups(collective, grid, order);
    double longest = 0;
    for (ImmutableIntArray group : groups.groups()) {
      longest = Math.max(longest, seconds(kind, group, in));
    }
    return longest;
  }

  private static long bytes(ImmutableList<Type> types) {
    return types.stream().mapToLong(Sizes::bytes).sum();
  }

  private double seconds(Kind kind, ImmutableIntArray group, long in) {
    int n = group.length();
    if (n <= 1) {
      return 0;
    }
    double share = (n - 1.0) / n;
    double sent =
        switch (kind) {
          case GATHER -> share * in * n;
          case SCATTER, EXCHANGE -> share * in;
          case REDUCE -> 2 * share * in;
          case MOVE -> in;
        };
    double axes = device.get(DeviceConstant.NETWORK_AXES);
    double hops = axes * (Math.ceil(Math.pow(n, 1 / axes) - 1e-9) - 1);
    double steps = kind == Kind.MOVE ? 1 : kind == Kind.REDUCE ? 2 * hops : hops;
    return device.get(DeviceConstant.COLLECTIVE_LATENCY)
        + (steps - 1) * device.get(DeviceConstant.HOP_LATENCY)
        + sent / rate(group, kind);
  }

  /** Returns the bytes a second that each member sends, in B/s. */
  private double rate(ImmutableIntArray group, Kind kind) {
    int domain = (int) Math.max(1, device.get(DeviceConstant.DOMAIN_SIZE));
    Map<Integer, Integer> inDomain = new HashMap<>();
    for (int i = 0; i < group.length(); i++) {
      inDomain.merge(group.get(i) / domain, 1, Integer::sum);
    }
    double peer = device.get(DeviceConstant.PEER_RATE);
    int peers = kind == Kind.MOVE ? 1 : group.length() - 1;
    double inside = Math.min(device.get(DeviceConstant.DOMAIN_RATE), peers * peer);
    double efficiency = device.get(DeviceConstant.LINK_EFFICIENCY);
    if (inDomain.size() == 1) {
      return efficiency * inside;
    }
    // What one domain's members have to get in comes through all their ways out at once.
    int fewest = inDomain.values().stream().mapToInt(Integer::intValue).min().orElse(1);
    double outside = fewest * device.get(DeviceConstant.OUTSIDE_RATE);
    return efficiency * Math.min(device.get(DeviceConstant.DOMAIN_RATE), outside);
  }

  private double moved(Operation permute, long in) {
    int domain = (int) Math.max(1, device.get(DeviceConstant.DOMAIN_SIZE));
    boolean leaves = false;
    for (ImmutableLongArray pair : Collectives.pairs(permute)) {
      leaves |= pair.get(0) / domain != pair.get(1) / domain;
    }
    double rate =
        leaves
            ? device.get(DeviceConstant.OUTSIDE_RATE)
            : Math.min(
                device.get(DeviceConstant.PEER_RATE), device.get(DeviceConstant.DOMAIN_RATE));
    return device.get(DeviceConstant.COLLECTIVE_LATENCY)
        + in / (rate * device.get(DeviceConstant.LINK_EFFICIENCY));
  }
}
