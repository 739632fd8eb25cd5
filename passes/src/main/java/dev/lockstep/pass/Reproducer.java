package dev.lockstep.pass;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Writes what is needed to see a bug of ours again: the input and the pipeline, in one file. */
public final class Reproducer {
  private final Path folder;
  private final Function<Module, String> printer;

  /** Creates a writer into {@code folder}, which is made when needed. */
  public Reproducer(Path folder, Function<Module, String> printer) {
    this.folder = requireNonNull(folder);
    this.printer = requireNonNull(printer);
  }

  /** Writes the file and returns a line that names it, or says why there is none. */
  String write(Module input, Pipeline pipeline, String message) {
    String ending = input.syntax() == Syntax.HLO ? ".hlo" : ".mlir";
    try {
      String text =
          "// lockstep opt --pipeline '"
              + pipeline
              + "'\n// "
              + message.lines().findFirst().orElse("")
              + "\n"
              + printer.apply(input);
      String name = "lockstep-bug-" + Integer.toHexString(text.hashCode()) + ending;
      Files.createDirectories(folder);
      Path file = folder.resolve(name);
      Files.writeString(file, text, UTF_8);
      return "reproducer: " + file;
    } catch (IOException | RuntimeException e) {
      // The bug itself matters more than a reproducer that cannot be written.
      return "no reproducer could be written: " + e;
    }
  }
}
