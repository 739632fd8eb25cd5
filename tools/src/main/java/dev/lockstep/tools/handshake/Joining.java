package dev.lockstep.tools.handshake;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.program.ModulePrograms;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.fingerprint.Fingerprint;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.Programs;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
    List<Program> programs = read(session, words, world, rank);
    ClientOptions options =
        ClientOptions.of(
            flags.job(),
            flags.token(),
            flags.epoch(),
            rank,
            world,
            new SecureRandom().nextLong(),
            flags.stage(),
            new Hello.Versions(1, Fingerprint.ALGORITHM, "lockstep", ""));
    ManagedChannel channel;
    try {
      channel = Channels.open(flags.coordinator(), flags.transport());
    } catch (IOException unusable) {
      throw new EnvironmentException(
          "cannot connect to " + flags.coordinator() + ": " + IoMessages.reason(unusable));
    }
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    List<Verdict> verdicts = new ArrayList<>();
    Refusal refusal;
    try (HandshakeClient client =
        HandshakeClient.connect(
            options,
            channel,
            timer,
            notice -> session.say("notice from the coordinator: " + notice.text()))) {
      for (Program program : programs) {
        CompletableFuture<Verdict> verdict = client.run(program);
        verdicts.add(verdict.join());
        if (!verdicts.get(verdicts.size() - 1).kind().runs()) {
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

  private static List<Program> read(Session session, List<String> words, int world, int rank) {
    ImmutableList<InputFile> files = InputFiles.collect(words);
    List<Program> programs = new ArrayList<>();
    for (InputFile file : files) {
      Module module = Programs.readVerified(session, file.read(session));
      int partitions = module.partitions().orElse(1);
      if (world % partitions != 0) {
        throw new UsageException(
            world
                + " ranks cannot be divided into the "
                + partitions
                + " partitions of "
                + file.name());
      }
      programs.add(
          ModulePrograms.of(
              module, new DeviceGrid(world / partitions, partitions), rank, file.name()));
    }
    return programs;
  }

  private static int tell(
      Session session,
      List<Program> programs,
      List<Verdict> verdicts,
      @Nullable Refusal refusal,
      @Nullable Path output)
      throws IOException {
    StringBuilder text = new StringBuilder();
    List<Map<String, Object>> described = new ArrayList<>();
    int code = ExitCode.OK;
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      text.append(programs.get(i).name())
          .append(": ")
          .append(VerdictText.word(verdict.kind()))
          .append(": ")
          .append(verdict.text())
          .append('\n');
      Map<String, Object> one = VerdictText.describe(verdict);
      one.put("file", programs.get(i).name());
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
