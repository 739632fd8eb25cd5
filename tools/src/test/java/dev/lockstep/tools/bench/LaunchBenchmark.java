package dev.lockstep.tools.bench;

import com.google.common.collect.ImmutableList;
import com.sun.management.OperatingSystemMXBean;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.pjrt.CompileOptions;
import dev.lockstep.runtime.pjrt.PjrtBuffer;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtDevice;
import dev.lockstep.runtime.pjrt.PjrtExecutable;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtProgram;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.pjrt.PluginCache;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Launches of one all-reduce on 8 devices through the Java API, beside the same loop in C++ over
 * the bare C API ({@link LaunchTwin}), in turns. Arguments: launches of each, turns, plugins (else
 * all that are installed).
 */
public final class LaunchBenchmark {
  static final int DEVICES = 8;
  static final int ELEMENTS = 1024;

  private static final String PROGRAM =
      """
      module @launches attributes {mhlo.num_replicas = 8 : i32, mhlo.num_partitions = 1 : i32} {
        func.func @main(%x: tensor<1024xf32>) -> tensor<1024xf32> {
          %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %1 = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %1 : tensor<f32>
          }) : (tensor<1024xf32>) -> tensor<1024xf32>
          return %0 : tensor<1024xf32>
        }
      }
      """;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private LaunchBenchmark() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    int launches = Integer.parseInt(arguments[0]);
    int turns = Integer.parseInt(arguments[1]);
    List<Path> plugins =
        arguments.length > 2
            ? Arrays.stream(arguments).skip(2).map(Path::of).toList()
            : PluginCache.cpuPlugins();
    for (Path plugin : plugins) {
      System.out.println(run(PjrtPlugin.load(plugin), launches, turns));
    }
  }

  /**
   * What both took, added up.
   *
   * @param plugin which plugin
   * @param launches of each
   * @param java through the Java API
   * @param twin in C++
   * @param residentBefore bytes of this process that lie in memory, after the first turn
   * @param residentAfter at the end
   */
  record Outcome(
      String plugin,
      int launches,
      LaunchTwin.Times java,
      LaunchTwin.Times twin,
      long residentBefore,
      long residentAfter) {
    @Override
    public String toString() {
      return String.format(
          "%s: %d launches on %d devices%n"
              + "  Java %.1f us a launch, %.1f us of processors%n"
              + "  C++  %.1f us a launch, %.1f us of processors%n"
              + "  ratio %.3f of wall time, %.3f of processor time%n"
              + "  resident %.1f MB, then %.1f MB",
          plugin,
          launches,
          DEVICES,
          java.wall() / 1e3 / launches,
          java.processor() / 1e3 / launches,
          twin.wall() / 1e3 / launches,
          twin.processor() / 1e3 / launches,
          (double) java.wall() / twin.wall(),
          (double) java.processor() / twin.processor(),
          residentBefore / 1e6,
          residentAfter / 1e6);
    }
  }

  /** Launches {@code launches} times each, in {@code turns} turns. */
  static Outcome run(PjrtPlugin plugin, int launches, int turns) throws IOException {
    PjrtProgram program = PjrtProgram.of(Texts.read(Source.of("launches", PROGRAM)));
    CompileOptions options = CompileOptions.grid(DEVICES, 1);
    Path folder = Files.createTempDirectory("lockstep-bench");
    LaunchTwin.Times java = new LaunchTwin.Times(0, 0, 0);
    LaunchTwin.Times bare = new LaunchTwin.Times(0, 0, 0);
    long before = 0;
    try (LaunchTwin twin = LaunchTwin.start(folder, plugin, program, options, DEVICES, ELEMENTS);
        PjrtClient client = PjrtRunner.open(plugin, DEVICES, Map.of());
        PjrtExecutable executable = client.compile(program, options)) {
      List<List<PjrtBuffer>> arguments = new ArrayList<>();
      for (PjrtDevice device : executable.devices()) {
        float[] data = new float[ELEMENTS];
        Arrays.fill(data, arguments.size() + 1);
        arguments.add(
            List.of(
                client.toDevice(
                    Literal.of(TensorType.of(ElementType.F32, ELEMENTS), data), device)));
      }
      int each = Math.max(1, launches / turns);
      // Both warm up.
      launch(executable, arguments, each);
      twin.launch(each);
      for (int turn = 0; turn < turns; turn++) {
        java = java.plus(launch(executable, arguments, each));
        bare = bare.plus(twin.launch(each));
        before = turn == 0 ? resident() : before;
      }
      return new Outcome(plugin.toString(), each * turns, java, bare, before, resident());
    } finally {
      for (String name : List.of("launch_twin", "program", "options")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    }
  }

  private static LaunchTwin.Times launch(
      PjrtExecutable executable, List<List<PjrtBuffer>> arguments, int times) {
    float first = 0;
    long wall = System.nanoTime();
    long processor = SYSTEM.getProcessCpuTime();
    for (int i = 0; i < times; i++) {
      List<ImmutableList<PjrtBuffer>> results = executable.execute(arguments);
      if (i + 1 == times) {
        first = (float) results.get(0).get(0).toLiteral().getDouble(0);
      }
      for (ImmutableList<PjrtBuffer> device : results) {
        device.forEach(PjrtBuffer::close);
      }
    }
    processor = SYSTEM.getProcessCpuTime() - processor;
    return new LaunchTwin.Times(System.nanoTime() - wall, processor, first);
  }

  /** Returns the bytes of this process that lie in memory. */
  static long resident() throws IOException {
    String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
    return Long.parseLong(pages[1]) * 4096;
  }
}
