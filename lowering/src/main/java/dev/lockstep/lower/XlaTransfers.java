package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Turns XLA's own sends and receives in one text for all ranks into collective-permutes, as {@link
 * TransferMatcher} found them. Transfers of the host are left to the host.
 */
final class XlaTransfers {
  /** For messages: how a program says who sends to whom. */
  static final String HOW_TO_SAY =
      "frontend_attributes={_xla_send_recv_source_target_pairs=\"{{source,target},...}\"}"
          + " (source_target_pairs in StableHLO)";

  /** A send and a receive that are one permute, or one for each of their tensors. */
  private static final class Transfer {
    private final TransferMatcher.Match match;
    private @Nullable ImmutableList<Value> data;
    private @Nullable ImmutableList<Value> moved;

    Transfer(TransferMatcher.Match match) {
      this.match = match;
    }
  }

  private final DeviceGrid grid;
  private final Map<Value, Transfer> bySend = new IdentityHashMap<>();
  private final Map<Value, Transfer> byRecv = new IdentityHashMap<>();
  private final Map<Value, Transfer> byRecvDone = new IdentityHashMap<>();
  private final Map<Value, Transfer> bySendDone = new IdentityHashMap<>();

  private XlaTransfers(DeviceGrid grid) {
    this.grid = grid;
  }

  /**
   * Returns {@code module} with such transfers as permutes; the same object without any.
   *
   * @param grid all devices, null when their number is not known: then only what is wrong on any
   *     number is found, and the transfers stay
   * @throws dev.lockstep.hlo.diag.DiagnosticException if it cannot be told who meets whom, an end
   *     has no other, or everybody waits first
   */
  static Module lower(Module module, @Nullable DeviceGrid grid) {
    ImmutableList<TransferMatcher.Match> matches = TransferMatcher.match(module, grid);
    if (grid == null || matches.isEmpty()) {
      return module;
    }
    XlaTransfers transfers = new XlaTransfers(grid);
    for (TransferMatcher.Match match : matches) {
      Transfer transfer = new Transfer(match);
      transfers.bySend.put(match.send().results().get(0), transfer);
      transfers.byRecv.put(match.recv().results().get(0), transfer);
      Operation recvDone = match.recvDone();
      if (recvDone != null) {
        transfers.byRecvDone.put(recvDone.results().get(0), transfer);
      }
      Operation sendDone = match.sendDone();
      if (sendDone != null) {
        transfers.bySendDone.put(sendDone.results().get(0), transfer);
      }
    }
    return Rewriter.rewrite(module, transfers::rewrite);
  }

  private @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    if (operation.results().isEmpty()) {
      return null;
    }
    Value first = operation.results().get(0);
    Transfer sent = bySend.get(first);
    if (sent != null) {
      int last = operation.operands().size() - 1;
      ImmutableList.Builder<Value> data = ImmutableList.builder();
      operation.operands().subList(0, last).forEach(value -> leaves(value, builder, data));
      sent.data = data.build();
      if (sent.match.isSendLater()) {
        move(sent, builder);
      }
      return ImmutableList.of(operation.operand(last));
    }
    if (bySendDone.containsKey(first)) {
      return operation.operands();
    }
    Transfer received = byRecv.get(first);
    if (received != null) {
      if (!received.match.isSendLater()) {
        move(received, builder);
      }
      Value token = operation.operand(operation.operands().size() - 1);
      // In HLO the recv-done gives the data; what stands for the receive is only its token.
      return builder.scope().isHlo()
          ? ImmutableList.of(token)
          : ImmutableList.<Value>builder().addAll(moved(received)).add(token).build();
    }
    Transfer done = byRecvDone.get(first);
    if (done == null) {
      return null;
    }
    Type type = ((TupleType) first.type()).elements().get(0);
    Value data = packed(type, new ArrayList<>(moved(done)), builder);
    return ImmutableList.of(builder.tuple(ImmutableList.of(data, operation.operand(0))));
  }

  /** Adds the tensors in {@code value}, tuples taken apart. */
  private static void leaves(Value value, OpBuilder builder, ImmutableList.Builder<Value> out) {
    if (value.type() instanceof TupleType tuple) {
      for (int i = 0; i < tuple.elements().size(); i++) {
        leaves(builder.getTupleElement(value, i), builder, out);
      }
    } else if (!(value.type() instanceof TokenType)) {
      out.add(value);
    }
  }

  /** Takes as many of {@code rest} as {@code type} has tensors. */
  private static Value packed(Type type, List<Value> rest, OpBuilder builder) {
    if (!(type instanceof TupleType)) {
      return rest.remove(0);
    }
    List<Value> elements = new ArrayList<>();
    for (Type element : ((TupleType) type).elements()) {
      elements.add(packed(element, rest, builder));
    }
    return builder.tuple(elements);
  }

  private void move(Transfer transfer, OpBuilder builder) {
    ImmutableList<ImmutableLongArray> pairs = transfer.match.pairs();
    ImmutableList.Builder<Value> moved = ImmutableList.builder();
    for (Value data : requireNonNull(transfer.data)) {
      OptionalLong channel =
          grid.partitions() > 1
              ? OptionalLong.of(Collectives.CHANNEL.getOr(transfer.match.send(), 1L))
              : OptionalLong.empty();
      moved.add(builder.collectivePermute(data, pairs, channel));
    }
    transfer.moved = moved.build();
  }

  private static ImmutableList<Value> moved(Transfer transfer) {
    return requireNonNull(
        transfer.moved, () -> transfer.match.recv() + " is waited for before it is sent");
  }
}
