package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives on their way, first in first out for each channel and pair of devices.
 *
 * <p>Pairs come from the attribute {@code source_target_pairs} or from XLA's frontend attribute
 * {@code _xla_send_recv_source_target_pairs}; their ids are partitions where there are several,
 * else replicas. Without pairs any receive on the channel takes the oldest send of another device.
 */
final class Mail {
  private static final AttrKey<Long> CHANNEL =
      AttrKeys.integer("channel_handle.handle", "channel_id");
  private static final AttrKey<Boolean> HOST =
      AttrKeys.flag("is_host_transfer", "is_host_transfer");
  private static final AttrKey<ImmutableList<ImmutableLongArray>> PAIRS =
      AttrKeys.rows("source_target_pairs", "source_target_pairs");
  private static final String FRONTEND_PAIRS = "_xla_send_recv_source_target_pairs";
  private static final Pattern FRONTEND =
      Pattern.compile(FRONTEND_PAIRS + "\"?\\s*=\\s*\"?(\\{.*?\\}\\}|\\{\\})");
  private static final Pattern PAIR = Pattern.compile("\\{\\s*(\\d+)\\s*,\\s*(\\d+)\\s*\\}");
  private static final int ANYBODY = -1;

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
          : ImmutableList.<Datum>builder().addAll(other.data).add(Datum.Token.TOKEN).build();
    }

    @Override
    public String awaited() {
      return (peer == ANYBODY ? "somebody" : "device " + peer)
          + (isSend ? " to receive on channel " : " to send on channel ")
          + CHANNEL.getOr(operation, 0L);
    }

    @Override
    public ImmutableList<Integer> missing() {
      return peer == ANYBODY ? ImmutableList.of() : ImmutableList.of(peer);
    }
  }

  private record Box(long channel, int source, int target) implements Comparable<Box> {
    @Override
    public int compareTo(Box other) {
      int order = Long.compare(channel, other.channel);
      order = order != 0 ? order : Integer.compare(source, other.source);
      return order != 0 ? order : Integer.compare(target, other.target);
    }
  }

  private final DeviceGrid grid;
  private final boolean rendezvous;
  private final Map<Box, ArrayDeque<Letter>> sends = new TreeMap<>();
  private final Map<Box, ArrayDeque<Letter>> receives = new TreeMap<>();

  Mail(DeviceGrid grid, boolean rendezvous) {
    this.grid = grid;
    this.rendezvous = rendezvous;
  }

  /** Sends the operands but for the token; the result is a token. */
  Pending send(int device, Operation operation, ImmutableList<Datum> operands) {
    Pending done = new Pending.Ready(operation, ImmutableList.of(Datum.Token.TOKEN));
    if (HOST.getOr(operation, false)) {
      return done;
    }
    List<int[]> pairs = pairs(operation, device);
    int target = pairs == null ? ANYBODY : partner(pairs, device, 0);
    if (pairs != null && target == ANYBODY) {
      return done;
    }
    ImmutableList<Datum> data =
        operands.stream()
            .filter(datum -> !(datum instanceof Datum.Token))
            .collect(ImmutableList.toImmutableList());
    Letter letter = new Letter(device, operation, target, true, rendezvous, data);
    int source = pairs == null ? ANYBODY : device;
    post(letter, new Box(CHANNEL.getOr(operation, 0L), source, target), sends, receives);
    return letter;
  }

  /** Receives; the results are the data, zeros where nobody sends to the device, and a token. */
  Pending receive(int device, Operation operation) {
    if (HOST.getOr(operation, false)) {
      throw DiagnosticException.error(
          "unsupported-op",
          operation.def().name() + " receives from the host, which gives nothing here",
          operation.location());
    }
    List<int[]> pairs = pairs(operation, device);
    int source = pairs == null ? ANYBODY : partner(pairs, device, 1);
    if (pairs != null && source == ANYBODY) {
      return new Pending.Ready(operation, zeros(operation));
    }
    Letter letter = new Letter(device, operation, source, false, true, ImmutableList.of());
    int target = pairs == null ? ANYBODY : device;
    post(letter, new Box(CHANNEL.getOr(operation, 0L), source, target), receives, sends);
    return letter;
  }

  private void post(
      Letter letter,
      Box box,
      Map<Box, ArrayDeque<Letter>> own,
      Map<Box, ArrayDeque<Letter>> opposite) {
    ArrayDeque<Letter> waiting = opposite.get(box);
    Letter other = waiting == null ? null : take(waiting, letter);
    if (other == null) {
      own.computeIfAbsent(box, b -> new ArrayDeque<>()).add(letter);
    } else {
      other.match = letter;
      letter.match = other;
    }
  }

  /** Takes the oldest of {@code waiting} that can be the other end of {@code letter}. */
  private @Nullable Letter take(ArrayDeque<Letter> waiting, Letter letter) {
    // Nobody writes to itself while there are others to write to.
    boolean mayBeOwn = letter.peer != ANYBODY || grid.size() == 1;
    for (Letter other : waiting) {
      if (mayBeOwn || other.device != letter.device) {
        waiting.remove(other);
        return other;
      }
    }
    return null;
  }

  /** Returns the sends that nobody has received, in order of channels. */
  ImmutableList<Pending> unreceived() {
    ImmutableList.Builder<Pending> out = ImmutableList.builder();
    for (ArrayDeque<Letter> letters : sends.values()) {
      out.addAll(letters);
    }
    return out.build();
  }

  /** Returns the other side of the pair that has {@code device} at {@code side}, or nobody. */
  private static int partner(List<int[]> pairs, int device, int side) {
    for (int[] pair : pairs) {
      if (pair[side] == device) {
        return pair[1 - side];
      }
    }
    return ANYBODY;
  }

  /** Returns the pairs of devices among which {@code device} is, or null when none are given. */
  private @Nullable List<int[]> pairs(Operation operation, int device) {
    ImmutableList<ImmutableLongArray> rows = PAIRS.find(operation);
    if (rows == null) {
      rows = frontendPairs(operation.attribute("frontend_attributes"));
    }
    if (rows == null) {
      return null;
    }
    List<int[]> out = new ArrayList<>();
    for (ImmutableLongArray row : rows) {
      out.add(new int[] {device(row.get(0), device), device(row.get(1), device)});
    }
    return out;
  }

  private int device(long id, int near) {
    return grid.partitions() > 1
        ? grid.device(grid.replica(near), Math.toIntExact(id))
        : grid.device(Math.toIntExact(id), 0);
  }

  private static @Nullable ImmutableList<ImmutableLongArray> frontendPairs(
      @Nullable Attribute attribute) {
    String text = null;
    if (attribute instanceof Attribute.Raw) {
      Matcher found = FRONTEND.matcher(((Attribute.Raw) attribute).text());
      text = found.find() ? found.group(1) : null;
    } else if (attribute instanceof Attribute.Dict) {
      text = textOf(((Attribute.Dict) attribute).entries());
    } else if (attribute instanceof Attribute.Struct) {
      text = textOf(((Attribute.Struct) attribute).fields());
    }
    if (text == null) {
      return null;
    }
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    Matcher pair = PAIR.matcher(text);
    while (pair.find()) {
      out.add(ImmutableLongArray.of(Long.parseLong(pair.group(1)), Long.parseLong(pair.group(2))));
    }
    return out.build();
  }

  private static @Nullable String textOf(Attributes entries) {
    Attribute value = entries.get(FRONTEND_PAIRS);
    if (value instanceof Attribute.Raw) {
      return ((Attribute.Raw) value).text();
    }
    return value == null ? null : AttrKeys.asWord(value);
  }

  private static ImmutableList<Datum> zeros(Operation operation) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    Type first = operation.results().get(0).type();
    if (operation.results().size() == 1 && first instanceof TupleType) {
      out.add(zero(((TupleType) first).elements().get(0)));
      return out.add(Datum.Token.TOKEN).build();
    }
    for (Type type : operation.resultTypes()) {
      out.add(zero(type));
    }
    return out.build();
  }

  private static Datum zero(Type type) {
    if (type instanceof TupleType) {
      return new Datum.Tuple(
          ((TupleType) type)
              .elements().stream().map(Mail::zero).collect(ImmutableList.toImmutableList()));
    }
    return type instanceof TokenType ? Datum.Token.TOKEN : Literal.zeros((TensorType) type);
  }
}
