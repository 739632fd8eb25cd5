package dev.lockstep.golden.reference;

import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which send answers which receive: first in, first out for each group, source, destination and
 * tag, counted in program order on either side.
 */
final class Mailbox {
  /** A way that messages go. */
  private record Lane(List<Integer> group, int source, int destination, int tag) {}

  /** The n-th message of a way. */
  private record Receipt(Lane lane, int number) {}

  /** What answers a receive: the value that rank {@code source} has of {@code value}. */
  record Letter(Value value, int source) {}

  private final Map<Lane, List<Value>> sent = new HashMap<>();
  private final Map<Lane, Integer> received = new HashMap<>();
  private final Map<Operation, Map<List<Integer>, Receipt>> receipts = new IdentityHashMap<>();

  /** Returns the mail of a program of straight-line code on {@code ranks} ranks. */
  static Mailbox of(Iterable<Operation> operations, int ranks) {
    Mailbox mail = new Mailbox();
    for (Operation operation : operations) {
      if (C10dCalls.isCall(operation)) {
        mail.add(operation, C10dCalls.of(operation), ranks);
      }
    }
    return mail;
  }

  private void add(Operation operation, C10dCalls call, int ranks) {
    List<List<Integer>> groups = call.groups(ranks);
    for (int g = 0; g < groups.size(); g++) {
      List<Integer> group = groups.get(g);
      for (int member = 0; member < group.size(); member++) {
        switch (call.target()) {
          case "c10d.send", "c10d.recv" -> {
            int peer = call.ofMember("peer", g, member, group.size());
            int tag = call.has("tag") ? call.ofIndex("tag", 0) : 0;
            boolean isSend = call.target().equals("c10d.send");
            endpoint(operation, 0, isSend, group, member, peer, tag);
          }
          case "c10d.batch_isend_irecv" -> {
            List<String> kinds = call.words("ops");
            for (int i = 0; i < kinds.size(); i++) {
              int peer = call.ofMember("peers", i, g, member, group.size());
              int tag = call.has("tags") ? call.ofIndex("tags", i) : 0;
              boolean isSend = kinds.get(i).equals("isend");
              endpoint(operation, i, isSend, group, member, peer, tag);
            }
          }
          default -> {}
        }
      }
    }
  }

  private void endpoint(
      Operation operation,
      int index,
      boolean isSend,
      List<Integer> group,
      int member,
      int peer,
      int tag) {
    if (peer < 0) {
      return;
    }
    int me = group.get(member);
    int other = group.get(peer);
    if (isSend) {
      sent.computeIfAbsent(new Lane(group, me, other, tag), lane -> new ArrayList<>())
          .add(operation.operands().get(index));
      return;
    }
    Lane lane = new Lane(group, other, me, tag);
    int number = received.merge(lane, 1, Integer::sum) - 1;
    receipts
        .computeIfAbsent(operation, key -> new HashMap<>())
        .put(List.of(index, me), new Receipt(lane, number));
  }

  /**
   * Returns what comes to {@code rank} in receive {@code index} of {@code operation}, if it does.
   */
  @Nullable Letter letter(Operation operation, int index, int rank) {
    Receipt receipt = receipts.getOrDefault(operation, Map.of()).get(List.of(index, rank));
    if (receipt == null) {
      return null;
    }
    List<Value> letters = sent.getOrDefault(receipt.lane(), List.of());
    if (receipt.number() >= letters.size()) {
      throw new IllegalArgumentException("a receive on rank " + rank + " is never answered");
    }
    return new Letter(letters.get(receipt.number()), receipt.lane().source());
  }
}
