package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.handshake.Asking;
import dev.lockstep.tools.handshake.HandshakeFlags;
import dev.lockstep.tools.handshake.JoinFlags;
import dev.lockstep.tools.handshake.Joining;
import dev.lockstep.tools.handshake.Serving;
import dev.lockstep.tools.handshake.Simulating;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Ranks agree on what may be compiled whole. */
@Command(
    description = {
      "Let the ranks of a job agree on what may be compiled whole.",
      "  serve             be the coordinator, or with --aggregate that of one host",
      "  join FILE...      be one rank: ask about these programs, in order",
      "  status            what the coordinator is doing",
      "  simulate --ranks  a whole job in this process, on simulated time"
    })
final class HandshakeVerb extends Verb {
  @Parameters(index = "0", paramLabel = "ACTION", description = "serve, join, status or simulate.")
  private String action = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "The programs of this rank, in the order it runs them.")
  private List<String> words = new ArrayList<>();

  @Mixin private HandshakeFlags flags = new HandshakeFlags();

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description = "The programs of all ranks: a pattern in quotes, a folder or FILE.json.")
  private @Nullable String ranks;

  @Option(
      names = "--random",
      paramLabel = "SEED",
      description = "The seed of the simulated network; 0 by default.")
  private long seed;

  @Option(
      names = "--faults",
      description = "Let connections break, requests come twice and the coordinator be lost.")
  private boolean faults;

  /** For each action the flags that mean something to it; all others are refused. */
  private static final ImmutableMap<String, ImmutableSet<String>> MEANT =
      ImmutableMap.of(
          "serve",
          ImmutableSet.of(
              "--job",
              "--world",
              "--deadline",
              "--listen",
              "--port-file",
              "--aggregate",
              "--coordinator",
              "--metrics",
              "--allow-plaintext",
              "--token-file",
              "--tls-cert",
              "--tls-key",
              "--tls-ca",
              "--tls-bind-ranks"),
          "join",
          ImmutableSet.of(
              "--job",
              "--rank",
              "--world",
              "--epoch",
              "--stage",
              "--deadline",
              "--coordinator",
              "--allow-plaintext",
              "--token-file",
              "--tls-cert",
              "--tls-key",
              "--tls-ca",
              "--hide-programs"),
          "status",
          ImmutableSet.of(
              "--rank",
              "--coordinator",
              "--allow-plaintext",
              "--token-file",
              "--tls-cert",
              "--tls-key",
              "--tls-ca"),
          "simulate",
          ImmutableSet.of("--stage", "--ranks", "--random", "--faults"));

  private static final ImmutableSet<String> OWN =
      ImmutableSet.<String>builder()
          .addAll(JoinFlags.NAMES)
          .add("--stage", "--listen", "--port-file", "--aggregate", "--metrics")
          .add("--tls-bind-ranks", "--ranks", "--random", "--faults")
          .build();

  private void refuseOthers() {
    ImmutableSet<String> meant = MEANT.get(action);
    for (String flag : OWN) {
      if (meant != null && !meant.contains(flag)) {
        refuse("does not go with handshake " + action, flag);
      }
    }
  }

  @Override
  protected int execute(Session session) throws IOException {
    if (!action.equals("join") && !words.isEmpty()) {
      throw new UsageException("handshake " + action + " takes no files");
    }
    flags.check();
    refuseOthers();
    return switch (action) {
      case "serve" -> Serving.run(session, flags);
      case "join" -> {
        if (words.isEmpty()) {
          throw new UsageException("handshake join needs the programs of this rank");
        }
        yield Joining.run(session, flags, words, output());
      }
      case "status" -> Asking.run(session, flags, output());
      case "simulate" -> {
        if (ranks == null) {
          throw new UsageException("handshake simulate needs --ranks SET");
        }
        yield Simulating.run(session, flags, ranks, seed, faults, output());
      }
      default ->
          throw new UsageException(
              "handshake " + action + " is not known; must be serve, join, status or simulate");
    };
  }
}
