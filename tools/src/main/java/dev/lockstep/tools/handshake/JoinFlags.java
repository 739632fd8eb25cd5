package dev.lockstep.tools.handshake;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.launch.Launch;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.UsageException;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags that say which rank of which job a process is and how it reaches the coordinator, and
 * what the environment says where they are silent.
 */
public class JoinFlags {
  /** The names of these flags. */
  public static final ImmutableList<String> NAMES =
      ImmutableList.of(
          "--job",
          "--rank",
          "--world",
          "--epoch",
          "--coordinator",
          "--allow-plaintext",
          "--token-file",
          "--tls-cert",
          "--tls-key",
          "--tls-ca",
          "--deadline",
          "--hide-programs");

  private static final String TOKEN_VARIABLE = "LOCKSTEP_TOKEN";
  private static final String RANK = "{rank}";

  @Option(names = "--job", paramLabel = "NAME", description = "The job's name; 'job' by default.")
  private String job = "job";

  @Option(
      names = "--rank",
      paramLabel = "R",
      description = "This process' rank; by default what the launcher put into the environment.")
  private @Nullable Integer rank;

  @Option(
      names = "--world",
      paramLabel = "N",
      description = "How many ranks the job has; by default from the environment.")
  private @Nullable Integer world;

  @Option(
      names = "--epoch",
      paramLabel = "E",
      description = "How often the job was restarted; by default from the environment, else 0.")
  private @Nullable Long epoch;

  @Option(
      names = "--coordinator",
      paramLabel = "HOST:PORT",
      description = "Where the coordinator, or the aggregator above, listens.")
  private @Nullable String coordinator;

  @Option(
      names = "--allow-plaintext",
      description = "Go without TLS also where the other side is not this machine.")
  private boolean plaintext;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the token that ranks must send; by default it is what LOCKSTEP_TOKEN holds.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--tls-cert",
      paramLabel = "PEM",
      description = "This side's certificate chain; {rank} in the name stands for the rank.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "PEM",
      description = "Its private key; {rank} as in --tls-cert.")
  private @Nullable Path key;

  @Option(
      names = "--tls-ca",
      paramLabel = "PEM",
      description = "Who must have signed the other side's certificate.")
  private @Nullable Path authority;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description =
          "How long a round waits for a rank that shows no progress, 60 by default; at join, how long"
              + " the coordinator may be out of reach, 30 by default.")
  private @Nullable Double deadline;

  @Option(
      names = "--hide-programs",
      description =
          "Show this rank's program to no other rank: where ranks differ, nobody is told how, and"
              + " run --stage cuts at every collective.")
  private boolean hide;

  private @Nullable Launch launch;

  /**
   * Returns the stage that {@code word} names.
   *
   * @throws UsageException if it names none
   */
  public static Stage stage(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "off" -> Stage.OFF;
      case "compile" -> Stage.COMPILE;
      case "dispatch" -> Stage.DISPATCH;
      default ->
          throw new UsageException("--stage is '" + word + "', must be off, compile or dispatch");
    };
  }

  /** Returns whether no other rank is to see this rank's program. */
  public boolean hidesPrograms() {
    return hide;
  }

  /** Returns whether a flag says which rank this process is. */
  public boolean namesRank() {
    return rank != null;
  }

  /** Returns whether a flag says where the coordinator listens. */
  public boolean namesCoordinator() {
    return coordinator != null;
  }

  /** Returns whether a flag says which token ranks must send. */
  public boolean namesToken() {
    return tokenFile != null;
  }

  /** Returns the flags that are the same for all ranks of the job, as words of a command line. */
  public ImmutableList<String> shared() {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    out.add("--job", job, "--epoch", Long.toString(epoch()));
    if (deadline != null) {
      out.add("--deadline", Double.toString(deadline));
    }
    if (plaintext) {
      out.add("--allow-plaintext");
    }
    if (hide) {
      out.add("--hide-programs");
    }
    if (tokenFile != null) {
      out.add("--token-file", tokenFile.toString());
    }
    if (certificate != null) {
      out.add("--tls-cert", certificate.toString());
    }
    if (key != null) {
      out.add("--tls-key", key.toString());
    }
    if (authority != null) {
      out.add("--tls-ca", authority.toString());
    }
    return out.build();
  }

  /** Returns the job's name. */
  public String job() {
    return job;
  }

  private Launch launch() {
    Launch known = launch;
    if (known == null) {
      try {
        known = Launch.of(System.getenv());
      } catch (IllegalArgumentException senseless) {
        throw new UsageException(String.valueOf(senseless.getMessage()));
      }
      launch = known;
    }
    return known;
  }

  /** Returns the rank of this process. */
  public int rank() {
    return of(rank, launch().rank(), "--rank R", "the rank of this process");
  }

  /** Returns how many ranks the job has. */
  public int world() {
    int ranks = of(world, launch().world(), "--world N", "how many ranks the job has");
    if (ranks < 1) {
      throw new UsageException("--world is " + ranks + ", must be at least 1");
    }
    return ranks;
  }

  private static int of(@Nullable Integer flag, OptionalInt environment, String name, String what) {
    if (flag != null) {
      return flag;
    }
    return environment.orElseThrow(
        () -> new UsageException(name + " is needed: neither it nor the environment says " + what));
  }

  /** Returns how often the job was restarted. */
  public long epoch() {
    return epoch != null ? epoch : launch().epoch().orElse(0);
  }

  /** Returns where the coordinator listens. */
  public String coordinator() {
    if (coordinator != null) {
      int port = -1;
      try {
        port = Integer.parseInt(coordinator.substring(coordinator.lastIndexOf(':') + 1));
      } catch (NumberFormatException none) {
        // Told below.
      }
      if (coordinator.lastIndexOf(':') <= 0 || port < 1 || port >= 1 << 16) {
        throw new UsageException(
            "--coordinator is '"
                + coordinator
                + "', must be HOST:PORT with a port from 1 to 65535");
      }
      return coordinator;
    }
    return launch()
        .host()
        .map(host -> (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":36423")
        .orElseThrow(
            () ->
                new UsageException(
                    "--coordinator HOST:PORT is needed: neither it nor MASTER_ADDR says where the"
                        + " coordinator listens"));
  }

  /**
   * Opens a channel to the coordinator; that nobody answers is told by what is done first on it.
   *
   * @throws EnvironmentException if what protects the connection cannot be used
   */
  public ManagedChannel channel() {
    try {
      return Channels.open(coordinator(), transport());
    } catch (IOException unusable) {
      throw new EnvironmentException(
          "cannot connect to " + coordinator() + ": " + reason(unusable));
    }
  }

  /** Returns why a connection is not made, with the flags that help. */
  static String reason(IOException unusable) {
    String text = IoMessages.reason(unusable);
    return text.contains("allow plain text")
        ? text + " (--tls-cert, --tls-key, --tls-ca; --allow-plaintext)"
        : text;
  }

  /** Returns how the connection is protected. */
  public Transport transport() {
    Path own = ofRank("--tls-cert", certificate);
    Path secret = ofRank("--tls-key", key);
    for (Path file : new @Nullable Path[] {own, secret, authority}) {
      if (file != null && !Files.isReadable(file)) {
        throw new EnvironmentException(
            "cannot read "
                + file
                + (Files.exists(file) ? ": permission denied" : ": no such file"));
      }
    }
    try {
      return new Transport(own, secret, authority, plaintext);
    } catch (IllegalArgumentException half) {
      throw new UsageException("--tls-cert and --tls-key: " + half.getMessage());
    }
  }

  /** Returns a file of this process' rank, if there is one for each. */
  private @Nullable Path ofRank(String flag, @Nullable Path file) {
    if (file == null || !file.toString().contains(RANK)) {
      return file;
    }
    if (rank == null && launch().rank().isEmpty()) {
      throw new UsageException(
          flag
              + " "
              + file
              + " is a file for each rank, and a coordinator is none of them: start it with"
              + " 'handshake serve' and a certificate of its own, and name it with --coordinator");
    }
    return Path.of(file.toString().replace(RANK, Integer.toString(rank())));
  }

  /** Returns the token; empty when there is none. */
  public String token() {
    if (tokenFile == null) {
      // Not a flag of its own: everybody on the machine may read the words of a command.
      String given = System.getenv(TOKEN_VARIABLE);
      return given == null ? "" : given.strip();
    }
    try {
      String token = Files.readString(tokenFile).strip();
      if (token.isEmpty()) {
        throw new EnvironmentException("the token file " + tokenFile + " is empty");
      }
      return token;
    } catch (IOException unreadable) {
      throw new EnvironmentException(
          "cannot read the token in " + tokenFile + ": " + IoMessages.reason(unreadable));
    }
  }

  /** Returns how long a rank is waited for that shows no progress. */
  public Duration deadline() {
    return seconds(60);
  }

  /** Returns how long a rank that joins waits for a coordinator that is out of reach. */
  Duration patience() {
    return seconds(30);
  }

  private Duration seconds(double usual) {
    double seconds = deadline == null ? usual : deadline;
    if (!(seconds > 0 && seconds < 1e6)) {
      throw new UsageException(
          "--deadline is " + seconds + ", must be a number of seconds above 0");
    }
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
