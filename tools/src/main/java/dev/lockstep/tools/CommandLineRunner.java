package dev.lockstep.tools;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Iterables;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Nearest;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.runtime.pjrt.PjrtCode;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtUnavailableException;
import dev.lockstep.tools.verb.Verbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs one command and turns whatever happens into an exit code and words for people. */
public final class CommandLineRunner {
  @Command(
      name = "lockstep",
      description = "Lowers, checks and runs the communication of distributed programs.",
      mixinStandardHelpOptions = true,
      version = "lockstep 0.1.0",
      usageHelpAutoWidth = true,
      commandListHeading = "%nVerbs:%n",
      synopsisSubcommandLabel = "VERB",
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:fine",
        "1:the input is wrong, or the check failed",
        "2:cannot tell",
        "3:a peer is missing, late or refused us",
        "64:bad usage, a part that is not built yet included",
        "69:something outside is missing",
        "70:our bug, with a reproducer file named"
      })
  private static final class Root implements Runnable {
    @Override
    public void run() {
      throw new UsageException("no verb given; see lockstep --help");
    }
  }

  private CommandLineRunner() {}

  /** Runs the command that {@code arguments} spell and returns its exit code. */
  public static int run(List<String> arguments, Console console) {
    return run(arguments, console, Verbs.all());
  }

  static int run(List<String> arguments, Console console, ImmutableMap<String, Verb> verbs) {
    if (!arguments.isEmpty() && arguments.get(0).equals("help")) {
      // As git, go and mvn take it.
      List<String> asked = new ArrayList<>(arguments.subList(1, Math.min(2, arguments.size())));
      if (asked.isEmpty() || verbs.containsKey(asked.get(0))) {
        asked.add("--help");
      }
      return run(asked, console, verbs);
    }
    CommandLine root = new CommandLine(new Root());
    // Describing a verb takes milliseconds, so only the one that is meant is described.
    Verb meant = arguments.isEmpty() ? null : verbs.get(arguments.get(0));
    List<String> prepared = arguments;
    if (meant != null) {
      root.addSubcommand(arguments.get(0), meant);
      prepared = new ArrayList<>(arguments.subList(0, 1));
      prepared.addAll(meant.prepare(arguments.subList(1, arguments.size())));
    } else {
      verbs.forEach(root::addSubcommand);
    }
    root.getSubcommands().values().forEach(CommandLineRunner::extend);
    root.setExpandAtFiles(false);
    root.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
    root.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    Session session = new Session(console, arguments, arguments.contains("--json"));
    int exit;
    try {
      exit = parseAndExecute(root, prepared, session);
    } catch (Throwable failure) {
      exit = explain(failure, session);
    }
    try {
      if (session.isJson() && !helpAsked(arguments)) {
        session.report().print(console.out(), exit);
      }
    } catch (IOException e) {
      exit = lost(e, exit, session);
    }
    IOException lost = console.failure();
    if (lost != null) {
      exit = lost(lost, exit, session);
    }
    console.err().flush();
    return exit;
  }

  /** Says that results did not arrive, so that nobody takes what did for all of them. */
  private static int lost(IOException failure, int exit, Session session) {
    String reason = IoMessages.reason(failure);
    if (!reason.equals("broken pipe")) {
      // Who reads with 'head' has what it wants.
      session.say("lockstep: cannot write to standard output: " + reason);
    }
    return exit == ExitCode.BUG ? exit : ExitCode.UNAVAILABLE;
  }

  private static boolean helpAsked(List<String> arguments) {
    return arguments.contains("--help") || arguments.contains("-h");
  }

  private static void extend(CommandLine verb) {
    verb.<Verb>getCommand().extend(verb.getCommandSpec());
    verb.<Verb>getCommand().addSharedFlags(verb.getCommandSpec());
  }

  private static int parseAndExecute(CommandLine root, List<String> arguments, Session session)
      throws IOException {
    CommandLine.ParseResult parsed;
    try {
      parsed = root.parseArgs(arguments.toArray(new String[0]));
    } catch (ParameterException e) {
      for (Throwable cause : Throwables.getCausalChain(e)) {
        if (cause instanceof UsageException) {
          throw (UsageException) cause;
        }
      }
      String text = words(e);
      throw new UsageException(
          text.endsWith("?")
              ? text
              : text + "; see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
    }
    if (CommandLine.printHelpIfRequested(parsed)) {
      return ExitCode.OK;
    }
    if (!parsed.hasSubcommand()) {
      new Root().run();
    }
    Verb verb = parsed.subcommand().commandSpec().commandLine().getCommand();
    verb.attach(session);
    int exit = verb.call();
    return session.sawBug() ? ExitCode.BUG : exit;
  }

  private static String words(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException)) {
      return decapitalise(e.getMessage())
          .replace("option option", "option")
          .replaceAll("is not an? (?:int|long)$", "is no whole number, or too large")
          .replaceAll("is not an? (?:double|float)$", "is no number")
          .replaceAll("^option '(.*)' \\(.*\\) should be specified only once$", "$1 is given twice")
          .replaceAll("^option '(.*)' should be specified only once$", "$1 is given twice")
          .replaceAll(
              "^expected parameter for option '(.*)' but found '(.*)'$",
              "$1 needs a value; '$2' is none")
          .replaceAll("^missing required parameter for option '(.*)' \\((.*)\\)$", "$1 needs $2")
          .replaceAll("^missing required parameter: '(.*)'$", "$1 is missing")
          .replaceAll("^invalid value for (.*)'(.*)' is not an? boolean$", "$1 takes no value");
    }
    CommandLine command = e.getCommandLine();
    String word = ((UnmatchedArgumentException) e).getUnmatched().get(0);
    Object verb = command.getCommand();
    if (word.startsWith("-")) {
      int equals = word.indexOf('=');
      return "unknown flag "
          + word
          + Nearest.hint(
              equals < 0 ? word : word.substring(0, equals),
              Iterables.concat(
                  command.getCommandSpec().optionsMap().keySet(),
                  verb instanceof Verb known ? known.otherFlags() : ImmutableList.of()),
              "");
    }
    return command.getSubcommands().isEmpty()
        ? "there is one word too many: '" + word + "'"
        : "no verb is called '"
            + word
            + "'"
            + Nearest.hint(word, command.getSubcommands().keySet(), "");
  }

  private static String decapitalise(@Nullable String message) {
    return message == null || message.isEmpty()
        ? "the command line cannot be read"
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }

  private static int explain(Throwable failure, Session session) {
    if (failure instanceof UsageException) {
      return tell(session, ExitCode.USAGE, failure.getMessage());
    }
    if (failure instanceof DiagnosticException) {
      List<Diagnostic> diagnostics = ((DiagnosticException) failure).diagnostics();
      diagnostics.forEach(session::print);
      session.explainBy(diagnostics);
      // The text of a pipeline is no input, but a flag.
      return diagnostics.stream().allMatch(each -> each.code().equals(Pipeline.CODE))
          ? ExitCode.USAGE
          : ExitCode.FAILED;
    }
    if (failure instanceof PjrtException) {
      PjrtCode code = ((PjrtException) failure).code();
      return tell(
          session, ExitCode.FAILED, "the plugin says " + code + ": " + failure.getMessage());
    }
    if (failure instanceof EnvironmentException || failure instanceof PjrtUnavailableException) {
      return tell(session, ExitCode.UNAVAILABLE, failure.getMessage());
    }
    Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    if (cause instanceof IOException) {
      return tell(session, ExitCode.UNAVAILABLE, IoMessages.named((IOException) cause));
    }
    if (Throwables.getRootCause(failure) instanceof OutOfMemoryError) {
      return tell(
          session,
          ExitCode.UNAVAILABLE,
          "out of memory; give more with LOCKSTEP_JAVA_OPTS=-Xmx16g");
    }
    session.reportBug(failure);
    return ExitCode.BUG;
  }

  private static int tell(Session session, int exit, @Nullable String message) {
    String text = message == null ? "failed" : message;
    session.say("lockstep: " + text);
    session.report().put("error", text);
    return exit;
  }
}
