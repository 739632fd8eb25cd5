package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Says for each of XLA's sends and receives in a set of programs which rank is at the other end.
 *
 * <p>Pairs say it where they are written. Else the channel does, when only one other rank has the
 * other end of it: one sender and one receiver, or two ranks that both send and receive. A channel
 * on which more ranks stand leaves it open, since XLA then relies on pairs.
 */
final class TransferPartners {
  private static final Comparator<Pair> ORDER =
      Comparator.comparingInt(Pair::source).thenComparingInt(Pair::target);

  private final List<TransferEnd> all;
  private final DeviceGrid grid;
  private final Map<TransferEnd, Integer> partners = new IdentityHashMap<>();
  private final Map<Pair, SortedSet<Long>> channels = new TreeMap<>(ORDER);

  private TransferPartners(List<TransferEnd> all, DeviceGrid grid) {
    this.all = all;
    this.grid = grid;
  }

  /**
   * Returns the partners of {@code all} ends of all ranks.
   *
   * @throws DiagnosticException naming both places, where an end has none or it is open which
   */
  static TransferPartners of(List<TransferEnd> all, DeviceGrid grid) {
    TransferPartners out = new TransferPartners(all, grid);
    for (TransferEnd end : all) {
      int partner = end.pairs().isEmpty() ? out.byChannel(end) : out.byPairs(end);
      out.partners.put(end, partner);
      if (partner >= 0) {
        out.channels
            .computeIfAbsent(out.pair(end, partner), key -> new TreeSet<>())
            .add(end.channel());
      }
    }
    return out;
  }

  private Pair pair(TransferEnd end, int partner) {
    return end.isSend() ? new Pair(end.rank(), partner) : new Pair(partner, end.rank());
  }

  /** Returns the rank at the other end, -1 where the rank takes no part. */
  int of(TransferEnd end) {
    return requireNonNull(partners.get(end));
  }

  /**
   * Returns which of the channels between the two ranks it is, from 0. Numbers, not channels, tell
   * messages apart, so that those of many ranks can be one permute though each has its channel.
   */
  int number(TransferEnd end) {
    int partner = of(end);
    return partner < 0
        ? 0
        : requireNonNull(channels.get(pair(end, partner))).headSet(end.channel()).size();
  }

  private int byPairs(TransferEnd end) {
    int side = end.isSend() ? 0 : 1;
    for (ImmutableLongArray pair : end.pairs()) {
      if (device(pair.get(side), end.rank()) == end.rank()) {
        return device(pair.get(1 - side), end.rank());
      }
    }
    return -1;
  }

  /** Ids in pairs are partitions of the same replica where there are several, else replicas. */
  private int device(long id, int near) {
    int number = Math.toIntExact(id);
    return grid.partitions() > 1 ? grid.device(grid.replica(near), number) : grid.device(number, 0);
  }

  private int byChannel(TransferEnd end) {
    SortedSet<Integer> senders = ranksOn(end.channel(), true);
    SortedSet<Integer> receivers = ranksOn(end.channel(), false);
    SortedSet<Integer> others = end.isSend() ? receivers : senders;
    if (others.isEmpty()) {
      throw new DiagnosticException(unmatched(end));
    }
    int partner = onlyOther(others, end.rank());
    boolean decided =
        partner >= 0 && onlyOther(end.isSend() ? senders : receivers, partner) == end.rank();
    if (!decided) {
      throw new DiagnosticException(undecided(end, senders, receivers));
    }
    return partner;
  }

  /** Returns the only one of {@code ranks} besides {@code rank}, or it when alone; else -1. */
  private static int onlyOther(SortedSet<Integer> ranks, int rank) {
    SortedSet<Integer> others = new TreeSet<>(ranks);
    if (others.size() > 1) {
      others.remove(rank);
    }
    return others.size() == 1 ? others.first() : -1;
  }

  private SortedSet<Integer> ranksOn(long channel, boolean sending) {
    ImmutableSortedSet.Builder<Integer> out = ImmutableSortedSet.naturalOrder();
    for (TransferEnd end : all) {
      if (end.channel() == channel && end.isSend() == sending && end.pairs().isEmpty()) {
        out.add(end.rank());
      }
    }
    return out.build();
  }

  private Diagnostic unmatched(TransferEnd end) {
    Diagnostic diagnostic =
        Diagnostic.error(
            "p2p-unmatched",
            "rank "
                + end.rank()
                + (end.isSend() ? " sends" : " receives")
                + " on channel "
                + end.channel()
                + ", but no rank "
                + (end.isSend() ? "receives" : "sends")
                + " on it",
            end.location());
    TransferEnd other = nearest(end);
    return other == null
        ? diagnostic
        : diagnostic.withNote(
            "rank "
                + other.rank()
                + (other.isSend() ? " sends" : " receives")
                + " here, on channel "
                + other.channel(),
            other.location());
  }

  /** Returns an end of the other kind for a note: best one whose channel has nobody else either. */
  private @Nullable TransferEnd nearest(TransferEnd end) {
    TransferEnd best = null;
    for (TransferEnd other : all) {
      if (other.isSend() != end.isSend() && other.rank() != end.rank()) {
        if (ranksOn(other.channel(), end.isSend()).isEmpty()) {
          return other;
        }
        best = best == null ? other : best;
      }
    }
    return best;
  }

  private Diagnostic undecided(
      TransferEnd end, SortedSet<Integer> senders, SortedSet<Integer> receivers) {
    Diagnostic diagnostic =
        Diagnostic.error(
            "p2p-undecided",
            "channel "
                + end.channel()
                + " does not say who sends to whom: "
                + (senders.size() == 1 ? "rank " : "ranks ")
                + join(senders)
                + " send"
                + (senders.size() == 1 ? "s" : "")
                + " on it and "
                + (receivers.size() == 1 ? "rank " : "ranks ")
                + join(receivers)
                + " receive"
                + (receivers.size() == 1 ? "s" : "")
                + "; add "
                + XlaTransfers.HOW_TO_SAY
                + " to both ends, or give every two ranks a channel of their own",
            end.location());
    List<TransferEnd> others = new ArrayList<>(all);
    Collections.reverse(others);
    for (TransferEnd other : others) {
      if (other.channel() == end.channel() && other.isSend() != end.isSend()) {
        return diagnostic.withNote(
            "rank " + other.rank() + (other.isSend() ? " sends" : " receives") + " on it here",
            other.location());
      }
    }
    return diagnostic;
  }

  private static String join(SortedSet<Integer> ranks) {
    StringBuilder out = new StringBuilder();
    ranks.forEach(rank -> out.append(out.length() == 0 ? "" : ", ").append(rank));
    return out.toString();
  }
}
