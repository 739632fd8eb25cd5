package dev.lockstep.handshake.client;

import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Stage;
import java.time.Duration;

/**
 * Who a client is and how patient.
 *
 * @param incarnation a number that no other process of this rank has had
 * @param heartbeat how often a sign of life is sent
 * @param patience how long the coordinator may be unreachable or silent before what waits for it is
 *     given up with {@code NO_COORDINATOR}
 * @param retry how long to wait before connecting again
 */
public record ClientOptions(
    String job,
    String token,
    long epoch,
    int rank,
    int world,
    long incarnation,
    Stage stage,
    Hello.Versions versions,
    Duration heartbeat,
    Duration patience,
    Duration retry) {

  /** Returns the usual times for a rank. */
  public static ClientOptions of(
      String job,
      String token,
      long epoch,
      int rank,
      int world,
      long incarnation,
      Stage stage,
      Hello.Versions versions) {
    return new ClientOptions(
        job,
        token,
        epoch,
        rank,
        world,
        incarnation,
        stage,
        versions,
        Duration.ofSeconds(3),
        Duration.ofSeconds(30),
        Duration.ofMillis(200));
  }

  /** Returns these with another patience. */
  public ClientOptions withPatience(Duration other) {
    return new ClientOptions(
        job, token, epoch, rank, world, incarnation, stage, versions, heartbeat, other, retry);
  }
}
