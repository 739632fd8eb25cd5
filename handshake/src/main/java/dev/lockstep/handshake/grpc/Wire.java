package dev.lockstep.handshake.grpc;

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
import dev.lockstep.handshake.wire.DefineProgram;
import dev.lockstep.handshake.wire.Use;
import dev.lockstep.handshake.wire.Versions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Between the messages of handshake.proto and those of the state machines.
 *
 * <p>Reading throws {@link IllegalArgumentException} with words for the sender where a message
 * makes no sense.
 */
final class Wire {
  /** The version of handshake.proto. */
  static final int PROTOCOL = 1;

  private Wire() {}

  static Hello hello(dev.lockstep.handshake.wire.Hello wire) {
    Versions versions = wire.getVersions();
    return new Hello(
        wire.getJob(),
        wire.getToken(),
        wire.getEpoch(),
        wire.getRank(),
        wire.getWorld(),
        wire.getIncarnation(),
        switch (wire.getStage()) {
          case STAGE_COMPILE -> Stage.COMPILE;
          case STAGE_DISPATCH -> Stage.DISPATCH;
          case STAGE_OFF -> Stage.OFF;
          case UNRECOGNIZED -> throw new IllegalArgumentException("the stage is not known");
        },
        new Hello.Versions(
            versions.getProtocol(),
            versions.getFingerprints(),
            versions.getCompiler(),
            versions.getFlags()),
        wire.getFirstSequence(),
        wire.getConnection());
  }

  static dev.lockstep.handshake.wire.Hello hello(Hello hello) {
    return dev.lockstep.handshake.wire.Hello.newBuilder()
        .setJob(hello.job())
        .setToken(hello.token())
        .setEpoch(hello.epoch())
        .setRank(hello.rank())
        .setWorld(hello.world())
        .setIncarnation(hello.incarnation())
        .setStage(
            switch (hello.stage()) {
              case OFF -> dev.lockstep.handshake.wire.Stage.STAGE_OFF;
              case COMPILE -> dev.lockstep.handshake.wire.Stage.STAGE_COMPILE;
              case DISPATCH -> dev.lockstep.handshake.wire.Stage.STAGE_DISPATCH;
            })
        .setVersions(
            Versions.newBuilder()
                .setProtocol(hello.versions().protocol())
                .setFingerprints(hello.versions().fingerprints())
                .setCompiler(hello.versions().compiler())
                .setFlags(hello.versions().flags()))
        .setFirstSequence(hello.firstSequence())
        .setConnection(hello.connection())
        .build();
  }

  static RankList ranks(DefineGroup wire) {
    return RankList.of(ints(wire.getRanksList()));
  }

  static DefineGroup group(int number, RankList group) {
    DefineGroup.Builder wire = DefineGroup.newBuilder().setNumber(number);
    group.ranks().forEach(wire::addRanks);
    return wire.build();
  }

  static ProgramSummary program(DefineProgram wire) {
    return new ProgramSummary(
        fingerprint(wire.getWhole()),
        fingerprint(wire.getStructural()),
        ImmutableLongArray.copyOf(wire.getRegionsList()),
        ints(wire.getCallGroupsList()),
        ImmutableLongArray.copyOf(wire.getCallSignaturesList()),
        ImmutableList.copyOf(wire.getCallTextsList()),
        Math.max(wire.getPositions(), wire.getCallGroupsCount()));
  }

  static DefineProgram program(int number, ProgramSummary program, String name) {
    DefineProgram.Builder wire =
        DefineProgram.newBuilder()
            .setNumber(number)
            .setName(name)
            .setWhole(fingerprint(program.whole()))
            .setStructural(fingerprint(program.structural()))
            .addAllCallTexts(program.callTexts())
            .setPositions(program.positions());
    program.regions().forEach(wire::addRegions);
    program.callGroups().forEach(wire::addCallGroups);
    program.callSignatures().forEach(wire::addCallSignatures);
    return wire.build();
  }

  static Ask ask(dev.lockstep.handshake.wire.Ask wire) {
    ImmutableList.Builder<GroupUse> uses =
        ImmutableList.builderWithExpectedSize(wire.getUsesCount());
    for (Use use : wire.getUsesList()) {
      uses.add(new GroupUse(use.getGroup(), use.getBefore(), use.getCount()));
    }
    Ask.Mode mode =
        switch (wire.getMode()) {
          case ASK -> Ask.Mode.ASK;
          case NOTE -> Ask.Mode.NOTE;
          case REPEAT -> Ask.Mode.REPEAT;
          case UNRECOGNIZED ->
              throw new IllegalArgumentException("the request's mode is not known");
        };
    return new Ask(
        wire.getSequence(),
        mode,
        wire.getProgram(),
        uses.build(),
        wire.hasSettled() ? verdict(wire.getSettled()) : null);
  }

  static dev.lockstep.handshake.wire.Ask.Builder ask(Ask ask) {
    dev.lockstep.handshake.wire.Ask.Builder wire =
        dev.lockstep.handshake.wire.Ask.newBuilder()
            .setSequence(ask.sequence())
            .setMode(
                switch (ask.mode()) {
                  case ASK -> dev.lockstep.handshake.wire.Ask.Mode.ASK;
                  case NOTE -> dev.lockstep.handshake.wire.Ask.Mode.NOTE;
                  case REPEAT -> dev.lockstep.handshake.wire.Ask.Mode.REPEAT;
                })
            .setProgram(ask.program());
    for (GroupUse use : ask.uses()) {
      wire.addUses(
          Use.newBuilder().setGroup(use.group()).setBefore(use.before()).setCount(use.count()));
    }
    Verdict settled = ask.settled();
    if (settled != null) {
      wire.setSettled(verdict(settled));
    }
    return wire;
  }

  static Verdict verdict(dev.lockstep.handshake.wire.Verdict wire) {
    ImmutableList.Builder<Verdict.RankClass> classes = ImmutableList.builder();
    for (dev.lockstep.handshake.wire.RankClass one : wire.getClassesList()) {
      classes.add(new Verdict.RankClass(fingerprint(one.getProgram()), ints(one.getRanksList())));
    }
    return new Verdict(
        kind(wire.getKind()),
        reason(wire.getReason()),
        wire.getRound(),
        ints(wire.getCutList()),
        classes.build(),
        wire.getText());
  }

  static dev.lockstep.handshake.wire.Verdict verdict(Verdict verdict) {
    dev.lockstep.handshake.wire.Verdict.Builder wire =
        dev.lockstep.handshake.wire.Verdict.newBuilder()
            .setKind(dev.lockstep.handshake.wire.Verdict.Kind.valueOf(verdict.kind().name()))
            .setReason(verdict.reason().name())
            .setRound(verdict.round())
            .setText(verdict.text());
    verdict.cut().forEach(wire::addCut);
    for (Verdict.RankClass one : verdict.classes()) {
      dev.lockstep.handshake.wire.RankClass.Builder part =
          dev.lockstep.handshake.wire.RankClass.newBuilder().setProgram(fingerprint(one.program()));
      one.ranks().forEach(part::addRanks);
      wire.addClasses(part);
    }
    return wire.build();
  }

  static dev.lockstep.handshake.wire.Refuse refuse(int rank, long incarnation, Refusal refusal) {
    return dev.lockstep.handshake.wire.Refuse.newBuilder()
        .setRank(rank)
        .setIncarnation(incarnation)
        .setCode(refusal.code().name())
        .setText(refusal.text())
        .build();
  }

  static Refusal refusal(dev.lockstep.handshake.wire.Refuse wire) {
    Refusal.@Nullable Code code = null;
    for (Refusal.Code known : Refusal.Code.values()) {
      code = known.name().equals(wire.getCode()) ? known : code;
    }
    return new Refusal(code == null ? Refusal.Code.PROTOCOL_ERROR : code, wire.getText());
  }

  private static VerdictKind kind(dev.lockstep.handshake.wire.Verdict.Kind kind) {
    return switch (kind) {
      case FAT -> VerdictKind.FAT;
      case PARTIAL -> VerdictKind.PARTIAL;
      case REPAIR -> VerdictKind.REPAIR;
      case SKINNY -> VerdictKind.SKINNY;
      case MISMATCH -> VerdictKind.MISMATCH;
      case TIMED_OUT -> VerdictKind.TIMED_OUT;
      case PEER_LOST -> VerdictKind.PEER_LOST;
      case REJECTED -> VerdictKind.REJECTED;
      case EPOCH_OVER -> VerdictKind.EPOCH_OVER;
      case NO_COORDINATOR -> VerdictKind.NO_COORDINATOR;
      case KIND_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("the verdict's kind is not known");
    };
  }

  /** A later version may know more reasons; the text says them anyway. */
  private static Reason reason(String name) {
    for (Reason known : Reason.values()) {
      if (known.name().equals(name)) {
        return known;
      }
    }
    return Reason.PROGRAMS_DIFFER;
  }

  private static Fingerprint fingerprint(dev.lockstep.handshake.wire.Fingerprint wire) {
    return new Fingerprint(wire.getHigh(), wire.getLow());
  }

  private static dev.lockstep.handshake.wire.Fingerprint fingerprint(Fingerprint print) {
    return dev.lockstep.handshake.wire.Fingerprint.newBuilder()
        .setHigh(print.high())
        .setLow(print.low())
        .build();
  }

  private static ImmutableIntArray ints(List<Integer> list) {
    return ImmutableIntArray.copyOf(list);
  }
}
