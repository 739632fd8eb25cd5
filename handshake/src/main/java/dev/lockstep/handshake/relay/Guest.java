package dev.lockstep.handshake.relay;

/** Who is at the other end of a stream that has just been opened. */
public interface Guest {
  /** Returns why it must not speak for a rank, or "". */
  String refusal(String job, int rank);

  /** It was refused for what it said of itself. */
  void refused(String why);

  /** A rank was let in on the stream: it is no stranger any more. */
  void admitted();
}
