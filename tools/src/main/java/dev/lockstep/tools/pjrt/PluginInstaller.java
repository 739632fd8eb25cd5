package dev.lockstep.tools.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.input.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gets plugins for CPUs with the user's own pip, or out of a wheel that is there. */
public final class PluginInstaller {
  private static final String WITHOUT_PIP =
      "; without pip, get the wheel on another machine with `pip download --no-deps PACKAGE` and"
          + " give it with `lockstep pjrt install --from FILE.whl`, or use any plugin with --plugin"
          + " FILE.so";

  private PluginInstaller() {}

  /**
   * Installs {@code cpu} or {@code cpu=PACKAGE==VERSION} and returns where the plugin is.
   *
   * @throws EnvironmentException if pip fails or gives something else than is known
   */
  public static Path install(String what) throws IOException {
    if (!what.equals("cpu") && !what.startsWith("cpu=")) {
      throw new UsageException(
          "install what? cpu, or cpu=PACKAGE==VERSION; plugins for GPUs and TPUs come with their"
              + " vendors' packages, use those with --plugin FILE.so");
    }
    String wanted = what.startsWith("cpu=") ? what.substring("cpu=".length()) : null;
    Wheel wheel =
        Wheel.KNOWN.stream()
            .filter(known -> wanted == null || known.name().equals(wanted))
            .filter(known -> known.processor().equals(Wheel.thisProcessor()))
            .findFirst()
            .orElseThrow(() -> unknown(wanted));
    Path target = target(wheel.name());
    if (Files.exists(target)) {
      return target;
    }
    Path folder = Files.createTempDirectory("lockstep-wheel");
    try {
      Path file = download(wheel, folder);
      Optional<Wheel> known = Wheel.of(file);
      if (known.isEmpty() || !known.get().equals(wheel)) {
        throw new EnvironmentException(
            file.getFileName()
                + " is not the file that is known as "
                + wheel.name()
                + ": its SHA-256 differs");
      }
      Wheel.unpack(file, target);
    } finally {
      MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
    }
    return target;
  }

  private static UsageException unknown(@Nullable String wanted) {
    List<String> names = new ArrayList<>();
    Wheel.KNOWN.forEach(known -> names.add(known.name() + " (" + known.processor() + ")"));
    return new UsageException(
        (wanted == null ? "no plugin for this processor is known" : wanted + " is not known")
            + "; known are "
            + String.join(", ", names)
            + "; any wheel installs with --from FILE.whl");
  }

  private static Path target(String name) {
    return PluginCache.folder().resolve("cpu-" + name.replace("==", "-") + ".so");
  }

  /** Installs the plugin in {@code wheel}, a known one or any other, and returns where it is. */
  public static Path installFrom(Path wheel) throws IOException {
    if (!Files.isRegularFile(wheel)) {
      throw DiagnosticException.error(
          InputFile.UNREADABLE,
          wheel + (Files.exists(wheel) ? ": is no file" : ": no such file"),
          Location.UNKNOWN);
    }
    Optional<Wheel> known;
    try {
      known = Wheel.of(wheel);
    } catch (IOException e) {
      throw DiagnosticException.error(
          InputFile.UNREADABLE,
          wheel + ": " + (Files.isReadable(wheel) ? IoMessages.reason(e) : "permission denied"),
          Location.UNKNOWN);
    }
    String name =
        known.isPresent()
            ? known.get().name()
            : wheel.getFileName().toString().replaceFirst("\\.whl$", "");
    Path target = target(name);
    Wheel.unpack(wheel, target);
    return target;
  }

  private static Path download(Wheel wheel, Path folder) throws IOException {
    StringBuilder tried = new StringBuilder();
    for (List<String> pip : pips()) {
      List<String> command = new ArrayList<>(pip);
      command.addAll(
          List.of("download", "--quiet", "--no-deps", "--dest", folder.toString(), wheel.name()));
      try {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() == 0) {
          try (Stream<Path> files = Files.list(folder)) {
            return files
                .filter(file -> file.toString().endsWith(".whl"))
                .findFirst()
                .orElseThrow(() -> new EnvironmentException("pip gave no wheel" + WITHOUT_PIP));
          }
        }
        tried.append(output.strip().lines().reduce((first, second) -> second).orElse(""));
      } catch (IOException e) {
        tried.append(pip.get(0)).append(" cannot be run; ");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new EnvironmentException("interrupted");
      }
    }
    throw new EnvironmentException("pip cannot get " + wheel.name() + ": " + tried + WITHOUT_PIP);
  }

  /** Returns the pips to try: that of the python with jax, then those on the path. */
  private static ImmutableList<List<String>> pips() {
    ImmutableList.Builder<List<String>> out = ImmutableList.builder();
    String python = System.getenv("LOCKSTEP_PYTHON");
    if (python != null && !python.isEmpty()) {
      out.add(List.of(python, "-m", "pip"));
    }
    out.add(List.of("python3", "-m", "pip"));
    out.add(List.of("pip3"));
    out.add(List.of("pip"));
    return out.build();
  }
}
