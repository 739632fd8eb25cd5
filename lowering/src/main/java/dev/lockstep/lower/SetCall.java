package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A call in the program of one rank.
 *
 * @param rank whose program it is
 * @param operation the call
 * @param config its config as written
 * @param group the group of the rank in this call, members in order; null when it is in none
 * @param row which row of the written groups that is
 * @param operands types of the operands
 * @param results types of the results
 */
record SetCall(
    int rank,
    Operation operation,
    CallConfig config,
    @Nullable ImmutableIntArray group,
    int row,
    ImmutableList<TensorType> operands,
    ImmutableList<TensorType> results)
    implements SetItem {

  /** Entries that differ between ranks or groups, and so do not keep calls apart. */
  private static final ImmutableSet<String> OWN =
      ImmutableSet.of(
          "groups",
          "src",
          "dst",
          "peer",
          "peers",
          "counts",
          "send_counts",
          "recv_counts",
          P2pCalls.CHANNEL);

  /** What calls of several ranks must agree on to be one. */
  record Signature(
      String target,
      ImmutableList<TensorType> operands,
      ImmutableList<TensorType> results,
      Attributes shared) {}

  /** Returns the call {@code operation} of {@code rank}, one of {@code world}. */
  static SetCall of(int rank, int world, Operation operation) {
    CallConfig config = CallReader.config(operation);
    ImmutableIntArray group = null;
    int row = 0;
    if (config.has("groups")) {
      ImmutableList<ImmutableLongArray> rows = config.rows("groups");
      for (int i = 0; i < rows.size(); i++) {
        ImmutableIntArray members = CallGroups.members(rows.get(i), config);
        for (int m = 0; m < members.length(); m++) {
          if (members.get(m) >= world) {
            throw config.error(
                "c10d-groups", "rank " + members.get(m) + " is in a group, but there are " + world);
          }
        }
        if (members.contains(rank)) {
          group = members;
          row = i;
          break;
        }
      }
    } else {
      ImmutableIntArray.Builder all = ImmutableIntArray.builder(world);
      for (int r = 0; r < world; r++) {
        all.add(r);
      }
      group = all.build();
    }
    return new SetCall(
        rank,
        operation,
        config,
        group,
        row,
        CallReader.tensors(operation.operandTypes(), "operand", config),
        CallReader.results(operation, config));
  }

  /** Returns whether it sends or receives. */
  boolean isP2p() {
    return P2pCalls.isTarget(config.target());
  }

  /** Returns whether its numbers of rows are its own rank's. */
  boolean isUneven() {
    return config.has("send_counts");
  }

  /** Returns the place of the rank in its group, or -1. */
  int place() {
    return group == null ? -1 : group.indexOf(rank);
  }

  /** Returns what other ranks' calls must agree with. */
  Signature signature() {
    Attributes.Builder shared = Attributes.builder();
    config
        .entries()
        .forEach(
            (name, value) -> {
              if (!OWN.contains(name)) {
                shared.put(name, value);
              }
            });
    return new Signature(config.target(), shapes(operands), shapes(results), shared.build());
  }

  /** Returns the types without layouts, and without the rows where ranks have their own. */
  private ImmutableList<TensorType> shapes(ImmutableList<TensorType> types) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    for (TensorType type : types) {
      TensorType plain = TensorType.of(type.element(), type.dims());
      out.add(isUneven() && plain.rank() > 0 ? Rows.withRows(plain, 0) : plain);
    }
    return out.build();
  }

  /** Returns whether it is a send or receive of XLA's own, which blocks until its message came. */
  boolean isXla() {
    return config.has(P2pCalls.CHANNEL);
  }

  @Override
  public String toString() {
    return isXla()
        ? P2pCalls.verb(config) + " on channel " + config.integerOr(P2pCalls.CHANNEL, 0)
        : config.target();
  }
}
