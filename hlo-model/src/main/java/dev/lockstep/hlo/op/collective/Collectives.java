package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What all collectives have in common, read alike from both syntaxes and from start forms.
 *
 * <p>Which ids groups hold follows from the keys of an op: ops that have {@link
 * #USE_GLOBAL_DEVICE_IDS} choose among three modes, all others among two.
 */
public final class Collectives {
  /**
   * The channel that stands for HLO text's channel zero in StableHLO and in protos, where zero is
   * none and groups would be of other devices.
   */
  public static final int NOT_ZERO = Integer.MAX_VALUE;

  /** The channel. */
  public static final AttrKey<Long> CHANNEL =
      AttrKeys.integer("channel_handle.handle", "channel_id");

  /** Who meets. */
  public static final AttrKey<ReplicaGroups> GROUPS =
      AttrKeys.groups("replica_groups", "replica_groups");

  /** Whether ids are {@code replica * partitions + partition}. */
  public static final AttrKey<Boolean> USE_GLOBAL_DEVICE_IDS =
      AttrKeys.flag("use_global_device_ids", "use_global_device_ids");

  /** Who sends to whom: rows of source and target. */
  public static final AttrKey<ImmutableList<ImmutableLongArray>> PAIRS =
      AttrKeys.rows("source_target_pairs", "source_target_pairs");

  /** Whether the last operand says who is the root, as indices into the group. */
  public static final AttrKey<Boolean> HAS_DYNAMIC_ROOT =
      AttrKeys.flag("has_dynamic_root", "has_dynamic_root");

  private static final String FRONTEND_ATTRIBUTES = "frontend_attributes";
  private static final String MHLO_FRONTEND_ATTRIBUTES = "mhlo.frontend_attributes";
  private static final String FRONTEND_PAIRS = "_xla_send_recv_source_target_pairs";

  private Collectives() {}

  /** Returns the groups that are written on {@code operation}; everybody when none are. */
  public static ReplicaGroups groups(Operation operation) {
    return GROUPS.getOr(operation, ReplicaGroups.Lists.ALL);
  }

  /**
   * Returns the channel; empty when there is none. StableHLO writes zero, or less, for none; what
   * HLO text writes is one.
   */
  public static OptionalLong channel(Operation operation) {
    Long channel = CHANNEL.find(operation);
    if (channel == null
        || channel < 0
        || (channel == 0 && !operation.attributes().has("channel_id"))) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(channel);
  }

  /** Returns what the ids in groups and pairs of {@code operation} mean. */
  public static GroupMode mode(Operation operation) {
    boolean hasChannel = channel(operation).isPresent();
    return operation.def().attributes().contains(USE_GLOBAL_DEVICE_IDS)
        ? GroupMode.ofThreeModeOp(hasChannel, USE_GLOBAL_DEVICE_IDS.getOr(operation, false))
        : GroupMode.ofTwoModeOp(hasChannel);
  }

  /**
   * Returns the devices that meet. Ops with pairs meet in one group a mode group, since everybody
   * takes part, with zeros where nothing comes.
   *
   * @throws IllegalArgumentException as {@link ProcessGroups#resolve} says
   */
  public static ProcessGroups processGroups(
      Operation operation, DeviceGrid grid, MemberOrder order) {
    ReplicaGroups written =
        operation.def().attributes().contains(PAIRS) ? ReplicaGroups.Lists.ALL : groups(operation);
    return ProcessGroups.resolve(mode(operation), written, grid, order);
  }

  /**
   * Returns the source-target pairs of a permute, or of a send or receive, whose pairs may stand in
   * {@code _xla_send_recv_source_target_pairs}; empty when there are none.
   */
  public static ImmutableList<ImmutableLongArray> pairs(Operation operation) {
    ImmutableList<ImmutableLongArray> direct = PAIRS.find(operation);
    if (direct != null) {
      return direct;
    }
    String text = frontendAttribute(operation, FRONTEND_PAIRS);
    return text == null ? ImmutableList.of() : parsePairs(text);
  }

  /** Returns the frontend attribute {@code name} of {@code operation} as text, or null. */
  public static @Nullable String frontendAttribute(Operation operation, String name) {
    Attribute outer = operation.attribute(FRONTEND_ATTRIBUTES);
    if (outer == null) {
      outer = operation.attribute(MHLO_FRONTEND_ATTRIBUTES);
    }
    if (outer instanceof Attribute.Raw) {
      return rawEntry(((Attribute.Raw) outer).text(), name);
    }
    Attribute value = null;
    if (outer instanceof Attribute.Dict) {
      value = ((Attribute.Dict) outer).entries().get(name);
    } else if (outer instanceof Attribute.Struct) {
      value = ((Attribute.Struct) outer).fields().get(name);
    }
    if (value instanceof Attribute.Raw) {
      return ((Attribute.Raw) value).text();
    }
    return value == null ? null : AttrKeys.asWord(value);
  }

  /** Finds {@code name="..."} or {@code name={...}} in frontend attributes kept as text. */
  private static @Nullable String rawEntry(String text, String name) {
    int at = text.indexOf(name);
    if (at < 0) {
      return null;
    }
    int equals = text.indexOf('=', at + name.length());
    if (equals < 0) {
      return null;
    }
    int depth = 0;
    boolean quoted = false;
    int i = equals + 1;
    for (; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == '{') {
        depth++;
      } else if (!quoted && (c == '}' || c == ',') && depth == 0) {
        break;
      } else if (!quoted && c == '}') {
        depth--;
      }
    }
    return text.substring(equals + 1, i).replace("\"", "").trim();
  }

  /** Reads {@code {{0,1},{1,2}}}: numbers in turn, two a pair. */
  private static ImmutableList<ImmutableLongArray> parsePairs(String text) {
    ImmutableLongArray.Builder numbers = ImmutableLongArray.builder();
    int i = 0;
    while (i < text.length()) {
      int start = i;
      while (i < text.length() && Character.isDigit(text.charAt(i))) {
        i++;
      }
      if (i > start) {
        numbers.add(Long.parseLong(text.substring(start, i)));
      } else {
        i++;
      }
    }
    ImmutableLongArray all = numbers.build();
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    for (int k = 0; k + 1 < all.length(); k += 2) {
      out.add(ImmutableLongArray.of(all.get(k), all.get(k + 1)));
    }
    return out.build();
  }

  /**
   * Returns the kind of the reducer of {@code operation}; null when it has none, or one that is not
   * a single known operation.
   */
  public static @Nullable ReductionKind reduction(Operation operation, Module module) {
    ImmutableList<Block> bodies = Bodies.of(operation, module);
    return bodies.size() == 1 ? ReductionKind.of(bodies.get(0)) : null;
  }

  /**
   * Returns the collective that {@code operation} performs: itself, or the only collective in the
   * body of an asynchronous start; null when there is none.
   */
  public static @Nullable Operation collective(Operation operation, Module module) {
    if (operation.def().isCollective()) {
      return operation;
    }
    if (!operation.is(AsyncStart.DEF)) {
      return null;
    }
    Operation found = null;
    for (Block body : Bodies.of(operation, module)) {
      for (Operation inner : body.operations()) {
        if (inner.def().isCollective()) {
          if (found != null) {
            return null;
          }
          found = inner;
        }
      }
    }
    return found;
  }
}
