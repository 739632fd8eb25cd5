package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.RecvDone;
import dev.lockstep.hlo.op.collective.SendDone;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * XLA's own sends and receives in the programs of a set, written as torch's with the partner that
 * {@link TransferPartners} finds. From there on the two are matched and lowered alike.
 *
 * <p>A receive stands where it is waited for, in HLO at its recv-done: what arrives is there only
 * then, and a rank that waits holds up its own later sends.
 */
final class SetTransfers {
  private final TransferPartners partners;
  private final Map<Value, TransferEnd> ends = new IdentityHashMap<>();
  private final Map<Value, TransferEnd> dones = new IdentityHashMap<>();
  private final Map<Value, Operation> sendDones = new IdentityHashMap<>();

  private SetTransfers(TransferPartners partners) {
    this.partners = partners;
  }

  /**
   * Returns the programs with calls for such transfers; the same objects where there are none.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if it cannot be told who meets whom
   */
  static ImmutableList<Module> asCalls(List<Module> ranks, DeviceGrid grid) {
    List<TransferEnd> all = new ArrayList<>();
    List<List<TransferEnd>> byRank = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      List<TransferEnd> mine = TransferEnd.in(rank, ranks.get(rank));
      byRank.add(mine);
      all.addAll(mine);
    }
    if (all.isEmpty()) {
      return ImmutableList.copyOf(ranks);
    }
    TransferPartners partners = TransferPartners.of(all, grid);
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (int rank = 0; rank < ranks.size(); rank++) {
      out.add(new SetTransfers(partners).rewrite(ranks.get(rank), byRank.get(rank)));
    }
    return out.build();
  }

  private Module rewrite(Module module, List<TransferEnd> mine) {
    if (mine.isEmpty()) {
      return module;
    }
    for (TransferEnd end : mine) {
      ends.put(end.operation().results().get(0), end);
      Operation done = end.done();
      if (done != null) {
        if (end.isSend()) {
          sendDones.put(done.results().get(0), done);
        } else {
          dones.put(done.results().get(0), end);
        }
      }
    }
    return Rewriter.rewrite(module, this::rewrite);
  }

  private @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    if (operation.results().isEmpty()) {
      return null;
    }
    Value first = operation.results().get(0);
    if (operation.is(SendDone.DEF)) {
      return sendDones.containsKey(first) ? operation.operands() : null;
    }
    if (operation.is(RecvDone.DEF)) {
      TransferEnd end = dones.get(first);
      if (end == null) {
        return null;
      }
      TupleType type = (TupleType) first.type();
      Value data = receive(end, type.elements().get(0), builder);
      return ImmutableList.of(builder.tuple(ImmutableList.of(data, operation.operand(0))));
    }
    TransferEnd end = ends.get(first);
    if (end == null) {
      return null;
    }
    int last = operation.operands().size() - 1;
    Value token = operation.operand(last);
    if (end.isSend()) {
      for (int i = 0; i < last; i++) {
        send(end, operation.operand(i), builder);
      }
      return ImmutableList.of(token);
    }
    if (builder.scope().isHlo()) {
      // The recv-done gives the data; what stands for the receive until then is only its token.
      return ImmutableList.of(token);
    }
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value result : operation.results()) {
      out.add(result.type() instanceof TokenType ? token : receive(end, result.type(), builder));
    }
    return out.build();
  }

  private void send(TransferEnd end, Value data, OpBuilder builder) {
    if (data.type() instanceof TupleType) {
      for (int i = 0; i < ((TupleType) data.type()).elements().size(); i++) {
        send(end, builder.getTupleElement(data, i), builder);
      }
      return;
    }
    builder.customCall(
        P2pCalls.SEND, ImmutableList.of(data), ImmutableList.of(), true, config(end));
  }

  private Value receive(TransferEnd end, Type type, OpBuilder builder) {
    if (type instanceof TupleType) {
      List<Value> elements = new ArrayList<>();
      for (Type element : ((TupleType) type).elements()) {
        elements.add(receive(end, element, builder));
      }
      return builder.tuple(elements);
    }
    TensorType plain = (TensorType) type;
    return builder
        .customCall(P2pCalls.RECV, ImmutableList.of(), ImmutableList.of(plain), true, config(end))
        .get(0);
  }

  private Attributes config(TransferEnd end) {
    int partner = partners.of(end);
    Attributes.Builder config = Attributes.builder();
    config.put("peer", Attribute.Int.i64(partner));
    config.put("tag", Attribute.Int.i64(partners.number(end)));
    config.put(P2pCalls.CHANNEL, Attribute.Int.i64(end.channel()));
    return Attributes.of("backend_config", new Attribute.Dict(config.build()));
  }
}
