package dev.lockstep.runtime.interp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.ir.Module;
import java.util.List;
import org.junit.jupiter.api.Test;

class SendRecvTest {
  /** A ring of four partitions; the numbers of devices move on by one. */
  private static final String RING =
      """
      HloModule ring, num_partitions=4

      ENTRY main {
        x = f32[2] parameter(0)
        t = token[] after-all()
        r = (f32[2], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2},{2,3},{3,0}}}
        s = (f32[2], u32[], token[]) send(x, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2},{2,3},{3,0}}}
        rd = (f32[2], token[]) recv-done(r), channel_id=1
        sd = token[] send-done(s), channel_id=1
        ROOT out = f32[2] get-tuple-element(rd), index=0
      }
      """;

  @Test
  void ringPassesOn() {
    assertThat(Grids.firsts(Program.of(Grids.read("ring.hlo", RING)), 1, 4))
        .containsExactly(4.0, 1.0, 2.0, 3.0);
  }

  @Test
  void ringPassesOnWhereSendsWait() {
    assertThat(
            Grids.run(
                Program.of(Grids.read("ring.hlo", RING)),
                1,
                4,
                InterpreterOptions.DEFAULT.withRendezvous(true)))
        .hasSize(4);
  }

  /** Without the pair 3 to 0 device 0 gets zeros and device 3 sends to nobody. */
  @Test
  void deviceThatIsNoTargetGetsZeros() {
    String open = RING.replace(",{3,0}", "");
    assertThat(Grids.firsts(Program.of(Grids.read("open.hlo", open)), 1, 4))
        .containsExactly(0.0, 1.0, 2.0, 3.0);
  }

  /** Every device waits for what it receives before it sends. */
  @Test
  void cycleOfReceivesIsReported() {
    String cycle =
        """
        HloModule cycle, num_partitions=2

        ENTRY main {
          x = f32[2] parameter(0)
          t = token[] after-all()
          r = (f32[2], u32[], token[]) recv(t), channel_id=7, frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}
          rd = (f32[2], token[]) recv-done(r), channel_id=7
          s = (f32[2], u32[], token[]) send(x, t), channel_id=7, frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}
          sd = token[] send-done(s), channel_id=7
          ROOT out = f32[2] get-tuple-element(rd), index=0
        }
        """;
    String report =
        Grids.failure(Program.of(Grids.read("cycle.hlo", cycle)), 1, 2, InterpreterOptions.DEFAULT);
    assertThat(report)
        .contains("cycle.hlo:7:3: error[deadlock]: no device can move")
        .contains("device 0 waits in recv-done for device 1 to send on channel 7")
        .contains("device 1 waits in recv-done for device 0 to send on channel 7")
        .contains("cycle.hlo:6:3: note: it was started here");
  }

  private static Module rank(int rank, String body) {
    return Grids.read(
        "rank" + rank + ".hlo",
        "HloModule rank"
            + rank
            + "\n\nENTRY main {\n  x = f32[] parameter(0)\n"
            + "  t = token[] after-all()\n"
            + body
            + "}\n");
  }

  private static final String SEND =
      """
        s = (f32[], u32[], token[]) send(x, t), channel_id=3
        ROOT d = token[] send-done(s), channel_id=3
      """;

  @Test
  void ranksOfASetMeetOnChannels() {
    Module receiver =
        rank(
            1,
            """
              r = (f32[], u32[], token[]) recv(t), channel_id=3
              d = (f32[], token[]) recv-done(r), channel_id=3
              ROOT out = f32[] get-tuple-element(d), index=0
            """);
    Program program = Program.ofRanks(List.of(rank(0, SEND), receiver));
    assertThat(
            Flattening.flatten(Grids.run(program, 2, 1, InterpreterOptions.DEFAULT).get(1))
                .get(0)
                .getDouble(0))
        .isEqualTo(1.0);
  }

  @Test
  void sendThatNobodyReceivesIsReported() {
    Module idle = rank(1, "  ROOT out = f32[] copy(x)\n");
    Program program = Program.ofRanks(List.of(rank(0, SEND), idle));
    assertThat(Grids.failure(program, 2, 1, InterpreterOptions.DEFAULT))
        .contains(
            "error[unmatched-send]: the program has ended and this still waits for somebody"
                + " to receive on channel 3");
    assertThat(Grids.failure(program, 2, 1, InterpreterOptions.DEFAULT.withRendezvous(true)))
        .contains("device 0 waits in send-done for somebody to receive on channel 3");
  }
}
