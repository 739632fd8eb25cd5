package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/** {@code c10d.send}, {@code c10d.recv} and {@code c10d.batch_isend_irecv} as events. */
final class P2pCalls {
  static final String SEND = "c10d.send";
  static final String RECV = "c10d.recv";
  static final String BATCH = "c10d.batch_isend_irecv";

  /** The entry that marks a send or receive of XLA's own: its channel. */
  static final String CHANNEL = "channel";

  private static final ImmutableSet<String> ONE = ImmutableSet.of("groups", "peer", "tag", CHANNEL);
  private static final ImmutableSet<String> MANY =
      ImmutableSet.of("groups", "ops", "peers", "tags");

  private P2pCalls() {}

  /** Returns whether calls named {@code target} send or receive. */
  static boolean isTarget(String target) {
    return target.equals(SEND) || target.equals(RECV) || target.equals(BATCH);
  }

  /** Returns {@code send} or {@code receive}, of a call that is one of them. */
  static String verb(CallConfig config) {
    return config.target().equals(SEND) ? "send" : "receive";
  }

  /** Returns for each message whether it is sent; the others are received, torch's into buffers. */
  static ImmutableList<Boolean> sends(CallConfig config) {
    if (!config.target().equals(BATCH)) {
      return ImmutableList.of(config.target().equals(SEND));
    }
    ImmutableList.Builder<Boolean> out = ImmutableList.builder();
    for (String op : config.words("ops")) {
      if (!op.equals("isend") && !op.equals("irecv")) {
        throw config.error("c10d-config", "ops has \"" + op + "\", expected isend or irecv");
      }
      out.add(op.equals("isend"));
    }
    return out.build();
  }

  /**
   * Returns the events of a call, one for each operand.
   *
   * @param config its config
   * @param groups its groups
   * @param call its number in program order
   * @param operands the types of its operands
   * @param results the types of its results, which receives must agree with
   */
  static ImmutableList<P2pEvent> events(
      CallConfig config,
      CallGroups groups,
      int call,
      ImmutableList<TensorType> operands,
      ImmutableList<TensorType> results) {
    boolean batch = config.target().equals(BATCH);
    config.allowOnly(batch ? MANY : ONE);
    ImmutableList<Boolean> sends = sends(config);
    int receives = (int) sends.stream().filter(isSend -> !isSend).count();
    // XLA's receives have no buffer: a rank that gets nothing gets zeros.
    boolean buffers = !config.has(CHANNEL);
    int wanted = buffers ? sends.size() : sends.size() - receives;
    if (operands.size() != wanted || results.size() != receives) {
      throw config.error(
          "c10d-arity",
          String.format(
              "has %d operands and %d results, expected %d and %d",
              operands.size(), results.size(), wanted, receives));
    }
    ImmutableLongArray tags = tags(config, batch, sends.size());
    ImmutableList<ImmutableIntArray> peers = peers(config, batch, groups, sends.size());
    P2pEvent.GroupKeys keys = P2pEvent.GroupKeys.of(groups);
    ImmutableList.Builder<P2pEvent> out = ImmutableList.builder();
    int received = 0;
    for (int i = 0; i < sends.size(); i++) {
      if (buffers && !sends.get(i) && !results.get(received++).isSameShape(operands.get(i))) {
        throw config.error(
            "c10d-type",
            "result "
                + (received - 1)
                + " is "
                + results.get(received - 1)
                + ", expected "
                + operands.get(i));
      }
      out.add(
          new P2pEvent(
              call,
              sends.get(i),
              peers.get(i),
              keys,
              new P2pEvent.Tag(tags.get(i), config.has(CHANNEL), config.integerOr(CHANNEL, 0)),
              operands.isEmpty() ? results.get(i) : operands.get(i),
              config.location()));
    }
    return out.build();
  }

  private static ImmutableLongArray tags(CallConfig config, boolean batch, int count) {
    if (!batch) {
      return ImmutableLongArray.of(config.integerOr("tag", 0));
    }
    if (!config.has("tags")) {
      return ImmutableLongArray.copyOf(new long[count]);
    }
    ImmutableLongArray tags = config.longs("tags");
    if (tags.length() != count) {
      throw config.error("c10d-config", "tags has " + tags.length() + " entries, ops has " + count);
    }
    return tags;
  }

  /** Returns the peer of each rank for each operand: [ranks], or [groups, ranks] in the config. */
  private static ImmutableList<ImmutableIntArray> peers(
      CallConfig config, boolean batch, CallGroups groups, int count) {
    String name = batch ? "peers" : "peer";
    Literal table = config.table(name);
    int width = groups.maxSize();
    int groupCount = groups.groups().size();
    long flat = (long) width * (batch ? count : 1);
    boolean each = table.count() == flat * groupCount && groupCount > 1;
    if (table.type().rank() == (batch ? 1 : 0) && width > 1) {
      throw config.error(
          "c10d-peer",
          name
              + " is of one rank's program; in one text for all ranks give a row by group rank,"
              + " or pass all ranks' programs with --ranks");
    }
    if (!each && table.count() != flat) {
      throw config.error(
          "c10d-peer",
          name
              + " is "
              + table.type()
              + ", expected an entry for each of "
              + width
              + " group ranks"
              + (batch ? " in each of " + count + " rows" : ""));
    }
    ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      int[] peers = new int[groups.grid().size()];
      Arrays.fill(peers, -1);
      for (int g = 0; g < groupCount; g++) {
        ImmutableIntArray group = groups.groups().get(g);
        for (int m = 0; m < group.length(); m++) {
          int row = each ? i * groupCount + g : i;
          peers[group.get(m)] = peer(config, name, group, table.getLong(row * width + m));
        }
      }
      out.add(ImmutableIntArray.copyOf(peers));
    }
    return out.build();
  }

  private static int peer(CallConfig config, String name, ImmutableIntArray group, long place) {
    if (place == -1) {
      return -1;
    }
    if (place < 0 || place >= group.length()) {
      throw config.error(
          "c10d-peer",
          name + " names group rank " + place + ", outside its group of " + group.length());
    }
    return group.get((int) place);
  }
}
