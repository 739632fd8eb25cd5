package dev.lockstep.tools;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all verbs share. A verb reads its fields, which picocli has set, once. */
@Command(
    mixinStandardHelpOptions = true,
    version = "lockstep 0.1.0",
    sortOptions = false,
    usageHelpAutoWidth = true,
    abbreviateSynopsis = true,
    optionListHeading = "%nFlags:%n",
    parameterListHeading = "%nFiles:%n")
public abstract class Verb implements Callable<Integer> {
  private static final ImmutableSet<String> FILES = ImmutableSet.of("FILE", "PEM", "SET");

  // Named here for --help; the session knows it earlier, since wrong use is answered in JSON too.
  @SuppressWarnings("UnusedVariable")
  @Option(names = "--json", description = "Print one JSON object on standard output.")
  private boolean json;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the result there instead of to standard output.")
  private @Nullable Path output;

  private final FxFlags fx = new FxFlags();

  @Spec private @Nullable CommandSpec spec;
  private @Nullable Session session;

  /** Returns the exit code of this run. */
  protected abstract int execute(Session session) throws IOException;

  @Override
  public final Integer call() throws IOException {
    return execute(requireNonNull(session));
  }

  /** Returns the file after {@code -o}; null without one, and for {@code -}, standard output. */
  protected final @Nullable Path output() {
    return output;
  }

  /**
   * Refuses flags that do nothing here: who gives one means something by it.
   *
   * @param why what they need or do not go with, for the message
   */
  protected final void refuse(String why, String... flags) {
    for (String flag : flags) {
      if (spec().commandLine().getParseResult().hasMatchedOption(flag)) {
        throw new UsageException(flag + " " + why);
      }
    }
  }

  /** Returns what picocli knows of this verb. */
  protected final CommandSpec spec() {
    return requireNonNull(spec);
  }

  void attach(Session newSession) {
    if (output != null && output.toString().isEmpty()) {
      throw new UsageException("-o needs the name of a file or folder");
    }
    if (output != null && output.toString().equals("-")) {
      output = null;
    }
    for (OptionSpec option : spec().options()) {
      if (FILES.contains(option.paramLabel()) && option.stringValues().contains("")) {
        throw new UsageException(option.longestName() + " needs the name of a file");
      }
    }
    session = newSession;
    newSession.readFxWith(fx);
  }

  /** Returns whether this verb reads programs, and therefore has the flags for torch FX graphs. */
  protected boolean readsPrograms() {
    return true;
  }

  final void addSharedFlags(CommandSpec verb) {
    if (verb.positionalParameters().stream().allMatch(PositionalParamSpec::hidden)) {
      verb.usageMessage().parameterListHeading("");
    }
    if (readsPrograms()) {
      verb.addMixin("fx", CommandSpec.forAnnotatedObject(fx));
    }
  }

  /**
   * Changes the specification before arguments are read: flags that only the running program knows,
   * such as one for every pass.
   */
  protected void extend(CommandSpec verb) {}

  /** Returns flags that picocli does not know: {@link #prepare} turns them into others. */
  protected ImmutableList<String> otherFlags() {
    return ImmutableList.of();
  }

  /** Returns the arguments as picocli shall see them, the name of the verb not among them. */
  protected List<String> prepare(List<String> arguments) {
    return arguments;
  }
}
