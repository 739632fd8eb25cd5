package dev.lockstep.tools;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticRenderer;
import dev.lockstep.hlo.ir.Module;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of one verb: where results, diagnostics and words for people go. */
public final class Session {
  private final Console console;
  private final List<String> arguments;
  private final boolean json;
  private final JsonReport report = new JsonReport();
  private final Map<String, byte[]> inputs = new LinkedHashMap<>();
  private final Set<Path> read = new HashSet<>();
  private FxFlags fx = new FxFlags();
  private OptionalInt givenReplicas = OptionalInt.empty();
  private OptionalInt givenPartitions = OptionalInt.empty();
  private @Nullable String assumption;
  private @Nullable String activity;
  private boolean sawBug;

  /**
   * Creates a session.
   *
   * @param arguments the whole command
   * @param json whether standard output is for one object only
   */
  public Session(Console console, List<String> arguments, boolean json) {
    this.console = console;
    this.arguments = arguments;
    this.json = json;
  }

  /** Returns the streams. */
  public Console console() {
    return console;
  }

  /** Returns whether standard output is for one JSON object only. */
  public boolean isJson() {
    return json;
  }

  /** Returns the object that {@code --json} prints at the end. */
  public JsonReport report() {
    return report;
  }

  /** Prints a diagnostic, which does not end the run. */
  public void print(Diagnostic diagnostic) {
    report.add(diagnostic);
    console.err().println(DiagnosticRenderer.render(diagnostic));
  }

  /** Prints a line for people. */
  public void say(String line) {
    console.err().println(line);
  }

  /** Returns how torch FX graphs are read. */
  public FxFlags fx() {
    return fx;
  }

  void readFxWith(FxFlags flags) {
    fx = flags;
  }

  /** Says which counts of devices were given, for programs that do not say. */
  public void expectCounts(OptionalInt replicas, OptionalInt partitions) {
    givenReplicas = replicas;
    givenPartitions = partitions;
  }

  /** Says so where {@code module} has other counts than were given, which are not used then. */
  public void noteCounts(Module module, String name) {
    noteCount("replicas", givenReplicas, module.replicas(), name);
    noteCount("partitions", givenPartitions, module.partitions(), name);
  }

  private void noteCount(String what, OptionalInt given, OptionalInt stated, String name) {
    if (given.isPresent() && stated.isPresent() && given.getAsInt() != stated.getAsInt()) {
      say(
          "note: --"
              + what
              + " "
              + given.getAsInt()
              + " is not used: "
              + name
              + " says that it is for "
              + stated.getAsInt());
    }
  }

  /** Says what was taken for true of {@code name}, should that be why groups make no sense. */
  public void assumeOneDevice(String name) {
    assumption =
        name
            + " does not say how many devices run it, and one was taken; give --replicas R,"
            + " --partitions P";
  }

  /** Says what was assumed when {@code diagnostics} may come from that. */
  void explainBy(List<Diagnostic> diagnostics) {
    if (assumption != null && diagnostics.stream().anyMatch(Session::isAboutDevices)) {
      say("note: " + assumption);
    }
  }

  private static boolean isAboutDevices(Diagnostic diagnostic) {
    return diagnostic.code().equals("collective-groups") || diagnostic.code().startsWith("c10d-");
  }

  /** Remembers an input for a reproducer, should this run end with our bug. */
  public void remember(String name, byte[] content) {
    inputs.put(name, content);
  }

  /** Forgets an input that did no harm. */
  public void forget(String name) {
    inputs.remove(name);
  }

  /** Says what is being done, for a reproducer: a pass, a file. */
  public void doing(String what) {
    activity = what;
  }

  /** Tells a bug of ours and leaves a reproducer; the run may go on, and ends with its code. */
  public void reportBug(Throwable failure) {
    sawBug = true;
    String where;
    try {
      Path file = Reproducer.write(arguments, this, failure);
      report.put("reproducer", file.toString());
      where = "please send " + file;
    } catch (IOException e) {
      where = "and no reproducer could be written: " + IoMessages.reason(e);
    }
    String during = activity == null ? "" : " while " + activity;
    String text = "a bug in lockstep" + during + ": " + brief(failure) + "; " + where;
    say("lockstep: " + text);
    report.put("error", text);
  }

  private static String brief(Throwable failure) {
    String message = failure.getMessage();
    String name = failure.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("");
  }

  boolean sawBug() {
    return sawBug;
  }

  Map<String, byte[]> inputs() {
    return inputs;
  }

  @Nullable String activity() {
    return activity;
  }

  /**
   * Writes the result that a user asked for: to {@code file} when given, else to standard output,
   * else under {@code name} in the JSON object.
   */
  public void writeResult(@Nullable Path file, String name, String text) throws IOException {
    if (file != null) {
      write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    } else if (json) {
      report.put(name, text);
    } else {
      console.out().print(text);
    }
  }

  /** Writes a result that is no text like {@link #writeResult}; JSON holds it in Base64. */
  public void writeBinary(@Nullable Path file, String name, byte[] bytes) throws IOException {
    if (file != null) {
      write(file, out -> out.write(bytes));
    } else if (json) {
      report.put(name, Base64.getEncoder().encodeToString(bytes));
    } else {
      console.out().write(bytes);
    }
  }

  /**
   * Writes {@code file}, with the folders above it, whole or not at all.
   *
   * @throws EnvironmentException when that is not possible
   */
  public void write(Path file, ResultFile.Content content) throws IOException {
    ResultFile.write(file, content);
  }

  /** Remembers that {@code file} was read. */
  public void wasRead(Path file) throws IOException {
    read.add(file.toRealPath());
  }

  /**
   * Refuses to write {@code name} into a folder where that is a file that was read: its user has
   * named the folder only, and would lose what is written by hand.
   *
   * @return the file to write
   */
  public Path inFolder(Path folder, String name) throws IOException {
    Path file = folder.resolve(name);
    if (Files.exists(file) && read.contains(file.toRealPath())) {
      throw new UsageException(
          "-o "
              + folder
              + ": "
              + file
              + " was read and would be written over; name another folder");
    }
    return file;
  }
}
