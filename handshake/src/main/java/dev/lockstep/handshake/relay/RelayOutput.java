package dev.lockstep.handshake.relay;

import com.google.protobuf.ByteString;

/** What a relay says; {@code stream} is what was given with the rank's hello. */
public interface RelayOutput<S> {
  /** The rank is let in. */
  void welcome(S stream);

  /** The rank is not let in now, and may come again a little later. */
  void notYet(S stream, String why);

  /** Part of a parcel for a rank. */
  void piece(S stream, int source, ByteString data, boolean more);

  /** Nothing more comes on the stream. */
  void over(S stream, Why why, String text);

  /** The stream's next message is wanted: what came before has been passed on. */
  void resume(S stream);

  /** Whether more may be sent on the stream now without being kept in memory. */
  boolean hasRoom(S stream);

  /** Why ranks cannot go on together. */
  enum Why {
    /** A rank is lost, or has failed. */
    LOST,
    /** All ranks wait, and nothing is on its way. */
    STALLED,
    /** The rank is not let in. */
    REFUSED
  }
}
