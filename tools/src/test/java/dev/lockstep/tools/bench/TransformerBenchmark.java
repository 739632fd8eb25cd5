package dev.lockstep.tools.bench;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.sun.management.OperatingSystemMXBean;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.pjrt.ExecutableCache;
import dev.lockstep.runtime.pjrt.PjrtBuffer;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtPlans;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.runtime.plan.PlanPrograms;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * {@link TransformerText} on 8 devices of a plugin, whole (fat), cut around every collective
 * (skinny), and cut around the one region in which rank 3 differs (partial), in turns. Arguments:
 * runs of each, layers, plugins (else the first that is installed).
 */
public final class TransformerBenchmark {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** A way to run it. */
  private static final class Way {
    final String name;
    final PjrtPlans plans;
    final long compiled;
    final int executables;
    final List<Long> wall = new ArrayList<>();
    final List<Long> processor = new ArrayList<>();

    Way(String name, PjrtPlans plans, long compiled, int executables) {
      this.name = name;
      this.plans = plans;
      this.compiled = compiled;
      this.executables = executables;
    }

    static Way compile(String name, PjrtClient client, List<ExecutionPlan> plans, DeviceGrid grid) {
      // Every way compiles its own; the client closes what the cache holds.
      ExecutableCache cache = new ExecutableCache(client);
      long start = System.nanoTime();
      PjrtPlans made = PjrtPlans.compile(cache, plans, grid);
      return new Way(name, made, System.nanoTime() - start, cache.compiled());
    }

    void run(List<List<PjrtBuffer>> arguments) {
      long start = System.nanoTime();
      long used = SYSTEM.getProcessCpuTime();
      List<ImmutableList<PjrtBuffer>> results = plans.execute(arguments);
      processor.add(SYSTEM.getProcessCpuTime() - used);
      wall.add(System.nanoTime() - start);
      results.forEach(rank -> rank.forEach(PjrtBuffer::close));
    }

    @Override
    public String toString() {
      return String.format(
          "%-8s %3d launches, %2d compiled in %5.0f ms; a run: median %7.2f ms, least %7.2f ms,"
              + " processors %7.2f ms",
          name,
          plans.launches(),
          executables,
          compiled / 1e6,
          median(wall) / 1e6,
          wall.stream().mapToLong(Long::longValue).min().orElse(0) / 1e6,
          median(processor) / 1e6);
    }

    private static long median(List<Long> times) {
      return times.stream().sorted().skip(times.size() / 2).findFirst().orElse(0L);
    }
  }

  private TransformerBenchmark() {}

  /** Runs it. */
  public static void main(String[] arguments) {
    int runs = Integer.parseInt(arguments[0]);
    TransformerText small = TransformerText.SMALL;
    TransformerText shape =
        new TransformerText(
            small.devices(),
            Integer.parseInt(arguments[1]),
            small.hidden(),
            small.heads(),
            small.sequence(),
            small.mlp());
    List<Path> plugins =
        arguments.length > 2
            ? Arrays.stream(arguments).skip(2).map(Path::of).toList()
            : PluginCache.cpuPlugins().subList(0, 1);
    for (Path plugin : plugins) {
      System.out.println(PjrtPlugin.load(plugin) + ", " + shape);
      run(PjrtPlugin.load(plugin), shape, runs).forEach(System.out::println);
    }
  }

  /** Returns a line for each way. */
  static List<String> run(PjrtPlugin plugin, TransformerText shape, int runs) {
    Module module = Texts.read(Source.of("transformer", shape.text(-1)));
    Module other = Texts.read(Source.of("transformer of rank 3", shape.text(shape.layers() / 2)));
    DeviceGrid grid = new DeviceGrid(shape.devices(), 1);
    try (PjrtClient client = PjrtRunner.open(plugin, shape.devices(), Map.of())) {
      List<Way> ways =
          List.of(
              Way.compile("fat", client, all(module, PlanMode.FAT), grid),
              Way.compile("skinny", client, all(module, PlanMode.SKINNY), grid),
              Way.compile("partial", client, partial(module, other, shape.devices()), grid));
      List<List<PjrtBuffer>> arguments = ways.get(0).plans.upload(arguments(module, shape));
      for (int i = 0; i <= runs; i++) {
        for (Way way : ways) {
          way.run(arguments);
          if (i == 0) {
            way.wall.clear();
            way.processor.clear();
          }
        }
      }
      return ways.stream().map(Way::toString).toList();
    }
  }

  private static List<ExecutionPlan> all(Module module, PlanMode mode) {
    return List.of(Splitter.ofAll(List.of(module), mode).plans().plan(0));
  }

  private static List<ExecutionPlan> partial(Module module, Module other, int devices) {
    List<Module> modules = new ArrayList<>();
    for (int rank = 0; rank < devices; rank++) {
      modules.add(rank == 3 ? other : module);
    }
    RankPrograms programs = RankPrograms.ofModules(modules);
    return PlanPrograms.byRank(
        Splitter.ofRanks(
                programs, Splitter.match(programs, PlanMode.AUTO), PlanMode.AUTO, ImmutableSet.of())
            .plans(),
        devices);
  }

  /** Returns activations around one, and weights that keep them there. */
  private static List<ImmutableList<Datum>> arguments(Module module, TransformerText shape) {
    SplittableRandom random = new SplittableRandom(1);
    List<ImmutableList<Datum>> out = new ArrayList<>();
    for (int rank = 0; rank < shape.devices(); rank++) {
      ImmutableList.Builder<Datum> own = ImmutableList.builder();
      module
          .entryFunction()
          .orElseThrow()
          .parameters()
          .forEach(
              parameter -> {
                TensorType type = (TensorType) parameter.type();
                float[] data = new float[Math.toIntExact(type.count())];
                double scale = 1 / Math.sqrt((double) type.dim(0));
                for (int i = 0; i < data.length; i++) {
                  data[i] = (float) ((random.nextDouble() - 0.5) * scale);
                }
                own.add(Literal.of(type, data));
              });
      out.add(own.build());
    }
    return out;
  }
}
