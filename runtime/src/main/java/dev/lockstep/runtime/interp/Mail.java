package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives on their way, first in first out for each channel and pair of devices. Without
 * pairs any receive on the channel takes the oldest send of another device.
 */
final class Mail implements Post {
  /** One send or one receive; the two sides of a match hold each other. */
  private static final class Letter implements Pending {
    final int device;
    final Operation operation;
    final int peer;
    final boolean isSend;
    final boolean waits;
    final ImmutableList<Datum> data;
    @Nullable Letter match;

    Letter(
        int device,
        Operation operation,
        int peer,
        boolean isSend,
        boolean waits,
        ImmutableList<Datum> data) {
      this.device = device;
      this.operation = operation;
      this.peer = peer;
      this.isSend = isSend;
      this.waits = waits;
      this.data = data;
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public boolean isReady() {
      return !waits || match != null;
    }

    @Override
    public ImmutableList<Datum> results() {
      Letter other = match;
      return isSend || other == null
          ? ImmutableList.of(Datum.Token.TOKEN)
          : Transfers.received(other.data);
    }

    @Override
    public String awaited() {
      return (peer == Transfers.ANYBODY ? "somebody" : "device " + peer)
          + (isSend ? " to receive on channel " : " to send on channel ")
          + Transfers.channel(operation);
    }

    @Override
    public ImmutableList<Integer> missing() {
      return peer == Transfers.ANYBODY ? ImmutableList.of() : ImmutableList.of(peer);
    }
  }

  private final DeviceGrid grid;
  private final Transfers transfers;
  private final boolean rendezvous;
  private final Map<Transfers.Way, ArrayDeque<Letter>> sends = new TreeMap<>();
  private final Map<Transfers.Way, ArrayDeque<Letter>> receives = new TreeMap<>();

  Mail(DeviceGrid grid, boolean rendezvous) {
    this.grid = grid;
    this.transfers = new Transfers(grid);
    this.rendezvous = rendezvous;
  }

  @Override
  public Pending send(int device, Operation operation, ImmutableList<Datum> operands) {
    if (transfers.isToHost(operation)) {
      return Transfers.done(operation);
    }
    Transfers.Way way = transfers.sending(operation, device);
    if (way == null) {
      return Transfers.done(operation);
    }
    ImmutableList<Datum> data = Transfers.data(operands);
    Letter letter = new Letter(device, operation, way.target(), true, rendezvous, data);
    post(letter, way, sends, receives);
    return letter;
  }

  @Override
  public Pending receive(int device, Operation operation) {
    Transfers.Way way = transfers.receiving(operation, device);
    if (way == null) {
      return new Pending.Ready(operation, Transfers.zeros(operation));
    }
    Letter letter = new Letter(device, operation, way.source(), false, true, ImmutableList.of());
    post(letter, way, receives, sends);
    return letter;
  }

  private void post(
      Letter letter,
      Transfers.Way way,
      Map<Transfers.Way, ArrayDeque<Letter>> own,
      Map<Transfers.Way, ArrayDeque<Letter>> opposite) {
    ArrayDeque<Letter> waiting = opposite.get(way);
    Letter other = waiting == null ? null : take(waiting, letter);
    if (other == null) {
      own.computeIfAbsent(way, w -> new ArrayDeque<>()).add(letter);
    } else {
      other.match = letter;
      letter.match = other;
    }
  }

  /** Takes the oldest of {@code waiting} that can be the other end of {@code letter}. */
  private @Nullable Letter take(ArrayDeque<Letter> waiting, Letter letter) {
    // Nobody writes to itself while there are others to write to.
    boolean mayBeOwn = letter.peer != Transfers.ANYBODY || grid.size() == 1;
    for (Letter other : waiting) {
      if (mayBeOwn || other.device != letter.device) {
        waiting.remove(other);
        return other;
      }
    }
    return null;
  }

  @Override
  public ImmutableList<Pending> unreceived() {
    ImmutableList.Builder<Pending> out = ImmutableList.builder();
    for (ArrayDeque<Letter> letters : sends.values()) {
      out.addAll(letters);
    }
    return out.build();
  }
}
