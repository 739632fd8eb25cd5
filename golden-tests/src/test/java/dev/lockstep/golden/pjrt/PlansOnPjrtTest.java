package dev.lockstep.golden.pjrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.pjrt.ExecutableCache;
import dev.lockstep.runtime.pjrt.PjrtBuffer;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlans;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans on a plugin: what is launched where, what is compiled once, what is refused. */
final class PlansOnPjrtTest {
  private static final int RANKS = 4;

  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  private static PjrtClient open(Path plugin) {
    return PjrtRunner.open(PjrtPlugin.load(plugin), RANKS, Map.of());
  }

  private static String reduce(String result, String operand, String groups) {
    return """
          %%%s = "stablehlo.all_reduce"(%%%s) <{replica_groups = dense<%s>}> ({
          ^bb0(%%l: tensor<f32>, %%r: tensor<f32>):
            %%s = stablehlo.add %%l, %%r : tensor<f32>
            stablehlo.return %%s : tensor<f32>
          }) : (tensor<4xf32>) -> tensor<4xf32>
        """
        .formatted(result, operand, groups);
  }

  private static final String WORLD = "[[0, 1, 2, 3]]> : tensor<1x4xi64";
  private static final String PAIRS = "[[0, 1], [2, 3]]> : tensor<2x2xi64";

  private static Module module(String name, String argument, String body, String result) {
    return Programs.read(
        Source.of(
            name,
            """
            module attributes {mhlo.num_replicas = 4 : i32, mhlo.num_partitions = 1 : i32} {
              func.func @main(%%x: tensor<4xf32>%s) -> tensor<4xf32> {
            %s    return %%%s : tensor<4xf32>
              }
            }
            """
                .formatted(argument, body, result)));
  }

  private static List<ExecutionPlan> split(List<Module> modules, PlanMode mode) {
    RankPrograms programs = RankPrograms.ofModules(modules);
    MatchReport report = Splitter.match(programs, mode);
    return PlanPrograms.byRank(
        Splitter.ofRanks(programs, report, mode, ImmutableSet.of()).plans(), RANKS);
  }

  private static List<ExecutionPlan> skinny(Module module) {
    return PlanPrograms.byRank(Splitter.ofAll(List.of(module), PlanMode.SKINNY).plans(), RANKS);
  }

  private static Workload work(List<ExecutionPlan> split) {
    return Workload.ofPlans(split, "segment", new DeviceGrid(RANKS, 1), false);
  }

  private static PjrtPlans check(ExecutableCache cache, List<ExecutionPlan> split) {
    Workload work = work(split);
    List<ImmutableList<Datum>> arguments = work.arguments(3);
    PjrtPlans plans = PjrtPlans.compile(cache, split, work.grid());
    assertThat(tensors(plans.run(arguments)))
        .isEqualTo(
            tensors(
                GridInterpreter.run(
                    work.program(), work.grid(), arguments, InterpreterOptions.DEFAULT)));
    return plans;
  }

  /** What flows through plans is tensors; whole programs give tuples on the interpreter. */
  private static String tensors(List<ImmutableList<Datum>> results) {
    return results.stream().map(Flattening::flatten).toList().toString();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void layersThatAreAlike_areCompiledOnce(Path file) {
    StringBuilder body = new StringBuilder();
    String last = "x";
    for (int layer = 0; layer < 5; layer++) {
      body.append(
          "    %%m%d = stablehlo.multiply %%%s, %%x : tensor<4xf32>\n".formatted(layer, last));
      body.append(reduce("r" + layer, "m" + layer, WORLD));
      last = "r" + layer;
    }
    Module module = module("layers", "", body.toString(), last);
    List<ExecutionPlan> plans = skinny(module);
    try (PjrtClient client = open(file);
        ExecutableCache cache = new ExecutableCache(client)) {
      PjrtPlans ran = check(cache, plans);
      assertThat(ran.launches()).isEqualTo(10);
      // The first product is of x and x.
      assertThat(cache.compiled()).isEqualTo(3);
      PjrtPlans.compile(cache, plans, new DeviceGrid(RANKS, 1));
      assertThat(cache.compiled()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void ranksThatDiffer_meetOnTheDevicesOfTheirGroups(Path file) {
    List<Module> modules = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      String own = "    %%c = stablehlo.constant dense<%d.0> : tensor<4xf32>\n".formatted(rank);
      String id =
          """
              %id = stablehlo.replica_id : tensor<ui32>
              %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
              %v = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4xf32>
          """;
      String body =
          rank < 2
              ? own
                  + reduce("p", "x", PAIRS)
                  + id
                  + "    %m = stablehlo.add %p, %v : tensor<4xf32>\n"
                  + reduce("w", "c", WORLD)
                  + "    %y = stablehlo.add %w, %m : tensor<4xf32>\n"
              : own + reduce("y", "c", WORLD);
      modules.add(module("rank" + rank, "", body, "y"));
    }
    try (PjrtClient client = open(file);
        ExecutableCache cache = new ExecutableCache(client)) {
      check(cache, split(modules, PlanMode.AUTO));
      check(cache, split(modules, PlanMode.SKINNY));
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void tuples_areTakenApartInWholeProgramsAndInSegments(Path file) {
    Module module =
        Programs.read(
            Source.of(
                "tuples",
                """
                HloModule tuples, replica_count=4

                sum {
                  a = f32[] parameter(0)
                  b = f32[] parameter(1)
                  ROOT c = f32[] add(a, b)
                }

                ENTRY main {
                  p = (f32[4], (s32[2], ())) parameter(0)
                  q = f32[4] parameter(1)
                  x = f32[4] get-tuple-element(p), index=0
                  rest = (s32[2], ()) get-tuple-element(p), index=1
                  y = f32[4] multiply(x, q)
                  z = f32[4] all-reduce(y), replica_groups={{0,1,2,3}}, to_apply=sum
                  w = f32[4] subtract(z, q)
                  both = (f32[4], f32[4]) tuple(w, x)
                  ROOT out = ((s32[2], ()), (f32[4], f32[4])) tuple(rest, both)
                }
                """));
    try (PjrtClient client = open(file);
        ExecutableCache cache = new ExecutableCache(client)) {
      for (PlanMode mode : PlanMode.values()) {
        check(cache, PlanPrograms.byRank(Splitter.ofAll(List.of(module), mode).plans(), RANKS));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void donatedArgumentsOfPlans_areGone(Path file) {
    String body = "    %m = stablehlo.add %x, %x : tensor<4xf32>\n" + reduce("y", "m", WORLD);
    Module module = module("donor", " {tf.aliasing_output = 0 : i32}", body, "y");
    List<ExecutionPlan> split = skinny(module);
    try (PjrtClient client = open(file);
        ExecutableCache cache = new ExecutableCache(client)) {
      PjrtPlans plans = check(cache, split);
      Workload work = work(split);
      List<List<PjrtBuffer>> arguments = plans.upload(work.arguments(3));
      plans.execute(arguments).forEach(rank -> rank.forEach(PjrtBuffer::close));
      PjrtBuffer gone = arguments.get(2).get(0);
      assertThatThrownBy(gone::toLiteral)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was donated");
      assertThatThrownBy(() -> plans.execute(arguments))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was donated");
      assertThat(check(cache, split).launches()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void argumentsOfOtherTypes_areRefusedBeforeAnyLaunch(Path file) {
    Module module = module("sum", "", reduce("y", "x", WORLD), "y");
    List<ExecutionPlan> split = skinny(module);
    try (PjrtClient client = open(file);
        ExecutableCache cache = new ExecutableCache(client)) {
      PjrtPlans plans = check(cache, split);
      Workload work = work(split);
      List<List<PjrtBuffer>> arguments = plans.upload(work.arguments(3));
      Literal two = Literal.of(TensorType.of(ElementType.F32, 2), new float[2]);
      arguments.get(1).set(0, client.toDevice(two, client.devices().get(1)));
      assertThatThrownBy(() -> plans.execute(arguments))
          .isInstanceOf(PjrtException.class)
          .hasMessageContaining("argument 0 of rank 1 is a tensor<2xf32>, must be a tensor<4xf32>");
      check(cache, split);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void plansThatDoNotMeet_areRefusedBeforeTheyReachThePlugin(Path file) {
    List<ExecutionPlan> plans = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      String body =
          rank == 1
              ? reduce("a", "x", WORLD) + reduce("b", "a", PAIRS)
              : reduce("a", "x", PAIRS) + reduce("b", "a", WORLD);
      Module module = module("rank" + rank, "", body, "b");
      plans.add(Splitter.alone(List.of(module)).plans().plan(0));
    }
    try (PjrtClient client = open(file);
        ExecutableCache cache = new ExecutableCache(client)) {
      assertThatThrownBy(() -> PjrtPlans.compile(cache, plans, new DeviceGrid(RANKS, 1)))
          .isInstanceOf(DiagnosticException.class)
          .hasMessageContaining("pjrt-stall")
          .hasMessageContaining("rank 1 waits in s0 for ranks [0, 1, 2, 3]");
      assertThat(cache.compiled()).isZero();
    }
  }
}
