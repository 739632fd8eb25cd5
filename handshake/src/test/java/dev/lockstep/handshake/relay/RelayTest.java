package dev.lockstep.handshake.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The relay as a state machine: streams are names, time is a number. */
final class RelayTest {
  private static final long SECOND = 1_000_000_000L;

  private final Said said = new Said();
  private final Relay<String> relay =
      new Relay<>(new RelayOptions("job", "secret", 3, Duration.ofSeconds(10)), said);

  private static final class Said implements RelayOutput<String> {
    final List<String> lines = new ArrayList<>();
    final Set<String> full = new HashSet<>();

    List<String> take() {
      List<String> out = List.copyOf(lines);
      lines.clear();
      return out;
    }

    @Override
    public void welcome(String stream) {
      lines.add(stream + " welcome");
    }

    @Override
    public void notYet(String stream, String why) {
      lines.add(stream + " not yet: " + why);
    }

    @Override
    public void piece(String stream, int source, ByteString data, boolean more) {
      lines.add(stream + " gets " + data.toStringUtf8() + (more ? "..." : "") + " of " + source);
    }

    @Override
    public void over(String stream, Why why, String text) {
      lines.add(stream + " " + why + ": " + text);
    }

    @Override
    public void resume(String stream) {
      lines.add(stream + " goes on");
    }

    @Override
    public boolean hasRoom(String stream) {
      return !full.contains(stream);
    }
  }

  private void join(int... ranks) {
    for (int rank : ranks) {
      assertThat(relay.hello("s" + rank, "job", "secret", 0, rank, 3, 0)).isTrue();
    }
    said.take();
  }

  private void send(int rank, String text, int... targets) {
    relay.piece(rank, ImmutableIntArray.copyOf(targets), ByteString.copyFromUtf8(text), false, 0);
  }

  @Test
  void strangers_areRefusedByName() {
    assertThat(relay.hello("a", "job", "wrong", 0, 0, 3, 0)).isFalse();
    assertThat(relay.hello("a", "other", "secret", 0, 0, 3, 0)).isFalse();
    assertThat(relay.hello("a", "job", "secret", 0, 0, 4, 0)).isFalse();
    assertThat(relay.hello("a", "job", "secret", 0, 3, 3, 0)).isFalse();
    assertThat(relay.hello("a", "job", "secret", 0, 0, 3, 0)).isTrue();
    assertThat(relay.hello("b", "job", "secret", 0, 0, 3, 0)).isFalse();
    assertThat(said.take())
        .containsExactly(
            "a REFUSED: the token is not this job's",
            "a REFUSED: the job is job, not other",
            "a REFUSED: the rank says the job has 4 ranks, here it has 3",
            "a REFUSED: rank 3 is not one of 3",
            "a welcome",
            "a goes on",
            "b REFUSED: another process has joined as rank 0 already; give each its own number, or"
                + " restart the job with a higher epoch");
  }

  @Test
  void senders_restUntilAllReceiversHaveComeAndHaveRoom() {
    join(0, 1);
    send(0, "x", 1, 2);
    assertThat(said.take()).isEmpty();
    said.full.add("s1");
    relay.hello("s2", "job", "secret", 0, 2, 3, 0);
    assertThat(said.take()).containsExactly("s2 welcome", "s2 goes on");
    said.full.clear();
    relay.roomAgain();
    assertThat(said.take()).containsExactly("s1 gets x of 0", "s2 gets x of 0", "s0 goes on");
  }

  @Test
  void whoHasEnded_takesNothing() {
    join(0, 1, 2);
    relay.end(2, "", 0);
    send(0, "x", 1, 2);
    assertThat(said.take()).containsExactly("s1 gets x of 0", "s0 goes on");
  }

  @Test
  void ranksThatAllWait_areToldInWhat_unlessSomethingIsOnItsWay() {
    join(0, 1, 2);
    relay.end(2, "", 0);
    relay.waits(0, 0, "a sum", 0);
    send(1, "x", 0);
    said.take();
    relay.waits(1, 0, "a gather", 0);
    assertThat(said.take()).containsExactly("s1 goes on");
    relay.waits(0, 1, "a permute", 0);
    String words = "rank 0 waits in a permute\nrank 1 waits in a gather\nrank 2 has finished";
    assertThat(said.take())
        .containsExactly("s0 goes on", "s0 STALLED: " + words, "s1 STALLED: " + words);
  }

  @Test
  void aBrokenConnection_endsAll_andLaterOnesToo() {
    join(0, 1);
    relay.disconnected(1, "s1", 0);
    assertThat(said.take()).containsExactly("s0 LOST: rank 1 is lost: its connection broke");
    relay.hello("s2", "job", "secret", 0, 2, 3, 0);
    assertThat(said.take())
        .containsExactly("s2 welcome", "s2 LOST: rank 1 is lost: its connection broke");
  }

  @Test
  void aFailure_isToldInTheRanksWords() {
    join(0, 1, 2);
    relay.end(0, "prog.mlir:3:1: no", 0);
    assertThat(said.take())
        .containsExactly(
            "s1 LOST: rank 0 has failed: prog.mlir:3:1: no",
            "s2 LOST: rank 0 has failed: prog.mlir:3:1: no");
  }

  @Test
  void silence_losesARank_butNotOneThatRests() {
    join(0, 1);
    send(1, "x", 2);
    relay.lives(0, 9 * SECOND);
    said.take();
    relay.tick(11 * SECOND);
    assertThat(said.take())
        .containsExactly(
            "s0 LOST: rank 2 has not come within 10000 ms",
            "s1 LOST: rank 2 has not come within 10000 ms");
  }

  @Test
  void aSilentRank_isNamed() {
    join(0, 1, 2);
    relay.lives(0, 9 * SECOND);
    relay.lives(2, 9 * SECOND);
    said.take();
    relay.tick(11 * SECOND);
    assertThat(said.take())
        .containsExactly(
            "s1 REFUSED: rank 1 is lost: it has said nothing for 11000 ms",
            "s0 LOST: rank 1 is lost: it has said nothing for 11000 ms",
            "s2 LOST: rank 1 is lost: it has said nothing for 11000 ms");
  }

  @Test
  void aLaterEpoch_endsTheEarlier() {
    join(0, 1);
    assertThat(relay.hello("t2", "job", "secret", 1, 2, 3, 0)).isTrue();
    assertThat(said.take())
        .containsExactly(
            "s0 LOST: epoch 1 of the job has begun",
            "s1 LOST: epoch 1 of the job has begun",
            "t2 welcome",
            "t2 goes on");
    relay.disconnected(0, "s0", 0);
    assertThat(said.take()).isEmpty();
    assertThat(relay.hello("s2", "job", "secret", 0, 2, 3, 0)).isFalse();
  }

  @Test
  void aLaterEpoch_doesNotTakeAConnectedRanksPlace() {
    join(0, 1);
    assertThat(relay.hello("t0", "job", "secret", 1, 0, 3, 0)).isFalse();
    assertThat(said.take()).containsExactly("t0 not yet: rank 0 of epoch 0 is still connected");
  }

  @Test
  void whoSendsToNobody_isLost() {
    join(0, 1);
    send(0, "x", 3);
    assertThat(said.take())
        .containsExactly(
            "s0 REFUSED: rank 0 has sent something to rank 3",
            "s1 LOST: rank 0 has sent something to rank 3");
  }
}
