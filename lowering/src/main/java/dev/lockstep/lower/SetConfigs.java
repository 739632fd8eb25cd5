package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes one config of those that the ranks of a call wrote: each wrote its own group, peers and
 * counts, the one config has those of all.
 */
final class SetConfigs {
  private final ImmutableSortedMap<Integer, SetCall> calls;
  private final List<ImmutableIntArray> groups;
  private final int width;

  private SetConfigs(ImmutableSortedMap<Integer, SetCall> calls) {
    this.calls = calls;
    Set<ImmutableIntArray> found = new LinkedHashSet<>();
    for (SetCall call : calls.values()) {
      ImmutableIntArray group = call.group();
      if (group != null) {
        found.add(group);
      }
    }
    this.groups = List.copyOf(found);
    this.width = groups.stream().mapToInt(ImmutableIntArray::length).max().orElse(0);
  }

  /** Returns the config of {@code calls}, which have one signature. */
  static Attributes merge(ImmutableSortedMap<Integer, SetCall> calls) {
    return new SetConfigs(calls).merge();
  }

  private Attributes merge() {
    SetCall first = requireNonNull(calls.get(calls.firstKey()));
    Attributes.Builder out = Attributes.builder();
    if (!groups.isEmpty()) {
      LiteralBuilder table = table(groups.size(), width);
      for (int g = 0; g < groups.size(); g++) {
        for (int i = 0; i < width; i++) {
          ImmutableIntArray group = groups.get(g);
          table.setLong(g * width + i, i < group.length() ? group.get(i) : -1);
        }
      }
      out.put("groups", Attribute.Dense.of(table.build()));
    } else if (first.config().has("groups")) {
      // All of these ranks are in none of the groups that they wrote; those still say so.
      out.put("groups", first.config().need("groups"));
    }
    first.signature().shared().forEach(out::put);
    for (String name : ImmutableList.of("src", "dst")) {
      if (first.config().has(name)) {
        out.put(name, roots(name));
      }
    }
    if (first.config().target().equals(P2pCalls.BATCH)) {
      out.put("peers", peers("peers", first.operands().size()));
    } else if (first.isP2p()) {
      out.put("peer", peers("peer", 1));
    }
    if (first.isXla()) {
      out.put(P2pCalls.CHANNEL, first.config().need(P2pCalls.CHANNEL));
    }
    if (first.isUneven()) {
      out.put("counts", unevenCounts());
    } else if (first.config().has("counts")) {
      out.put("counts", first.config().need("counts"));
    }
    return out.build();
  }

  private static LiteralBuilder table(long... dims) {
    return new LiteralBuilder(TensorType.of(ElementType.I64, dims));
  }

  /** Returns the source or destination of each group, on which its members must agree. */
  private Attribute roots(String name) {
    LiteralBuilder out = table(groups.size());
    SetCall[] said = new SetCall[groups.size()];
    long[] roots = new long[groups.size()];
    for (SetCall call : calls.values()) {
      int g = groups.indexOf(call.group());
      if (g < 0) {
        continue;
      }
      ImmutableLongArray all = call.config().perGroup(name, rowCount(call));
      long root = all.get(call.row());
      SetCall other = said[g];
      if (other != null && roots[g] != root) {
        throw disagree(
            "rank "
                + other.rank()
                + " has "
                + name
                + " = "
                + roots[g]
                + ", rank "
                + call.rank()
                + " of the same group has "
                + root,
            call,
            other);
      }
      said[g] = call;
      roots[g] = root;
      out.setLong(g, root);
    }
    return Attribute.Dense.of(out.build());
  }

  private static int rowCount(SetCall call) {
    return call.config().has("groups") ? call.config().rows("groups").size() : 1;
  }

  private static DiagnosticException disagree(String message, SetCall call, SetCall other) {
    return new DiagnosticException(
        Diagnostic.error(
                "c10d-set", call.config().target() + ": " + message, call.config().location())
            .withNote("the call of rank " + other.rank(), other.config().location()));
  }

  /** Returns [operands, groups, width] peers, -1 for ranks without the call. */
  private Attribute peers(String name, int operands) {
    boolean batch = name.equals("peers");
    LiteralBuilder out =
        batch ? table(operands, groups.size(), width) : table(groups.size(), width);
    for (int i = 0; i < operands * groups.size() * width; i++) {
      out.setLong(i, -1);
    }
    for (SetCall call : calls.values()) {
      int g = groups.indexOf(call.group());
      if (g < 0) {
        continue;
      }
      Literal written = call.config().table(name);
      for (int o = 0; o < operands; o++) {
        long peer = peer(call, written, name, operands, o);
        out.setLong((o * groups.size() + g) * width + call.place(), peer);
      }
    }
    return Attribute.Dense.of(out.build());
  }

  /** Returns the peer that {@code call} wrote: one a rank, or a table by group rank. */
  private static long peer(SetCall call, Literal written, String name, int operands, int operand) {
    int size = requireNonNull(call.group()).length();
    int rows = rowCount(call);
    if (written.count() == operands && (operands > 1 || written.type().rank() == 0 || size == 1)) {
      return written.getLong(operand);
    }
    int width = maxWidth(call, size);
    if (written.count() == (long) operands * width) {
      return written.getLong(operand * width + call.place());
    }
    if (written.count() == (long) operands * rows * width) {
      return written.getLong((operand * rows + call.row()) * width + call.place());
    }
    if (written.count() == operands) {
      return written.getLong(operand);
    }
    throw call.config()
        .error(
            "c10d-peer",
            name
                + " is "
                + written.type()
                + ", expected one number for each of "
                + operands
                + " operands, or a table by group rank");
  }

  private static int maxWidth(SetCall call, int size) {
    if (!call.config().has("groups")) {
      return size;
    }
    int width = 0;
    for (ImmutableLongArray row : call.config().rows("groups")) {
      width = Math.max(width, CallGroups.members(row, call.config()).length());
    }
    return width;
  }

  /** Returns [groups, senders, receivers] rows; senders and receivers must say the same. */
  private Attribute unevenCounts() {
    LiteralBuilder out = table(groups.size(), width, width);
    for (int g = 0; g < groups.size(); g++) {
      ImmutableIntArray group = groups.get(g);
      for (int i = 0; i < group.length(); i++) {
        SetCall sender = requireNonNull(calls.get(group.get(i)));
        for (int j = 0; j < group.length(); j++) {
          SetCall receiver = requireNonNull(calls.get(group.get(j)));
          long sent = count(sender, "send_counts", j, group.length());
          long received = count(receiver, "recv_counts", i, group.length());
          if (sent != received) {
            throw disagree(
                "rank "
                    + sender.rank()
                    + " sends "
                    + sent
                    + " rows to rank "
                    + receiver.rank()
                    + ", which expects "
                    + received,
                sender,
                receiver);
          }
          out.setLong((g * width + i) * width + j, sent);
        }
      }
    }
    return Attribute.Dense.of(out.build());
  }

  private static long count(SetCall call, String name, int place, int size) {
    ImmutableLongArray counts = call.config().longs(name);
    if (counts.length() != size) {
      throw call.config()
          .error(
              "c10d-counts",
              name + " has " + counts.length() + " entries, the group has " + size + " ranks");
    }
    return counts.get(place);
  }
}
