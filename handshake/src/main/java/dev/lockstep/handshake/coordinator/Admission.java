package dev.lockstep.handshake.coordinator;

import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Refusal.Code;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Who is let into the job: by token, world, epoch, versions, and one process a rank. */
final class Admission {
  private static final long NO_EPOCH = -1;

  private final CoordinatorOptions options;
  private long epoch = NO_EPOCH;
  private Hello.@Nullable Versions versions;
  private dev.lockstep.handshake.protocol.@Nullable Stage stage;
  private int firstRank;

  Admission(CoordinatorOptions options) {
    this.options = options;
  }

  long epoch() {
    return epoch;
  }

  /** Whether a rank that was let in begins a new epoch. */
  boolean begins(Hello hello) {
    return hello.epoch() > epoch;
  }

  void begin(Hello hello) {
    epoch = hello.epoch();
    versions = hello.versions();
    stage = hello.stage();
    firstRank = hello.rank();
  }

  /** Returns why {@code hello} is refused, or null. */
  @Nullable Refusal check(Hello hello, RankState[] ranks) {
    // The token first, and in constant time: who has none learns nothing else about the job.
    if (!MessageDigest.isEqual(
        hello.token().getBytes(StandardCharsets.UTF_8),
        options.token().getBytes(StandardCharsets.UTF_8))) {
      return new Refusal(Code.WRONG_TOKEN, "the token is not this job's");
    }
    if (!hello.job().equals(options.job())) {
      return differ(Code.WRONG_JOB, "job", hello.job(), options.job());
    }
    if (hello.world() != options.world()) {
      return new Refusal(
          Code.WRONG_WORLD,
          "the rank says the job has "
              + hello.world()
              + " ranks, the coordinator has "
              + options.world());
    }
    if (hello.rank() < 0 || hello.rank() >= options.world()) {
      return new Refusal(
          Code.WRONG_RANK, "rank " + hello.rank() + " is not one of " + options.world());
    }
    if (hello.epoch() < 0 || hello.firstSequence() < 0) {
      return new Refusal(Code.PROTOCOL_ERROR, "an epoch or a request number is negative");
    }
    if (hello.epoch() < epoch) {
      return new Refusal(
          Code.STALE_EPOCH, "epoch " + hello.epoch() + " is over, the job is in " + epoch);
    }
    RankState rank = ranks[hello.rank()];
    if (hello.epoch() == epoch) {
      return checkPeers(hello, rank);
    }
    return rank.link == null || rank.incarnation == hello.incarnation()
        ? null
        : new Refusal(
            Code.STILL_CONNECTED,
            "rank "
                + hello.rank()
                + " of epoch "
                + epoch
                + " is still connected from "
                + rank.link.name()
                + "; a later epoch begins when it is gone");
  }

  private @Nullable Refusal checkPeers(Hello hello, RankState rank) {
    Hello.Versions known = versions;
    if (known == null || stage == null) {
      return null;
    }
    if (rank.known
        && rank.incarnation == hello.incarnation()
        && hello.connection() <= rank.connection) {
      return new Refusal(
          Code.REPLAYED,
          "this is connection "
              + hello.connection()
              + " of a process that has opened its connection "
              + rank.connection);
    }
    if (hello.versions().protocol() != known.protocol()) {
      return versions("protocol", hello.versions().protocol(), known.protocol());
    }
    if (!hello.versions().fingerprints().equals(known.fingerprints())) {
      return versions(
          "fingerprint algorithm", hello.versions().fingerprints(), known.fingerprints());
    }
    if (!hello.versions().compiler().equals(known.compiler())) {
      return versions("compiler", hello.versions().compiler(), known.compiler());
    }
    if (!hello.versions().flags().equals(known.flags())) {
      return versions("compiler flags", hello.versions().flags(), known.flags());
    }
    if (hello.stage() != stage) {
      return new Refusal(
          Code.WRONG_STAGE,
          "rank " + firstRank + " asks at stage " + stage + ", this rank at " + hello.stage());
    }
    if (rank.known && rank.incarnation != hello.incarnation()) {
      return rank.link != null
          ? new Refusal(
              Code.DUPLICATE_RANK,
              "rank " + hello.rank() + " is connected from " + rank.link.name())
          : rank.nextSequence > 0
              ? new Refusal(
                  Code.NEEDS_NEW_EPOCH,
                  "rank "
                      + hello.rank()
                      + " is another process now, and what it has issued in epoch "
                      + epoch
                      + " is lost: restart the job with a higher epoch")
              : null;
    }
    return null;
  }

  private Refusal versions(String what, Object got, Object expected) {
    return new Refusal(
        Code.WRONG_VERSION,
        "the " + what + " of rank " + firstRank + " is " + expected + ", this rank's is " + got);
  }

  private static Refusal differ(Code code, String what, String got, String expected) {
    return new Refusal(code, "the " + what + " is " + expected + ", not " + got);
  }
}
