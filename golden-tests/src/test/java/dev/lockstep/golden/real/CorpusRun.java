package dev.lockstep.golden.real;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs programs that check themselves and counts which pass. Chunks that want an error, take
 * arguments or hold no function are left out, as upstream's interpreter leaves them.
 */
final class CorpusRun {
  private static final Splitter CHUNKS = Splitter.on(Pattern.compile("(?m)^// -----.*$"));

  private final List<String> failures = new ArrayList<>();
  private int passed;

  /** Runs every chunk of {@code file}. */
  void run(Path file) throws IOException {
    int number = 0;
    for (String chunk : CHUNKS.split(Files.readString(file, StandardCharsets.UTF_8))) {
      number++;
      if (chunk.contains("expected-error")
          || chunk.contains("RUN-DISABLED")
          || !chunk.contains("func")) {
        continue;
      }
      String name = file.getFileName() + "#" + number;
      try {
        Module module = Texts.read(Source.of(name, chunk));
        if (module.entryFunction().isEmpty()) {
          continue;
        }
        Program program = Program.of(module);
        if (!program.entry(0).parameters().isEmpty()) {
          continue;
        }
        GridInterpreter.run(
            program,
            new DeviceGrid(1, 1),
            ImmutableList.of(ImmutableList.of()),
            InterpreterOptions.DEFAULT);
        passed++;
      } catch (DiagnosticException e) {
        failures.add(e.getMessage());
      } catch (RuntimeException e) {
        failures.add(name + ": " + e + (e.getCause() == null ? "" : " by " + e.getCause()));
      }
    }
  }

  int passed() {
    return passed;
  }

  int total() {
    return passed + failures.size();
  }

  /** Returns what failed, a text each. */
  ImmutableList<String> failures() {
    return ImmutableList.copyOf(failures);
  }
}
