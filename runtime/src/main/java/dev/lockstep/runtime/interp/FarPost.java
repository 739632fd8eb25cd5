package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.runtime.transport.ByteWriter;
import dev.lockstep.runtime.transport.DatumCodec;
import dev.lockstep.runtime.transport.Dispatcher;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives whose other side is another process, first in first out for each channel and
 * pair of devices. A receipt comes back for each letter that was taken, which a send waits for
 * where sends wait.
 */
final class FarPost implements Post {
  private static final byte DATA = 0;
  private static final byte RECEIPT = 1;

  private final byte kind;
  private final DeviceGrid grid;
  private final Transfers transfers;
  private final Dispatcher dispatcher;
  private final boolean rendezvous;
  private final Map<Transfers.Way, ArrayDeque<Sent>> sent = new TreeMap<>();
  private final Map<Transfers.Way, ArrayDeque<ImmutableList<Datum>>> letters = new TreeMap<>();
  private final Map<Transfers.Way, ArrayDeque<Receive>> receives = new TreeMap<>();

  FarPost(byte kind, DeviceGrid grid, Dispatcher dispatcher, boolean rendezvous) {
    this.kind = kind;
    this.grid = grid;
    this.transfers = new Transfers(grid);
    this.dispatcher = dispatcher;
    this.rendezvous = rendezvous;
    dispatcher.handle(kind, this::take);
  }

  /**
   * Returns {@code way} with names for both sides: where there are two devices, it is the other.
   */
  private Transfers.Way named(Transfers.Way way, Operation operation, boolean sends) {
    if (way.source() != Transfers.ANYBODY) {
      return way;
    }
    if (grid.size() > 2) {
      throw DiagnosticException.error(
          "unsupported-op",
          operation.def().name()
              + " does not say with whom, and there are more than two processes; give"
              + " source_target_pairs",
          operation.location());
    }
    int other = grid.size() == 1 ? dispatcher.rank() : 1 - dispatcher.rank();
    return sends
        ? new Transfers.Way(way.channel(), dispatcher.rank(), other)
        : new Transfers.Way(way.channel(), other, dispatcher.rank());
  }

  @Override
  public Pending send(int device, Operation operation, ImmutableList<Datum> operands) {
    if (transfers.isToHost(operation)) {
      return Transfers.done(operation);
    }
    Transfers.Way given = transfers.sending(operation, device);
    if (given == null) {
      return Transfers.done(operation);
    }
    Transfers.Way way = named(given, operation, true);
    Sent letter = new Sent(operation, way, rendezvous);
    sent.computeIfAbsent(way, w -> new ArrayDeque<>()).add(letter);
    ImmutableList<Datum> data = Transfers.data(operands);
    if (way.target() == device) {
      arrived(way, data);
    } else {
      ByteWriter out = header(DATA, way);
      DatumCodec.write(data, out);
      dispatcher.send(ImmutableIntArray.of(way.target()), out);
    }
    return letter;
  }

  @Override
  public Pending receive(int device, Operation operation) {
    Transfers.Way given = transfers.receiving(operation, device);
    if (given == null) {
      return new Pending.Ready(operation, Transfers.zeros(operation));
    }
    Transfers.Way way = named(given, operation, false);
    Receive receive = new Receive(operation, way);
    receives.computeIfAbsent(way, w -> new ArrayDeque<>()).add(receive);
    match(way);
    return receive;
  }

  private ByteWriter header(byte what, Transfers.Way way) {
    ByteWriter out = Dispatcher.begin(kind);
    out.room(1).put(what);
    out.room(Long.BYTES).putLong(way.channel());
    out.room(Integer.BYTES).putInt(way.source());
    out.room(Integer.BYTES).putInt(way.target());
    return out;
  }

  private void take(int source, ByteBuffer in) {
    byte what = in.get();
    Transfers.Way way = new Transfers.Way(in.getLong(), in.getInt(), in.getInt());
    int from = what == DATA ? way.source() : way.target();
    int to = what == DATA ? way.target() : way.source();
    checkArgument(from == source && to == dispatcher.rank(), "it is not for this rank");
    if (what == DATA) {
      arrived(way, DatumCodec.read(in));
    } else {
      received(way);
    }
  }

  private void arrived(Transfers.Way way, ImmutableList<Datum> data) {
    letters.computeIfAbsent(way, w -> new ArrayDeque<>()).add(data);
    match(way);
  }

  private void match(Transfers.Way way) {
    ArrayDeque<ImmutableList<Datum>> here = letters.get(way);
    ArrayDeque<Receive> waiting = receives.get(way);
    while (here != null && waiting != null && !here.isEmpty() && !waiting.isEmpty()) {
      waiting.remove().data = here.remove();
      if (way.source() == dispatcher.rank()) {
        received(way);
      } else {
        dispatcher.send(ImmutableIntArray.of(way.source()), header(RECEIPT, way));
      }
    }
  }

  private void received(Transfers.Way way) {
    ArrayDeque<Sent> mine = sent.get(way);
    checkArgument(mine != null && !mine.isEmpty(), "nothing was sent that it is a receipt for");
    mine.remove().taken = true;
  }

  /** Nothing between programs: the other side may still receive in a later one. */
  @Override
  public ImmutableList<Pending> unreceived() {
    return ImmutableList.of();
  }

  /** Returns what was sent and not yet received, in order of channels. */
  ImmutableList<Pending> onTheirWay() {
    ImmutableList.Builder<Pending> out = ImmutableList.builder();
    sent.values().forEach(out::addAll);
    return out.build();
  }

  private static final class Sent implements Pending {
    private final Operation operation;
    private final Transfers.Way way;
    private final boolean waits;
    private boolean taken;

    Sent(Operation operation, Transfers.Way way, boolean waits) {
      this.operation = operation;
      this.way = way;
      this.waits = waits;
    }

    @Override
    public boolean isReady() {
      return !waits || taken;
    }

    @Override
    public ImmutableList<Datum> results() {
      return ImmutableList.of(Datum.Token.TOKEN);
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public String awaited() {
      return "device " + way.target() + " to receive on channel " + way.channel();
    }

    @Override
    public ImmutableList<Integer> missing() {
      return ImmutableList.of(way.target());
    }
  }

  private static final class Receive implements Pending {
    private final Operation operation;
    private final Transfers.Way way;
    private @Nullable ImmutableList<Datum> data;

    Receive(Operation operation, Transfers.Way way) {
      this.operation = operation;
      this.way = way;
    }

    @Override
    public boolean isReady() {
      return data != null;
    }

    @Override
    public ImmutableList<Datum> results() {
      ImmutableList<Datum> got = data;
      return Transfers.received(got == null ? ImmutableList.of() : got);
    }

    @Override
    public Operation operation() {
      return operation;
    }

    @Override
    public String awaited() {
      return "device " + way.source() + " to send on channel " + way.channel();
    }

    @Override
    public ImmutableList<Integer> missing() {
      return ImmutableList.of(way.source());
    }
  }
}
