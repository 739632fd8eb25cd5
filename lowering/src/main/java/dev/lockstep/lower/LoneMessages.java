package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages whose ends stand in programs that do not run at the same time.
 *
 * <p>State: for each message of the programs that were looked at, how many more sends than receives
 * there are, and the last place of each.
 */
final class LoneMessages {
  /** Which messages are alike: torch's by ranks and tag, XLA's by channel. */
  private record Key(@Nullable Pair pair, P2pEvent.Tag tag, long channel) {}

  private static final class Tally {
    private int excess;
    private @Nullable Location sent;
    private @Nullable Location received;
    private int sender;
    private int receiver;
  }

  private final int world;
  private final Map<Key, Tally> tallies = new LinkedHashMap<>();

  private LoneMessages(int world) {
    this.world = world;
  }

  /**
   * Returns {@code diagnostic} with a note when what a message lacks stands in another program.
   *
   * @param places for each rank the place of the program that the diagnostic is about
   * @param all the programs of all ranks
   */
  static Diagnostic explained(
      Diagnostic diagnostic,
      ImmutableList<Integer> places,
      ImmutableList<ImmutableList<Module>> all) {
    LoneMessages here = new LoneMessages(all.size());
    for (int rank = 0; rank < all.size(); rank++) {
      here.add(rank, all.get(rank).get(places.get(rank)));
    }
    for (int rank = 0; rank < all.size(); rank++) {
      for (int i = 0; i < all.get(rank).size(); i++) {
        if (i != places.get(rank)) {
          LoneMessages there = new LoneMessages(all.size());
          there.add(rank, all.get(rank).get(i));
          Diagnostic found = here.joined(there, diagnostic, rank, i);
          if (found != null) {
            return found;
          }
        }
      }
    }
    return diagnostic;
  }

  private @Nullable Diagnostic joined(
      LoneMessages there, Diagnostic diagnostic, int rank, int program) {
    for (Map.Entry<Key, Tally> entry : tallies.entrySet()) {
      Tally mine = entry.getValue();
      Tally theirs = there.tallies.get(entry.getKey());
      if (theirs == null || mine.excess == 0 || (mine.excess > 0) == (theirs.excess > 0)) {
        continue;
      }
      boolean lacksReceive = mine.excess > 0;
      Location location = lacksReceive ? theirs.received : theirs.sent;
      int partner = lacksReceive ? theirs.receiver : theirs.sender;
      if (location != null && partner == rank) {
        return diagnostic.withNote(
            "rank "
                + rank
                + (lacksReceive ? " receives" : " sends")
                + " it in its program number "
                + program
                + ", which does not run at the same time; both ends of a message must stand in"
                + " programs that do",
            location);
      }
    }
    return null;
  }

  private void add(int rank, Module module) {
    module.walk(operation -> add(rank, operation));
    for (TransferEnd end : TransferEnd.in(rank, module)) {
      Key key = new Key(null, new P2pEvent.Tag(0, true, 0), end.channel());
      count(key, end.isSend(), rank, end.location());
    }
  }

  private void add(int rank, Operation operation) {
    if (CallReader.isCall(operation) && P2pCalls.isTarget(CallReader.config(operation).target())) {
      SetCall call = SetCall.of(rank, world, operation);
      if (call.group() != null) {
        SetP2p.events(call, world).forEach(event -> add(rank, event));
      }
    }
  }

  private void add(int rank, P2pEvent event) {
    int peer = event.peers().get(rank);
    if (peer >= 0) {
      Pair pair = event.isSend() ? new Pair(rank, peer) : new Pair(peer, rank);
      count(new Key(pair, event.tag(), 0), event.isSend(), rank, event.location());
    }
  }

  private void count(Key key, boolean isSend, int rank, Location location) {
    Tally tally = tallies.computeIfAbsent(key, unused -> new Tally());
    if (isSend) {
      tally.excess++;
      tally.sent = location;
      tally.sender = rank;
    } else {
      tally.excess--;
      tally.received = location;
      tally.receiver = rank;
    }
  }
}
