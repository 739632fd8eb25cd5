package dev.lockstep.handshake.protocol;

/**
 * The first message of a rank on a connection.
 *
 * @param job which job
 * @param token what proves that the sender belongs to the job; empty when none is asked for
 * @param epoch how often the job was restarted; all ranks of a round are of one epoch
 * @param rank who speaks
 * @param world how many ranks the job has
 * @param incarnation a random number of the process; the same when it connects again
 * @param stage when this job asks
 * @param versions what must be the same on every rank
 * @param firstSequence the number of the first {@link Ask} that will follow on this connection
 * @param connection rises with every connection that the process opens as this rank: who repeats a
 *     recorded hello is recognised by it
 */
public record Hello(
    String job,
    String token,
    long epoch,
    int rank,
    int world,
    long incarnation,
    Stage stage,
    Versions versions,
    long firstSequence,
    long connection) {

  /**
   * What must be the same on every rank, since unequal ones make equal programs unlike.
   *
   * @param protocol the version of these messages
   * @param fingerprints the name and version of the fingerprint algorithm
   * @param compiler the compiler or plugin with its version
   * @param flags the compiler's flags
   */
  public record Versions(int protocol, String fingerprints, String compiler, String flags) {}
}
