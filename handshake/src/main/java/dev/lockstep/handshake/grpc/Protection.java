package dev.lockstep.handshake.grpc;

import java.time.Duration;

/**
 * What peers may do that have not shown a token: strangers.
 *
 * @param greeting how long a connection may stand, and a stream on it, before a rank is let in
 * @param idle how long a connection may stand without any stream
 * @param mostConnections how many connections are held; when there are as many, the oldest of a
 *     stranger makes room
 * @param mostStrangerBytes how much strangers may have sent, all together; when it is more, the one
 *     that has sent most is closed
 * @param boundRanks whether a client's certificate must name the ranks that it speaks for. One that
 *     names any is bound to these in any case
 */
public record Protection(
    Duration greeting,
    Duration idle,
    int mostConnections,
    long mostStrangerBytes,
    boolean boundRanks) {
  /** What is right for most jobs: the largest world that is tested has 2,048 ranks. */
  public static final Protection USUAL =
      new Protection(Duration.ofSeconds(10), Duration.ofMinutes(5), 1 << 14, 64 << 20, false);

  /** Returns the same, but certificates must name ranks. */
  public Protection withBoundRanks() {
    return new Protection(greeting, idle, mostConnections, mostStrangerBytes, true);
  }
}
