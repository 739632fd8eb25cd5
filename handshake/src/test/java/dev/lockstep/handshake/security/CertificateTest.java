package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with certificates of both sides, and peers whose certificates are not right. */
final class CertificateTest {
  @TempDir static Path folder;
  private static Transport serving;
  private static Transport joining;
  private static Transport expired;
  private static Transport foreign;
  private static Transport nameless;
  private static Transport third;
  private static Transport host;
  private static Transport expiredServing;
  private static Transport foreignServing;

  @BeforeAll
  static void makeCertificates() {
    Certificates made = new Certificates(folder);
    Path authority = made.authority("authority");
    // Of the same name, so that a client that follows the server's wishes still offers it.
    made.authority("stranger", "authority");
    serving = made.server("coordinator", "authority", authority);
    joining = made.client("anybody", "authority", authority);
    expired = made.client("expired", "authority", authority, "-startdate", "-3d", "-validity", "1");
    foreign = made.client("foreign", "stranger", authority);
    nameless = new Transport(null, null, authority, false);
    third = made.rank("third", "authority", authority, "lockstep://job/rank/3");
    host = made.rank("host", "authority", authority, "lockstep://job/ranks/0-2");
    expiredServing =
        made.server(
            "old coordinator", "authority", authority, "-startdate", "-3d", "-validity", "1");
    foreignServing = made.server("impostor", "stranger", authority);
  }

  private static HealthyJob job() throws IOException {
    return new HealthyJob(serving, joining, HealthyJob.STRICT);
  }

  private static ClientOptions impatient(int rank) {
    return new ClientOptions(
        "job",
        HealthyJob.TOKEN,
        0,
        rank,
        HealthyJob.WORLD,
        77,
        Stage.DISPATCH,
        HealthyJob.VERSIONS,
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofMillis(100));
  }

  private static Verdict verdict(HealthyJob job, Transport transport, int rank) throws IOException {
    HandshakeClient client = job.join(impatient(rank), job.target(), transport);
    return HealthyJob.verdict(client.run(HealthyJob.program(RankList.of(rank))));
  }

  @Test
  void certificatesOfTheAuthority_areLetIn() throws IOException {
    try (HealthyJob job = job()) {
      job.freeRankTakesPart();
    }
  }

  @Test
  void anExpiredCertificate_isRefused() throws IOException {
    try (HealthyJob job = job()) {
      assertThat(verdict(job, expired, 3).kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
      job.log.await(1, "turned away 127.0.0.1:", "TLS", "NotAfter");
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void aCertificateOfAnotherAuthority_isRefused() throws IOException {
    try (HealthyJob job = job()) {
      assertThat(verdict(job, foreign, 3).kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
      job.log.await(1, "turned away 127.0.0.1:", "TLS", "trust anchors");
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void noCertificate_isRefused() throws IOException {
    try (HealthyJob job = job()) {
      assertThat(verdict(job, nameless, 3).kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
      job.log.await(1, "turned away 127.0.0.1:", "TLS");
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void plainTextWhereTlsIsSpoken_isRefused() throws IOException {
    try (HealthyJob job = job()) {
      assertThat(verdict(job, Transport.LOOPBACK, 3).kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
      job.log.await(1, "turned away 127.0.0.1:", "TLS", "not an SSL/TLS record");
      job.goesOn();
    }
  }

  @Test
  void ranksDoNotSpeakToACoordinatorOfAnotherAuthority_norToAnExpiredOne() throws IOException {
    for (Transport wrong : new Transport[] {expiredServing, foreignServing}) {
      try (HealthyJob job = job();
          CoordinatorServer impostor =
              CoordinatorServer.start(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  wrong,
                  HealthyJob.STRICT,
                  dev.lockstep.handshake.coordinator.CoordinatorOptions.of("job", 4),
                  new Log())) {
        HandshakeClient client = job.join(impatient(3), "localhost:" + impostor.port(), joining);
        Verdict verdict = HealthyJob.verdict(client.run(HealthyJob.program(RankList.of(3))));
        assertThat(verdict.kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
        assertThat(verdict.text()).containsAnyOf("NotAfter", "trust anchors");
      }
    }
  }

  @Test
  void aCertificateThatNamesARank_isGoodForThatRankOnly() throws IOException {
    try (HealthyJob job = job()) {
      Puppet pretender =
          new Puppet(job.channel(job.target(), third)).say(Puppet.hello(1).setIncarnation(5));
      assertThat(pretender.refusal()).isEqualTo("WRONG_CERTIFICATE");
      job.log.await(1, "refused", "rank 1 WRONG_CERTIFICATE", "rank 3 of job job");
      assertThat(verdict(job, third, 3).kind()).isEqualTo(VerdictKind.FAT);
      job.goesOn();
    }
  }

  @Test
  void certificatesMayBeMadeToNameRanks() throws IOException {
    try (HealthyJob job = new HealthyJob(serving, host, HealthyJob.STRICT.withBoundRanks())) {
      Puppet pretender = new Puppet(job.channel(job.target(), joining)).say(Puppet.hello(3));
      assertThat(pretender.refusal()).isEqualTo("WRONG_CERTIFICATE");
      job.log.await(1, "refused", "rank 3 WRONG_CERTIFICATE", "names no rank");
      assertThat(verdict(job, third, 3).kind()).isEqualTo(VerdictKind.FAT);
      job.goesOn();
    }
  }

  @Test
  void anAggregatorSpeaksForTheRanksOfItsCertificateOnly() throws IOException {
    Log log = new Log();
    try (HealthyJob job = new HealthyJob(serving, host, HealthyJob.STRICT.withBoundRanks());
        AggregatorServer aggregator =
            AggregatorServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                serving,
                job.target(),
                host,
                HealthyJob.STRICT.withBoundRanks(),
                log)) {
      String target = "localhost:" + aggregator.port();
      // The aggregator lets the rank in, the coordinator knows that it is not one of the host's.
      CompletableFuture<Verdict> foreignRank =
          job.join(impatient(3), target, third).run(HealthyJob.program(RankList.of(3)));
      assertThat(HealthyJob.verdict(foreignRank).text()).contains("WRONG_CERTIFICATE");
      Puppet pretender = new Puppet(job.channel(target, third)).say(Puppet.hello(2));
      assertThat(pretender.refusal()).isEqualTo("WRONG_CERTIFICATE");
      log.await(1, "refused", "rank 2 WRONG_CERTIFICATE", "rank 3 of job job");
      job.goesOn();
    }
  }
}
