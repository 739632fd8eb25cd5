package dev.lockstep.tools.bench;

import dev.lockstep.runtime.pjrt.CompileOptions;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtProgram;
import dev.lockstep.testing.CppCompiler;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The loop of {@link LaunchBenchmark} in C++ over the bare C API, as a process of its own. */
final class LaunchTwin implements AutoCloseable {
  /**
   * What some launches took.
   *
   * @param wall nanoseconds
   * @param processor nanoseconds of all threads of the process
   * @param first the first element that device 0 got
   */
  record Times(long wall, long processor, float first) {
    Times plus(Times other) {
      return new Times(wall + other.wall, processor + other.processor, other.first);
    }
  }

  private final Process process;
  private final BufferedReader answers;
  private final Writer orders;

  private LaunchTwin(Process process) {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Compiles and starts it. */
  static LaunchTwin start(
      Path folder,
      PjrtPlugin plugin,
      PjrtProgram program,
      CompileOptions options,
      int devices,
      int elements)
      throws IOException {
    Path binary = folder.resolve("launch_twin");
    if (!Files.exists(binary)) {
      CppCompiler.compile("runtime/src/test/native/launch_twin.cc", binary);
    }
    Path code = Files.write(folder.resolve("program"), program.code());
    Path settings = Files.write(folder.resolve("options"), options.toByteArray());
    return new LaunchTwin(
        new ProcessBuilder(
                binary.toString(),
                plugin.path().toString(),
                code.toString(),
                program.format(),
                settings.toString(),
                Integer.toString(devices),
                Integer.toString(elements))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Launches so many times. */
  Times launch(int times) throws IOException {
    orders.write(times + "\n");
    orders.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("launch_twin ended");
    }
    String[] words = answer.split(" ", -1);
    return new Times(
        Long.parseLong(words[0]), Long.parseLong(words[1]), Float.parseFloat(words[2]));
  }

  @Override
  public void close() throws IOException {
    orders.close();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
