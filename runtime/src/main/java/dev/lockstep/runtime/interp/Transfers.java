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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What sends and receives say of the other side, and what they take and give.
 *
 * <p>Pairs come from the attribute {@code source_target_pairs} or from XLA's frontend attribute
 * {@code _xla_send_recv_source_target_pairs}; their ids are partitions where there are several,
 * else replicas.
 */
final class Transfers {
  /** The other side where no pairs are given. */
  static final int ANYBODY = -1;

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

  /**
   * What one send and one receive have in common.
   *
   * @param source the device that sends, or anybody
   * @param target the device that receives, or anybody
   */
  record Way(long channel, int source, int target) implements Comparable<Way> {
    @Override
    public int compareTo(Way other) {
      int order = Long.compare(channel, other.channel);
      order = order != 0 ? order : Integer.compare(source, other.source);
      return order != 0 ? order : Integer.compare(target, other.target);
    }
  }

  private final DeviceGrid grid;

  Transfers(DeviceGrid grid) {
    this.grid = grid;
  }

  static long channel(Operation operation) {
    return CHANNEL.getOr(operation, 0L);
  }

  boolean isToHost(Operation operation) {
    return HOST.getOr(operation, false);
  }

  /** Returns the way of what {@code device} sends, or null when it sends nothing. */
  @Nullable Way sending(Operation operation, int device) {
    List<int[]> pairs = pairs(operation, device);
    if (pairs == null) {
      return new Way(channel(operation), ANYBODY, ANYBODY);
    }
    int target = partner(pairs, device, 0);
    return target == ANYBODY ? null : new Way(channel(operation), device, target);
  }

  /** Returns the way of what {@code device} receives, or null when nobody sends to it. */
  @Nullable Way receiving(Operation operation, int device) {
    if (HOST.getOr(operation, false)) {
      throw DiagnosticException.error(
          "unsupported-op",
          operation.def().name() + " receives from the host, which gives nothing here",
          operation.location());
    }
    List<int[]> pairs = pairs(operation, device);
    if (pairs == null) {
      return new Way(channel(operation), ANYBODY, ANYBODY);
    }
    int source = partner(pairs, device, 1);
    return source == ANYBODY ? null : new Way(channel(operation), source, device);
  }

  /** Returns what is sent of the operands of a send: all but the token. */
  static ImmutableList<Datum> data(ImmutableList<Datum> operands) {
    return operands.stream()
        .filter(datum -> !(datum instanceof Datum.Token))
        .collect(ImmutableList.toImmutableList());
  }

  /** Returns what a receive gives of what was sent. */
  static ImmutableList<Datum> received(ImmutableList<Datum> data) {
    return ImmutableList.<Datum>builder().addAll(data).add(Datum.Token.TOKEN).build();
  }

  /** Returns what a send that waits for nobody gives. */
  static Pending done(Operation operation) {
    return new Pending.Ready(operation, ImmutableList.of(Datum.Token.TOKEN));
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
      rows = frontendPairs(operation.attribute("mhlo.frontend_attributes"));
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

  /** Returns what a receive gives where nobody sends. */
  static ImmutableList<Datum> zeros(Operation operation) {
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
              .elements().stream().map(Transfers::zero).collect(ImmutableList.toImmutableList()));
    }
    return type instanceof TokenType ? Datum.Token.TOKEN : Literal.zeros((TensorType) type);
  }
}
