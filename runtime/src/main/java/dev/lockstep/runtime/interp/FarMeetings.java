package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.runtime.transport.ByteWriter;
import dev.lockstep.runtime.transport.DatumCodec;
import dev.lockstep.runtime.transport.Dispatcher;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Brings the members of groups together whose other members are in other processes.
 *
 * <p>The n-th collective of a set of ranks on one member meets the n-th on every other. Each member
 * sends the others what it brings, and what it is at; what a collective gives is a pure function of
 * that, so each member computes it for itself, and nobody depends on a member that has gone on or
 * has ended.
 */
final class FarMeetings {
  /** A group, and the how manieth of its collectives; members ascend. */
  private record Key(ImmutableIntArray members, int number) {}

  /** What a member has brought. */
  private record Brought(Agreement.Side side, ImmutableList<Datum> operands) {}

  private final byte kind;
  private final Dispatcher dispatcher;
  private final Map<ImmutableIntArray, Integer> counts = new HashMap<>();

  /** What others have brought to meetings that this rank has not come to. */
  private final Map<Key, TreeMap<Integer, Brought>> early = new HashMap<>();

  private final Map<Key, FarMeeting> open = new HashMap<>();

  FarMeetings(byte kind, Dispatcher dispatcher) {
    this.kind = kind;
    this.dispatcher = dispatcher;
    dispatcher.handle(kind, this::take);
  }

  /** Notes that this rank has come to the collective {@code plan}. */
  Pending arrive(
      Holder holder,
      int device,
      OpPlan plan,
      ImmutableList<ImmutableList<Datum>> captured,
      ImmutableList<Datum> operands) {
    ImmutableIntArray members = holder.members(device, plan);
    if (members.isEmpty()) {
      return new Pending.Ready(plan.operation, holder.outside(device, plan, operands));
    }
    int[] sorted = members.toArray();
    Arrays.sort(sorted);
    ImmutableIntArray group = ImmutableIntArray.copyOf(sorted);
    Key key = new Key(group, counts.merge(group, 1, Integer::sum) - 1);
    Agreement.Side side = new Agreement.Side(device, plan.description(), members);
    send(key, side, operands);
    FarMeeting meeting = new FarMeeting(key, holder, plan, captured, side);
    meeting.bring(new Brought(side, operands));
    TreeMap<Integer, Brought> others = early.remove(key);
    if (others != null) {
      others.values().forEach(meeting::bring);
    }
    if (!meeting.isReady()) {
      open.put(key, meeting);
    }
    return meeting;
  }

  private void send(Key key, Agreement.Side side, ImmutableList<Datum> operands) {
    ImmutableIntArray.Builder others = ImmutableIntArray.builder();
    key.members().stream().filter(member -> member != side.device()).forEach(others::add);
    ByteWriter out = Dispatcher.begin(kind);
    out.number(key.members().length());
    side.members().forEach(out.room(Math.multiplyExact(4, side.members().length()))::putInt);
    out.room(Integer.BYTES).putInt(key.number());
    CallCodec.write(side.call(), out);
    DatumCodec.write(operands, out);
    dispatcher.send(others.build(), out);
  }

  private void take(int source, ByteBuffer in) {
    int size = ByteWriter.number(in);
    int[] members = new int[size];
    for (int i = 0; i < size; i++) {
      members[i] = in.getInt();
    }
    ImmutableIntArray order = ImmutableIntArray.copyOf(members);
    Arrays.sort(members);
    Key key = new Key(ImmutableIntArray.copyOf(members), in.getInt());
    checkArgument(
        order.contains(source) && order.contains(dispatcher.rank()),
        "it is not for the group %s",
        order);
    Agreement.Side side = new Agreement.Side(source, CallCodec.read(in), order);
    Brought brought = new Brought(side, DatumCodec.read(in));
    FarMeeting meeting = open.get(key);
    if (meeting == null) {
      early.computeIfAbsent(key, k -> new TreeMap<>()).put(source, brought);
      return;
    }
    meeting.bring(brought);
    if (meeting.isReady()) {
      open.remove(key);
    }
  }

  /** One collective that this rank has come to. */
  private static final class FarMeeting implements Pending {
    private final Key key;
    private final Holder holder;
    private final OpPlan plan;
    private final ImmutableList<ImmutableList<Datum>> captured;
    private final Agreement.Side own;
    private final Map<Integer, ImmutableList<Datum>> operands = new TreeMap<>();
    private ImmutableList<Datum> results = ImmutableList.of();
    private boolean ready;

    FarMeeting(
        Key key,
        Holder holder,
        OpPlan plan,
        ImmutableList<ImmutableList<Datum>> captured,
        Agreement.Side own) {
      this.key = key;
      this.holder = holder;
      this.plan = plan;
      this.captured = captured;
      this.own = own;
    }

    void bring(Brought brought) {
      int device = brought.side().device();
      // The lower device first, so that both sides say the same.
      if (device < own.device()) {
        Agreement.check(brought.side(), own, key.number());
      } else if (device > own.device()) {
        Agreement.check(own, brought.side(), key.number());
      }
      operands.put(device, brought.operands());
      if (operands.size() == own.members().length()) {
        hold();
      }
    }

    private void hold() {
      ImmutableList.Builder<ImmutableList<Datum>> all = ImmutableList.builder();
      own.members().forEach(member -> all.add(operands.getOrDefault(member, ImmutableList.of())));
      results =
          holder
              .hold(own.device(), plan, captured, own.members(), all.build())
              .get(own.members().indexOf(own.device()));
      operands.clear();
      ready = true;
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public ImmutableList<Datum> results() {
      return results;
    }

    @Override
    public Operation operation() {
      return plan.operation;
    }

    @Override
    public String awaited() {
      return Wording.devices(missing()) + " of the group " + own.members();
    }

    @Override
    public ImmutableList<Integer> missing() {
      return ready
          ? ImmutableList.of()
          : key.members().stream()
              .filter(member -> !operands.containsKey(member))
              .boxed()
              .collect(ImmutableList.toImmutableList());
    }
  }
}
