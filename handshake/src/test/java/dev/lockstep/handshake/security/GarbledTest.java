package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.wire.ClientFrame;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.DefineGroup;
import java.io.IOException;
import java.net.SocketException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that are no messages, and messages that make no sense. */
final class GarbledTest {
  @Test
  void randomBytesOnASocket_areClosed() throws IOException {
    Random random = new Random(1);
    try (HealthyJob job = new HealthyJob()) {
      for (int i = 0; i < 20; i++) {
        byte[] bytes = new byte[1 + random.nextInt(4000)];
        random.nextBytes(bytes);
        try (RawPeer peer = new RawPeer(job.server.port())) {
          if (i % 2 == 0) {
            peer.send(RawPeer.PREFACE);
          }
          peer.send(bytes);
          peer.awaitClosed();
        } catch (SocketException closed) {
          // Before all was sent.
        }
      }
      job.log.await(20, "turned away 127.0.0.1:", "NO_HELLO");
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void aMessageThatIsNoProtobuf_endsItsStream() throws IOException {
    try (HealthyJob job = new HealthyJob();
        RawPeer peer = new RawPeer(job.server.port())) {
      peer.greet()
          .open(1)
          .frame(RawPeer.DATA, 0, 1, RawPeer.prefix(4))
          .frame(RawPeer.DATA, 0, 1, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff);
      assertThat(peer.await(RawPeer.HEADERS, 1)).isTrue();
      job.log.await(1, "turned away " + peer.name(), "INTERNAL: Invalid protobuf");
      job.goesOn();
    }
  }

  @Test
  void anEmptyMessage_endsTheStreamOfItsSender() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = new Puppet(job.channel()).say(Puppet.hello(3));
      assertThat(rank.hear().hasWelcome()).isTrue();
      rank.say(ClientMessage.newBuilder());
      assertThat(rank.refusal()).isEqualTo("PROTOCOL_ERROR");
      assertThat(rank.end().getDescription()).isEqualTo("a message is empty");
      job.log.await(1, "refused 127.0.0.1:", "rank 3 PROTOCOL_ERROR: a message is empty");
      job.goesOn();
    }
  }

  @Test
  void framesWithBytesChanged_hurtNobodyElse() throws IOException {
    ClientFrame right =
        ClientFrame.newBuilder()
            .addMessages(ClientMessage.newBuilder().setHello(Puppet.hello(3)))
            .addMessages(
                ClientMessage.newBuilder()
                    .setDefineGroup(DefineGroup.newBuilder().setNumber(0).addRanks(3)))
            .addMessages(Lies.program(0))
            .addMessages(Lies.message(Lies.ask(0, 0, Lies.use(0, 0, 1))))
            .build();
    Random random = new Random(7);
    try (HealthyJob job = new HealthyJob()) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = right.toByteArray();
        for (int change = 0; change < 3; change++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        ClientFrame changed;
        try {
          changed = ClientFrame.parseFrom(bytes);
        } catch (com.google.protobuf.InvalidProtocolBufferException noProtobuf) {
          // The case of the test before last.
          continue;
        }
        new Puppet(job.channel()).say(changed).hangUp();
      }
      job.goesOn();
    }
  }
}
