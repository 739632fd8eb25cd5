package dev.lockstep.handshake.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.Fingerprint;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.wire.DefineGroup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests and answers keep what they say on the wire: the messages of research/torch_tpu.md 1.8.
 */
final class WireTest {
  private static final Verdict SETTLED = Verdict.of(VerdictKind.SKINNY, Reason.EAGER, 3, "eager");

  @ParameterizedTest
  @EnumSource
  void hellos(Stage stage) {
    Hello hello =
        new Hello(
            "job", "token", 7, 3, 8, -5, stage, new Hello.Versions(1, "fp", "c", "-O2"), 9, 2);
    assertThat(Wire.hello(Wire.hello(hello))).isEqualTo(hello);
  }

  @Test
  void groupsAndPrograms() {
    RankList group = RankList.of(0, 2, 5);
    assertThat(Wire.ranks(Wire.group(4, group))).isEqualTo(group);
    ProgramSummary program =
        new ProgramSummary(
            new Fingerprint(-1, 2),
            new Fingerprint(3, -4),
            ImmutableLongArray.of(1, -2, 3, 4, 5),
            ImmutableIntArray.of(0, 1),
            ImmutableLongArray.of(-8, 9),
            ImmutableList.of("all_reduce", "all_gather"));
    assertThat(Wire.program(Wire.program(0, program, "step"))).isEqualTo(program);
  }

  @ParameterizedTest
  @EnumSource
  void requests(Ask.Mode mode) {
    Ask ask =
        new Ask(
            12,
            mode,
            2,
            ImmutableList.of(new GroupUse(0, 1L << 40, 3), new GroupUse(1, 0, 1)),
            mode == Ask.Mode.ASK ? null : SETTLED);
    assertThat(Wire.ask(Wire.ask(ask).build())).isEqualTo(ask);
  }

  @ParameterizedTest
  @EnumSource
  void verdicts(VerdictKind kind) {
    Verdict verdict =
        new Verdict(
            kind,
            Reason.REGIONS_DIFFER,
            77,
            ImmutableIntArray.of(0, 4),
            ImmutableList.of(
                new Verdict.RankClass(new Fingerprint(1, 2), ImmutableIntArray.of(0, 1))),
            "why");
    assertThat(Wire.verdict(Wire.verdict(verdict))).isEqualTo(verdict);
  }

  @ParameterizedTest
  @EnumSource
  void refusals(Refusal.Code code) {
    Refusal refusal = new Refusal(code, "why");
    assertThat(Wire.refusal(Wire.refuse(3, 9, refusal))).isEqualTo(refusal);
  }

  @Test
  void whatMakesNoSenseIsSaid() {
    assertThatThrownBy(() -> Wire.ranks(DefineGroup.getDefaultInstance()))
        .hasMessage("a process group needs a member");
    assertThatThrownBy(() -> Wire.ask(dev.lockstep.handshake.wire.Ask.getDefaultInstance()))
        .hasMessage("a request names no process group");
    assertThatThrownBy(() -> Wire.verdict(dev.lockstep.handshake.wire.Verdict.getDefaultInstance()))
        .hasMessage("the verdict's kind is not known");
  }
}
