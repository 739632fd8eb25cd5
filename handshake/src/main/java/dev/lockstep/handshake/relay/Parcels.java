package dev.lockstep.handshake.relay;

import com.google.protobuf.ByteString;
import dev.lockstep.handshake.wire.PieceFrom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What has come for a rank: parcels in the order of their last parts, put together from these. */
final class Parcels {
  /** The largest parcel: what a Java array holds. */
  private static final long LARGEST = Integer.MAX_VALUE - 16;

  private final ArrayDeque<RelayClient.Parcel> whole = new ArrayDeque<>();
  private final Map<Integer, Half> halves = new HashMap<>();

  /** The parts of a parcel of which more will come. */
  private static final class Half {
    final List<ByteString> parts = new ArrayList<>();
    long size;
  }

  boolean isEmpty() {
    return whole.isEmpty();
  }

  RelayClient.Parcel remove() {
    return whole.remove();
  }

  /** Takes in a part; returns false when the parcel is too large to be held. */
  boolean take(PieceFrom piece) {
    if (!piece.getMore() && !halves.containsKey(piece.getSource())) {
      whole.add(new RelayClient.Parcel(piece.getSource(), piece.getData().toByteArray()));
      return true;
    }
    Half half = halves.computeIfAbsent(piece.getSource(), source -> new Half());
    half.parts.add(piece.getData());
    half.size += piece.getData().size();
    if (half.size > LARGEST) {
      return false;
    }
    if (!piece.getMore()) {
      halves.remove(piece.getSource());
      byte[] bytes = new byte[(int) half.size];
      int at = 0;
      for (ByteString part : half.parts) {
        part.copyTo(bytes, at);
        at += part.size();
      }
      whole.add(new RelayClient.Parcel(piece.getSource(), bytes));
    }
    return true;
  }
}
