package dev.lockstep.tools.handshake;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.program.ModulePrograms;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.relay.RelayClient;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.fingerprint.Fingerprint;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.job.Explainer;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.split.CutRegions;
import dev.lockstep.tools.split.VerdictFile;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** {@code handshake join}: one rank asks about its programs, in order, and says what it is told. */
public final class Joining {
  private Joining() {}

  /** Asks about the programs in {@code words}. */
  public static int run(
      Session session, HandshakeFlags flags, List<String> words, @Nullable Path output)
      throws IOException {
    int world = flags.world();
    int rank = flags.rank();
    if (rank < 0 || rank >= world) {
      throw new UsageException("rank " + rank + " is not one of " + world);
    }
    session.fx().expectRanks(world);
    List<Asked> programs = read(session, words, world, rank);
    ClientOptions options =
        ClientOptions.of(
                flags.job(),
                flags.token(),
                flags.epoch(),
                rank,
                world,
                new SecureRandom().nextLong(),
                flags.stage(),
                new Hello.Versions(1, Fingerprint.ALGORITHM, "lockstep", ""))
            .withPatience(flags.patience());
    ManagedChannel channel = flags.channel();
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    List<Answered> verdicts = new ArrayList<>();
    Refusal refusal;
    RelayClient.Joining joining =
        new RelayClient.Joining(flags.job(), flags.token(), flags.epoch(), rank, world);
    try (HandshakeClient client =
            HandshakeClient.connect(
                options,
                channel,
                timer,
                notice -> session.say("notice from the coordinator: " + notice.text()));
        Explainer explainer =
            new Explainer(
                () -> RelayClient.join(channel, joining, timer),
                world,
                programs.get(0).module().partitions(),
                source -> Programs.readVerified(session, source))) {
      for (Asked program : programs) {
        Verdict verdict = client.run(program.program()).join();
        Source shown =
            flags.hidesPrograms()
                ? Source.of(program.source().name(), new byte[0])
                : program.source();
        verdicts.add(
            new Answered(
                verdict,
                explainer.explain(rank, verdict, program.program().groups().get(0), shown)));
        if (!verdict.kind().runs()) {
          break;
        }
      }
      refusal = client.refusal();
    } finally {
      timer.shutdownNow();
      channel.shutdown();
    }
    return tell(session, programs, verdicts, refusal, output);
  }

  /** A program that is asked about. */
  private record Asked(Program program, Module module, Source source, DeviceGrid grid) {}

  /** A verdict, and why ranks differ where that was found out. */
  private record Answered(Verdict verdict, @Nullable String why) {}

  private static List<Asked> read(Session session, List<String> words, int world, int rank) {
    ImmutableList<InputFile> files = InputFiles.inOrder(words);
    List<Asked> programs = new ArrayList<>();
    for (InputFile file : files) {
      Source source = file.read(session);
      Module module = Programs.readVerified(session, source);
      int partitions = module.partitions().orElse(1);
      if (world % partitions != 0) {
        throw new UsageException(
            world
                + " ranks cannot be divided into the "
                + partitions
                + " partitions of "
                + file.name());
      }
      DeviceGrid grid = new DeviceGrid(world / partitions, partitions);
      Program program = ModulePrograms.of(module, grid, rank, file.name());
      programs.add(new Asked(program, module, source, grid));
    }
    return programs;
  }

  private static int tell(
      Session session,
      List<Asked> programs,
      List<Answered> verdicts,
      @Nullable Refusal refusal,
      @Nullable Path output)
      throws IOException {
    StringBuilder text = new StringBuilder();
    List<Map<String, Object>> described = new ArrayList<>();
    int code = ExitCode.OK;
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i).verdict();
      String why = verdicts.get(i).why();
      text.append(programs.get(i).program().name())
          .append(": ")
          .append(VerdictText.word(verdict.kind()))
          .append(": ")
          .append(verdict.text())
          .append('\n')
          .append(why == null ? "" : why.indent(2));
      Map<String, Object> one = VerdictText.describe(verdict);
      one.put("schema", VerdictFile.SCHEMA);
      if (verdict.kind() == VerdictKind.PARTIAL) {
        one.put(
            "regions",
            CutRegions.of(programs.get(i).module(), programs.get(i).grid(), verdict.cut())
                .asList());
      }
      if (why != null) {
        one.put("explanation", why);
      }
      one.put("file", programs.get(i).program().name());
      described.add(one);
      code = Math.max(code, VerdictText.exitCode(verdict.kind()));
    }
    session.report().put("verdicts", described);
    if (refusal != null) {
      session.report().put("refused", refusal.code().name());
    }
    if (!session.isJson() || output != null) {
      session.writeResult(output, "text", text.toString());
    }
    return code;
  }
}
