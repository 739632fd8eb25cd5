package dev.lockstep.tools;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The file that our bugs leave behind: the command, what it was doing, the failure and every input
 * in full, so that whoever gets it can run the same again.
 */
final class Reproducer {
  private Reproducer() {}

  /** Writes the file into the working folder, else into the one for temporary files. */
  static Path write(List<String> arguments, Session session, Throwable failure) throws IOException {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    out.println("# A bug in lockstep; this file holds all that is needed to see it again.");
    out.println("# command: lockstep " + String.join(" ", arguments));
    out.println("# java: " + System.getProperty("java.vm.version"));
    if (session.activity() != null) {
      out.println("# while: " + session.activity());
    }
    failure.printStackTrace(out);
    for (Map.Entry<String, byte[]> input : session.inputs().entrySet()) {
      out.println("# ==== input " + input.getKey());
      out.println(new String(input.getValue(), StandardCharsets.UTF_8));
    }
    out.flush();
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    String name = "lockstep-bug-" + Hashing.sha256().hashBytes(bytes).toString().substring(0, 12);
    Path here = Path.of(name + ".txt");
    try {
      Files.write(here, bytes);
      return here;
    } catch (IOException e) {
      Path elsewhere = Files.createTempFile(name + "-", ".txt");
      Files.write(elsewhere, bytes);
      return elsewhere;
    }
  }
}
