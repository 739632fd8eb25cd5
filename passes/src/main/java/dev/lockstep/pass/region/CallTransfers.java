package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKeys;
import org.jspecify.annotations.Nullable;

/**
 * {@code c10d.send}, {@code c10d.recv} and {@code c10d.batch_isend_irecv}: which messages each rank
 * sends and receives.
 */
final class CallTransfers extends CallMeaning {
  private static final String SEND = "c10d.send";
  private static final String BATCH = "c10d.batch_isend_irecv";

  /** The calls that exchange messages. */
  static final ImmutableSet<String> TARGETS = ImmutableSet.of(SEND, "c10d.recv", BATCH);

  CallTransfers(Operation call) {
    super(call);
  }

  @Override
  boolean isTransfer() {
    return true;
  }

  /** Returns whether each operand is sent; the others are buffers to receive in. */
  private ImmutableList<Boolean> sends() {
    if (!name().equals(BATCH)) {
      return ImmutableList.of(name().equals(SEND));
    }
    Attribute ops = config().get("ops");
    if (!(ops instanceof Attribute.Array)) {
      throw error("'ops' must be a list of \"isend\" and \"irecv\"");
    }
    ImmutableList.Builder<Boolean> out = ImmutableList.builder();
    for (Attribute op : ((Attribute.Array) ops).elements()) {
      out.add("isend".equals(AttrKeys.asWord(op)));
    }
    return out.build();
  }

  @Override
  ImmutableList<Transfer> transfers(DeviceGrid grid, int rank) {
    ProcessGroups groups = resolved(grid);
    int index = groups.groupOf(rank);
    if (index < 0) {
      return ImmutableList.of();
    }
    ImmutableIntArray group = groups.groups().get(index);
    ImmutableList<Boolean> sends = sends();
    boolean batch = name().equals(BATCH);
    ImmutableLongArray peers = numbers(batch ? "peers" : "peer");
    ImmutableLongArray tags =
        config().has(batch ? "tags" : "tag")
            ? numbers(batch ? "tags" : "tag")
            : ImmutableLongArray.copyOf(new long[sends.size()]);
    if (peers == null || tags == null || call().operands().size() != sends.size()) {
      throw error("needs a peer, a tag and an operand for each of " + sends.size() + " messages");
    }
    ImmutableList.Builder<Transfer> out = ImmutableList.builder();
    for (int i = 0; i < sends.size(); i++) {
      long place = peer(peers, i, sends.size(), groups, index, rank);
      if (place == -1) {
        continue;
      }
      if (place < 0 || place >= group.length()) {
        throw error("peer is " + place + ", outside its group of " + group.length() + " ranks");
      }
      out.add(
          new Transfer(
              sends.get(i),
              rank,
              group.get((int) place),
              group,
              tags.get(tags.length() == 1 ? 0 : i),
              plain(ImmutableList.of(call().operand(i).type()))));
    }
    return out.build();
  }

  /**
   * Returns the group rank of the peer of message {@code i}: one number a message in a program of
   * one rank; a row by group rank, or such a row for each group, in one text for all.
   */
  private long peer(
      ImmutableLongArray peers, int i, int count, ProcessGroups groups, int index, int rank) {
    int width = groups.maxGroupSize();
    int place = groups.indexInGroup(rank);
    if (peers.length() == count && (count > 1 || isScalar() || width == 1)) {
      return peers.get(i);
    }
    if (peers.length() == count * width) {
      return peers.get(i * width + place);
    }
    if (peers.length() == count * width * groups.groups().size()) {
      return peers.get((i * groups.groups().size() + index) * width + place);
    }
    if (peers.length() == count) {
      return peers.get(i);
    }
    throw error(
        "has " + peers.length() + " peers for " + count + " messages in groups of " + width);
  }

  private boolean isScalar() {
    Attribute peer = config().get("peer");
    return peer != null && AttrKeys.asLong(peer) != null;
  }

  private @Nullable ImmutableLongArray numbers(String name) {
    Attribute value = config().get(name);
    if (value == null) {
      return null;
    }
    Long one = AttrKeys.asLong(value);
    if (one != null) {
      return ImmutableLongArray.of(one);
    }
    ImmutableLongArray flat = AttrKeys.asLongs(value);
    ImmutableList<ImmutableLongArray> rows = flat == null ? AttrKeys.asRows(value) : null;
    if (rows == null) {
      return flat;
    }
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    rows.forEach(out::addAll);
    return out.build();
  }
}
