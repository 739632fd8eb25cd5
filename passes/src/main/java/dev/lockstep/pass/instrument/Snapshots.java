package dev.lockstep.pass.instrument;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.pass.PassInstrument;
import dev.lockstep.pass.Pipeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Writes the module after each pass that changed it into a folder: {@code 03-canonicalize.mlir}.
 * The input is {@code 00-input.mlir}. In a run over several ranks the names say which: {@code
 * 03-canonicalize.ranks-0-2.mlir}.
 */
public final class Snapshots implements PassInstrument {
  private final Path folder;
  private final Function<Module, String> printer;
  private String label = "";

  /** Creates a writer into {@code folder}, which is made when needed. */
  public Snapshots(Path folder, Function<Module, String> printer) {
    this.folder = requireNonNull(folder);
    this.printer = requireNonNull(printer);
  }

  @Override
  public void program(String newLabel) {
    label = "." + newLabel.replaceAll("[^a-z0-9]+", "-");
  }

  @Override
  public void before(int index, Pipeline.Single step, Module module) {
    if (index == 1) {
      write(0, "input", module);
    }
  }

  @Override
  public void after(
      int index,
      Pipeline.Single step,
      Module input,
      Module output,
      long nanos,
      Map<String, Long> statistics) {
    if (input != output) {
      write(index, step.pass().info().name(), output);
    }
  }

  private void write(int index, String name, Module module) {
    String ending = module.syntax() == Syntax.HLO ? "hlo" : "mlir";
    try {
      Files.createDirectories(folder);
      Files.writeString(
          folder.resolve(String.format(Locale.ROOT, "%02d-%s%s.%s", index, name, label, ending)),
          printer.apply(module),
          UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
