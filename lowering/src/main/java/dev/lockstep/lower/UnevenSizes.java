package dev.lockstep.lower;

/**
 * The largest numbers of rows in an uneven exchange, which give the shapes that all ranks share.
 *
 * @param maxSent most rows that a rank sends
 * @param maxReceived most rows that a rank gets
 */
record UnevenSizes(long maxSent, long maxReceived) {
  /** Returns the sizes of a step in which every rank wrote its own counts. */
  static UnevenSizes of(SetStep step) {
    long sent = 0;
    long received = 0;
    for (SetCall call : step.calls().values()) {
      sent = Math.max(sent, call.config().longs("send_counts").stream().sum());
      received = Math.max(received, call.config().longs("recv_counts").stream().sum());
    }
    return new UnevenSizes(sent, received);
  }
}
