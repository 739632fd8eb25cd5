package dev.lockstep.handshake.security;

import dev.lockstep.handshake.wire.Ask;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.DefineGroup;
import dev.lockstep.handshake.wire.DefineProgram;
import dev.lockstep.handshake.wire.Fingerprint;
import dev.lockstep.handshake.wire.Use;
import java.util.List;

/** The messages that a rank sends, for tests that get them wrong. */
final class Lies {
  private Lies() {}

  static ClientMessage.Builder group(int number, Integer... ranks) {
    return ClientMessage.newBuilder()
        .setDefineGroup(DefineGroup.newBuilder().setNumber(number).addAllRanks(List.of(ranks)));
  }

  /** A program of one collective on its first group. */
  static ClientMessage.Builder program(int number) {
    Fingerprint print = Fingerprint.newBuilder().setHigh(7).setLow(number).build();
    return ClientMessage.newBuilder()
        .setDefineProgram(
            DefineProgram.newBuilder()
                .setNumber(number)
                .setWhole(print)
                .setStructural(print)
                .addRegions(1)
                .addRegions(2)
                .addRegions(3)
                .addCallGroups(0)
                .addCallSignatures(9)
                .addCallTexts("all_reduce"));
  }

  static Use use(int group, long before, int count) {
    return Use.newBuilder().setGroup(group).setBefore(before).setCount(count).build();
  }

  static Ask.Builder ask(long sequence, int program, Use... uses) {
    return Ask.newBuilder()
        .addRanks(HealthyJob.FREE_RANK)
        .setSequence(sequence)
        .setProgram(program)
        .addAllUses(List.of(uses));
  }

  static ClientMessage.Builder message(Ask.Builder ask) {
    return ClientMessage.newBuilder().setAsk(ask);
  }
}
