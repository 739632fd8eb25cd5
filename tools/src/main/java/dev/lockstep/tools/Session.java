package dev.lockstep.tools;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticRenderer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of one verb: where results, diagnostics and words for people go. */
public final class Session {
  private final Console console;
  private final List<String> arguments;
  private final boolean json;
  private final JsonReport report = new JsonReport();
  private final Map<String, byte[]> inputs = new LinkedHashMap<>();
  private FxFlags fx = new FxFlags();
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
      try (OutputStream out = open(file)) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
    } else if (json) {
      report.put(name, text);
    } else {
      console.out().print(text);
    }
  }

  /** Writes a result that is no text like {@link #writeResult}; JSON holds it in Base64. */
  public void writeBinary(@Nullable Path file, String name, byte[] bytes) throws IOException {
    if (file != null) {
      try (OutputStream out = open(file)) {
        out.write(bytes);
      }
    } else if (json) {
      report.put(name, Base64.getEncoder().encodeToString(bytes));
    } else {
      console.out().write(bytes);
    }
  }

  /**
   * Opens {@code file} for writing, with the folders above it.
   *
   * @throws EnvironmentException when that is not possible; so do writing and closing
   */
  public OutputStream open(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      return new NamedOutputStream(Files.newOutputStream(file), file.toString());
    } catch (IOException e) {
      throw NamedOutputStream.failed(file.toString(), e);
    }
  }
}
