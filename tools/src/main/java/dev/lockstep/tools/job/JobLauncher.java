package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.StatusQuery;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.pass.region.RankWords;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.handshake.JoinFlags;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.RankSet;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Results;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code run --ranks SET --stage}: starts a process for each rank, and the coordinator unless one
 * is named, waits for all and puts together what they computed.
 */
public final class JobLauncher {
  private static final String ADDRESS = "localhost";
  private static final long CHECK_SECONDS = 10;

  private final Session session;
  private final JobRequest request;
  private final String ranks;
  private final Path folder;

  private JobLauncher(Session session, JobRequest request, String ranks, Path folder) {
    this.session = session;
    this.request = request;
    this.ranks = ranks;
    this.folder = folder;
  }

  /** Runs the job of {@code request}, which names the programs of all ranks. */
  public static JobResult run(Session session, JobRequest request) throws IOException {
    String ranks = request.ranks();
    if (ranks == null) {
      throw new IllegalArgumentException("a job needs the programs of all ranks");
    }
    Path folder = Files.createTempDirectory("lockstep-job");
    try {
      return new JobLauncher(session, request, ranks, folder).run();
    } finally {
      TemporaryFolder.delete(folder);
    }
  }

  private JobResult run() throws IOException {
    int world = world();
    JoinFlags flags = request.flags();
    Path token = flags.namesToken() || flags.namesCoordinator() ? null : token();
    if (flags.namesCoordinator()) {
      return start(world, flags.coordinator(), token);
    }
    String secret = token == null ? flags.token() : Files.readString(token);
    try (CoordinatorServer server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            flags.transport(),
            options(world, secret),
            CoordinatorListener.NONE)) {
      checkCertificate(server.port(), secret);
      return start(world, ADDRESS + ":" + server.port(), token);
    } catch (IOException unusable) {
      throw new EnvironmentException("cannot start a coordinator: " + IoMessages.reason(unusable));
    }
  }

  /**
   * Speaks to the coordinator as ranks will: they would try for a while, and then each say for
   * itself that a certificate is wrong.
   */
  private void checkCertificate(int port, String token) {
    if (!request.flags().transport().tls()) {
      return;
    }
    try {
      StatusQuery.ask(ADDRESS + ":" + port, request.flags().transport(), token, CHECK_SECONDS);
    } catch (IOException unusable) {
      throw new EnvironmentException(
          "ranks and their coordinator cannot speak to each other with --tls-cert, --tls-key and"
              + " --tls-ca: "
              + IoMessages.reason(unusable)
              + "; the certificate must be signed by --tls-ca and name localhost"
              + " (subjectAltName=DNS:localhost), where this job's coordinator is");
    }
  }

  private CoordinatorOptions options(int world, String token) {
    CoordinatorOptions usual = CoordinatorOptions.of(request.flags().job(), world);
    return new CoordinatorOptions(
        usual.job(),
        token,
        world,
        request.flags().deadline(),
        usual.roundLimit(),
        usual.grace(),
        usual.silence(),
        usual.mostPending(),
        usual.mostDefinitions(),
        1);
  }

  /** A token of this run, which only this user can read. */
  private Path token() throws IOException {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    StringBuilder text = new StringBuilder();
    for (byte each : bytes) {
      text.append(String.format("%02x", each & 0xFF));
    }
    // The folder is this user's alone.
    return Files.writeString(folder.resolve("token"), text);
  }

  private int world() {
    RankSet set = RankSet.of(ranks);
    int world = set.size();
    if (world == 1 && set.ranks().get(0).size() == 1) {
      InputFile log = set.ranks().get(0).get(0);
      world = Math.max(1, Programs.readRanksVerified(session, log.read(session)).size());
    }
    if (world < 1) {
      throw new UsageException("--ranks " + ranks + " names no program");
    }
    return world;
  }

  private JobResult start(int world, String coordinator, @Nullable Path token) throws IOException {
    session.doing("running " + world + " processes");
    List<RankChild> children = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      children.add(new RankChild(rank, folder, words(rank, world, coordinator, token)));
    }
    Thread end = new Thread(() -> children.forEach(RankChild::kill), "end-of-job");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      for (RankChild child : children) {
        child.start();
      }
      new Watch(session, children).untilAllHaveEnded();
    } finally {
      children.forEach(RankChild::kill);
      try {
        Runtime.getRuntime().removeShutdownHook(end);
      } catch (IllegalStateException ending) {
        // This process is being ended, and its children with it.
      }
    }
    return result(children);
  }

  private ImmutableList<String> words(
      int rank, int world, String coordinator, @Nullable Path token) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    out.add("run", "--ranks", ranks, "--stage", request.stage().name());
    out.add("--rank", Integer.toString(rank), "--world", Integer.toString(world));
    out.add("--coordinator", coordinator).addAll(request.flags().shared());
    if (token != null) {
      out.add("--token-file", token.toString());
    }
    request.partitions().ifPresent(count -> out.add("--partitions", Integer.toString(count)));
    out.addAll(session.fx().words());
    if (request.input() != null) {
      out.add("--input", request.input().toString());
    }
    if (request.seed() != null) {
      out.add("--random", Long.toString(request.seed()));
    }
    if (request.rendezvous()) {
      out.add("--rendezvous");
    }
    return out.add("--while-open").build();
  }

  private JobResult result(List<RankChild> children) throws IOException {
    tell(children);
    int exit = exit(children);
    if (exit != ExitCode.OK) {
      return new JobResult(exit, null);
    }
    List<ImmutableList<Literal>> results = new ArrayList<>();
    for (RankChild child : children) {
      results.add(RankReport.read(child.report()));
    }
    return new JobResult(exit, Results.of(results, layout(results.size())));
  }

  /** Returns how results lie on devices: where a rank has several programs, each has its own. */
  private EntryLayout layout(int world) {
    RankSet set = RankSet.of(ranks);
    if (set.size() != world || set.ranks().get(0).size() != 1) {
      return EntryLayout.own();
    }
    Source source = set.ranks().get(0).get(0).read(session);
    ImmutableList<Module> modules = Programs.readAllVerified(session, source);
    Program program = Program.of(modules.get(0));
    if (modules.size() != 1 || !program.isOverSharedArrays()) {
      return EntryLayout.own();
    }
    int partitions = modules.get(0).partitions().orElse(program.shardedPartitions().orElse(world));
    return EntryLayout.of(program, new DeviceGrid(world / partitions, partitions));
  }

  /** Passes on what ranks have said: once what several say alike, those at fault first. */
  private void tell(List<RankChild> children) throws IOException {
    Map<String, List<Integer>> said = new LinkedHashMap<>();
    for (boolean first : new boolean[] {true, false}) {
      for (RankChild child : children) {
        if (isOwnFault(child.exit()) == first) {
          said.computeIfAbsent(child.said(), text -> new ArrayList<>()).add(child.rank());
        }
      }
    }
    said.forEach(
        (text, speakers) -> {
          String who =
              speakers.size() == children.size() && speakers.size() > 1
                  ? "all " + speakers.size() + " ranks"
                  : RankWords.of(speakers);
          if (!text.isBlank()) {
            session.say(who + ":\n" + text.stripTrailing().indent(2).stripTrailing());
          }
        });
  }

  private static boolean isOwnFault(int exit) {
    return exit != ExitCode.OK && exit != ExitCode.PEER;
  }

  /** A rank's own fault counts before what follows from it on the others. */
  private static int exit(List<RankChild> children) {
    int own = ExitCode.OK;
    boolean peers = false;
    for (RankChild child : children) {
      if (child.wasKilled() || child.exit() == ExitCode.PEER) {
        peers = true;
      } else {
        own = Math.max(own, child.exit());
      }
    }
    return own != ExitCode.OK ? own : peers ? ExitCode.PEER : ExitCode.OK;
  }
}
