package dev.lockstep.pass;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
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

  /**
   * Writes the file, or a folder with one file a program when there are several, and returns a line
   * that names it, or says why there is none.
   */
  String write(ImmutableList<ImmutableList<Module>> ranks, Pipeline pipeline, String message) {
    String first = message.lines().findFirst().orElse("");
    try {
      if (ranks.size() == 1 && ranks.get(0).size() == 1) {
        String head = "// lockstep opt --pipeline '" + pipeline + "'\n// " + first + "\n";
        Module input = ranks.get(0).get(0);
        String text = head + printer.apply(input);
        return "reproducer: " + write(folder, name(text) + ending(input), text);
      }
      StringBuilder all = new StringBuilder();
      ranks.forEach(programs -> programs.forEach(input -> all.append(printer.apply(input))));
      Path set = folder.resolve(name(all.toString()));
      String head =
          "// lockstep opt --ranks "
              + set
              + " --pipeline '"
              + pipeline
              + "' -o "
              + set
              + ".out\n// "
              + first
              + "\n";
      for (int rank = 0; rank < ranks.size(); rank++) {
        for (int i = 0; i < ranks.get(rank).size(); i++) {
          Module input = ranks.get(rank).get(i);
          String name = String.format(Locale.ROOT, "rank%d.module_%04d", rank, i);
          write(set, name + ending(input), head + printer.apply(input));
        }
      }
      return "reproducer: " + set;
    } catch (IOException | RuntimeException e) {
      // The bug itself matters more than a reproducer that cannot be written.
      return "no reproducer could be written: " + e;
    }
  }

  private static String name(String text) {
    return "lockstep-bug-" + Integer.toHexString(text.hashCode());
  }

  private static String ending(Module input) {
    return input.syntax() == Syntax.HLO ? ".hlo" : ".mlir";
  }

  private static Path write(Path into, String name, String text) throws IOException {
    Files.createDirectories(into);
    Path file = into.resolve(name);
    Files.writeString(file, text, UTF_8);
    return file;
  }
}
