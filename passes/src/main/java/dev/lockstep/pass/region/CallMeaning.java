package dev.lockstep.pass.region;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.analysis.DistributedCall;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a torch.distributed call in which a group meets means to each rank. */
class CallMeaning extends SiteMeaning {
  /** Entries that are read here; all others must simply be equal. */
  private static final ImmutableSet<String> READ =
      ImmutableSet.of("groups", "reduce_op", "src", "dst", "send_counts", "recv_counts");

  private final Operation call;
  private final String target;
  private final Attributes config;

  CallMeaning(Operation call) {
    this.call = call;
    this.target = requireNonNull(DistributedCall.target(call));
    this.config = DistributedCall.entries(call);
  }

  final Operation call() {
    return call;
  }

  final Attributes config() {
    return config;
  }

  @Override
  final String name() {
    return target;
  }

  @Override
  final ProcessGroups groups(DeviceGrid grid) {
    Attribute written = config.get("groups");
    ReplicaGroups groups = all(grid);
    if (written != null) {
      ImmutableList<ImmutableLongArray> rows = rows(written);
      if (rows == null) {
        throw error("'groups' must be rows of integers");
      }
      groups = new ReplicaGroups.Lists(rows);
    }
    try {
      return ProcessGroups.resolve(GroupMode.FLATTENED_ID, groups, grid, MemberOrder.REPLICA_MAJOR);
    } catch (IllegalArgumentException e) {
      throw error("groups: " + e.getMessage());
    }
  }

  private static ReplicaGroups all(DeviceGrid grid) {
    ImmutableLongArray.Builder ranks = ImmutableLongArray.builder(grid.size());
    for (int rank = 0; rank < grid.size(); rank++) {
      ranks.add(rank);
    }
    return new ReplicaGroups.Lists(ImmutableList.of(ranks.build()));
  }

  /** Returns the groups without padding, or null; a flat list is one group. */
  private static @Nullable ImmutableList<ImmutableLongArray> rows(Attribute written) {
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(written);
    if (rows == null) {
      ImmutableLongArray flat = AttrKeys.asLongs(written);
      rows = flat == null ? null : ImmutableList.of(flat);
    }
    if (rows == null) {
      return null;
    }
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    for (ImmutableLongArray row : rows) {
      ImmutableLongArray.Builder members = ImmutableLongArray.builder();
      row.stream().filter(rank -> rank != -1).forEach(members::add);
      ImmutableLongArray group = members.build();
      if (!group.isEmpty()) {
        out.add(group);
      }
    }
    return out.build();
  }

  @Override
  final CollectiveSignature signature(ImmutableIntArray group, int index) {
    ImmutableMap.Builder<String, String> attributes = ImmutableMap.builder();
    for (int i = 0; i < config.size(); i++) {
      String name = config.name(i);
      boolean isDefault = name.equals("concat") && config.value(i).equals(Attribute.Bool.TRUE);
      if (!READ.contains(name) && !isDefault) {
        attributes.put(name, text(config.value(i)));
      }
    }
    for (String name : ImmutableList.of("src", "dst")) {
      if (config.has(name)) {
        attributes.put(name, "rank " + root(name, group, index));
      }
    }
    ImmutableMap.Builder<String, ImmutableLongArray> own = ImmutableMap.builder();
    for (String name : ImmutableList.of("send_counts", "recv_counts")) {
      Attribute counts = config.get(name);
      ImmutableLongArray numbers = counts == null ? null : AttrKeys.asLongs(counts);
      if (numbers != null) {
        own.put(name, numbers);
      }
    }
    boolean uneven = config.has("send_counts");
    Attribute reduction = config.get("reduce_op");
    return new CollectiveSignature(
        target,
        group,
        uneven ? withoutRows(call.operandTypes()) : plain(call.operandTypes()),
        uneven ? withoutRows(call.resultTypes()) : plain(call.resultTypes()),
        reduction == null ? "" : text(reduction),
        ImmutableList.of(),
        attributes.buildOrThrow(),
        own.buildOrThrow(),
        OptionalLong.empty());
  }

  private int root(String name, ImmutableIntArray group, int index) {
    Attribute value = requireNonNull(config.get(name));
    Long one = AttrKeys.asLong(value);
    ImmutableLongArray each = one == null ? AttrKeys.asLongs(value) : ImmutableLongArray.of(one);
    if (each == null || each.isEmpty()) {
      throw error("'" + name + "' must be an integer");
    }
    long place = each.get(each.length() == 1 ? 0 : Math.min(index, each.length() - 1));
    if (place < 0 || place >= group.length()) {
      throw error(name + " is " + place + ", outside its group of " + group.length() + " ranks");
    }
    return group.get((int) place);
  }

  /** Returns the types with the number of rows unknown, which every rank has for itself. */
  private static ImmutableList<Type> withoutRows(List<Type> types) {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (Type type : plain(types)) {
      if (type instanceof TensorType && ((TensorType) type).rank() > 0) {
        TensorType tensor = (TensorType) type;
        ImmutableLongArray.Builder dims = ImmutableLongArray.builder(tensor.rank());
        dims.add(TensorType.DYNAMIC).addAll(tensor.dims().subArray(1, tensor.rank()));
        out.add(TensorType.of(tensor.element(), dims.build()));
      } else {
        out.add(type);
      }
    }
    return out.build();
  }

  /** Returns {@code value} in a form that does not depend on how it was written. */
  static String text(Attribute value) {
    Long number = AttrKeys.asLong(value);
    if (number != null) {
      return number.toString();
    }
    String word = AttrKeys.asWord(value);
    if (word != null) {
      return word;
    }
    ImmutableLongArray numbers = AttrKeys.asLongs(value);
    if (numbers != null) {
      return numbers.toString();
    }
    ImmutableList<ImmutableLongArray> rows = AttrKeys.asRows(value);
    return rows != null ? rows.toString() : value.toString();
  }

  final DiagnosticException error(String message) {
    return DiagnosticException.error("c10d-config", target + ": " + message, call.location());
  }
}
