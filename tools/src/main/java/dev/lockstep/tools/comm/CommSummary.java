package dev.lockstep.tools.comm;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.analysis.TripCount;
import dev.lockstep.tools.program.DistributedCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a program communicates, from its entry function on: called functions count at each
 * call, the bodies of loops once for each round where the number of rounds can be seen.
 */
public final class CommSummary {
  private static final AttrKey<ReplicaGroups> GROUPS =
      AttrKeys.groups("replica_groups", "replica_groups");
  private static final AttrKey<ImmutableList<ImmutableLongArray>> PAIRS =
      AttrKeys.rows("source_target_pairs", "source_target_pairs");

  /** The groups of a torch.distributed call where the config is kept as text, as in HLO. */
  private static final Pattern CONFIG_GROUPS = Pattern.compile("groups = dense<\\[\\[(.*?)\\]\\]>");

  private static final int GROUPS_SHOWN = 4;
  private static final int MEMBERS_SHOWN = 8;

  private final Module module;
  private final Map<List<String>, CommRow> rows = new LinkedHashMap<>();

  private CommSummary(Module module) {
    this.module = module;
  }

  /** Returns the rows of {@code module} in the order in which the program comes to them. */
  public static ImmutableList<CommRow> of(Module module) {
    CommSummary summary = new CommSummary(module);
    module
        .entryFunction()
        .ifPresent(function -> summary.walk(function.body(), "", OptionalLong.of(1)));
    return ImmutableList.copyOf(summary.rows.values());
  }

  private void walk(Block block, String loop, OptionalLong times) {
    for (Operation operation : block.operations()) {
      String kind = kind(operation);
      if (kind != null) {
        add(operation, kind, loop, times);
        continue;
      }
      ImmutableList<Block> bodies = Bodies.of(operation, module);
      if (bodies.isEmpty()) {
        continue;
      }
      String inner = loop;
      OptionalLong rounds = times;
      Semantics semantics = operation.def().semantics();
      if (semantics == Semantics.Control.WHILE) {
        inner = nest(loop, "while", operation);
        OptionalLong trips = TripCount.of(operation, block, module);
        rounds =
            times.isPresent() && trips.isPresent()
                ? OptionalLong.of(times.getAsLong() * trips.getAsLong())
                : OptionalLong.empty();
      } else if (semantics == Semantics.Control.IF || semantics == Semantics.Control.CASE) {
        inner = nest(loop, "branch", operation);
        rounds = OptionalLong.empty();
      }
      for (Block body : bodies) {
        walk(body, inner, rounds);
      }
    }
  }

  private static String nest(String loop, String word, Operation operation) {
    String here = operation.location().isKnown() ? word + "@" + operation.location().line() : word;
    return loop.isEmpty() ? here : loop + "/" + here;
  }

  /** Returns what kind of communication {@code operation} starts, or null. */
  private static @Nullable String kind(Operation operation) {
    String target = DistributedCalls.nameOf(operation);
    if (target != null) {
      return target.endsWith(".wait_tensor") ? null : target;
    }
    return operation.def().isCollective()
            && operation.def().semantics() != Semantics.Control.FORWARD
        ? operation.def().shortName()
        : null;
  }

  private void add(Operation operation, String kind, String loop, OptionalLong times) {
    long bytes = 0;
    for (Value operand : operation.operands()) {
      bytes += bytes(operand.type());
    }
    long once = bytes;
    CommRow row =
        new CommRow(
            kind,
            groups(operation),
            loop,
            1,
            times,
            bytes,
            times.isPresent() ? OptionalLong.of(times.getAsLong() * once) : OptionalLong.empty());
    rows.merge(List.of(row.kind(), row.groups(), row.loop()), row, CommRow::plus);
  }

  private static long bytes(Type type) {
    if (type instanceof TupleType) {
      return ((TupleType) type).elements().stream().mapToLong(CommSummary::bytes).sum();
    }
    if (type instanceof TensorType && ((TensorType) type).isStatic()) {
      TensorType tensor = (TensorType) type;
      return tensor.count() * tensor.element().bytes();
    }
    return 0;
  }

  private static String groups(Operation operation) {
    ReplicaGroups groups = GROUPS.find(operation);
    if (groups != null) {
      return groups.lists().isEmpty() ? "all" : show(groups.lists(), ",");
    }
    ImmutableList<ImmutableLongArray> pairs = PAIRS.find(operation);
    if (pairs != null) {
      return show(pairs, "->");
    }
    Attribute config = operation.attribute("backend_config");
    Attribute written =
        config instanceof Attribute.Dict ? ((Attribute.Dict) config).entries().get("groups") : null;
    if (config instanceof Attribute.Raw) {
      Matcher matcher = CONFIG_GROUPS.matcher(((Attribute.Raw) config).text());
      return matcher.find()
          ? "{" + matcher.group(1).replace("], [", "} {").replace(", ", ",") + "}"
          : "all";
    }
    ImmutableList<ImmutableLongArray> rows = written == null ? null : AttrKeys.asRows(written);
    return rows == null ? "all" : show(rows, ",");
  }

  private static String show(ImmutableList<ImmutableLongArray> groups, String between) {
    StringBuilder out = new StringBuilder();
    for (int g = 0; g < Math.min(groups.size(), GROUPS_SHOWN); g++) {
      out.append(g == 0 ? "{" : " {");
      ImmutableLongArray members = groups.get(g);
      for (int m = 0; m < Math.min(members.length(), MEMBERS_SHOWN); m++) {
        out.append(m == 0 ? "" : between).append(members.get(m));
      }
      out.append(members.length() > MEMBERS_SHOWN ? ",...}" : "}");
    }
    return groups.size() > GROUPS_SHOWN ? out + " ... (" + groups.size() + ")" : out.toString();
  }
}
