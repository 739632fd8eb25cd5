package dev.lockstep.handshake.protocol;

/**
 * Why the coordinator will not hear a rank; the connection is closed after it.
 *
 * @param code the kind of refusal
 * @param text what was got and expected, in words
 */
public record Refusal(Code code, String text) {
  /** The kinds of refusal. */
  public enum Code {
    /** The job's name is another. */
    WRONG_JOB,
    /** The token is not the job's. */
    WRONG_TOKEN,
    /** The rank is not one of the job's. */
    WRONG_RANK,
    /** The number of ranks is not the job's. */
    WRONG_WORLD,
    /** A version differs from the other ranks'. */
    WRONG_VERSION,
    /** The stage differs from the other ranks'. */
    WRONG_STAGE,
    /** The epoch is over. */
    STALE_EPOCH,
    /** Another process is connected as this rank. */
    DUPLICATE_RANK,
    /**
     * A process of an earlier epoch is still connected as this rank. The only refusal that is not
     * final: a client connects again, since the earlier process may be dead and not noticed yet.
     */
    STILL_CONNECTED,
    /** The process has opened a later connection: what came was recorded and is repeated. */
    REPLAYED,
    /** The peer's certificate names other ranks than this. */
    WRONG_CERTIFICATE,
    /** The rank was lost in this epoch, and its counts with it: the job needs a new epoch. */
    NEEDS_NEW_EPOCH,
    /** What was sent breaks the protocol. */
    PROTOCOL_ERROR
  }
}
