package dev.lockstep.runtime.interp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Asynchronous forms of collectives in HLO give what the plain ones give. */
class AsyncTest {
  private static final String SUM =
      """
      sum {
        a = f32[] parameter(0)
        b = f32[] parameter(1)
        ROOT c = f32[] add(a, b)
      }

      """;

  private static Program program(String entry) {
    return Program.of(
        Grids.read("async.hlo", "HloModule async, replica_count=4\n\n" + SUM + entry));
  }

  @Test
  void startAndDoneOfTheirOwnOps() {
    Program program =
        program(
            """
            ENTRY main {
              x = f32[1] parameter(0)
              gs = (f32[1], f32[2]) all-gather-start(x), replica_groups={{0,1},{2,3}}, dimensions={0}
              ps = (f32[1], f32[1]) collective-permute-start(x), source_target_pairs={{0,3},{1,2},{2,1},{3,0}}
              rs = f32[1] all-reduce-start(x), replica_groups={{0,2},{1,3}}, to_apply=sum
              r = f32[1] all-reduce-done(rs)
              p = f32[1] collective-permute-done(ps)
              g = f32[2] all-gather-done(gs)
              ROOT out = (f32[1], f32[1], f32[2]) tuple(r, p, g)
            }
            """);
    assertThat(Grids.firsts(program, 4, 1)).containsExactly(4.0, 6.0, 4.0, 6.0);
    assertThat(
            Grids.run(program, 4, 1, InterpreterOptions.DEFAULT).stream()
                .map(results -> Flattening.flatten(results).get(1).getDouble(0)))
        .containsExactly(4.0, 3.0, 2.0, 1.0);
    assertThat(
            Grids.run(program, 4, 1, InterpreterOptions.DEFAULT).stream()
                .map(results -> Flattening.flatten(results).get(2).getDouble(1)))
        .containsExactly(2.0, 2.0, 4.0, 4.0);
  }

  @Test
  void collectiveWrappedInAComputation() {
    Program program =
        program(
            """
            wrapped {
              y = f32[4] parameter(0)
              ROOT s = f32[1] reduce-scatter(y), replica_groups={{0,1,2,3}}, dimensions={0}, to_apply=sum
            }

            ENTRY main {
              x = f32[4] parameter(0)
              s = ((f32[4]), f32[1], u32[]) async-start(x), calls=wrapped
              u = ((f32[4]), f32[1], u32[]) async-update(s)
              ROOT d = f32[1] async-done(u)
            }
            """);
    assertThat(Grids.firsts(program, 4, 1)).containsExactly(10.0, 10.0, 10.0, 10.0);
  }

  /** The start travels around a loop as an element of its tuple. */
  @Test
  void startIsCarriedByALoop() {
    Program program =
        program(
            """
            condition {
              c = (s32[], f32[1], f32[1]) parameter(0)
              i = s32[] get-tuple-element(c), index=0
              n = s32[] constant(3)
              ROOT l = pred[] compare(i, n), direction=LT
            }

            body {
              c = (s32[], f32[1], f32[1]) parameter(0)
              i = s32[] get-tuple-element(c), index=0
              one = s32[] constant(1)
              next = s32[] add(i, one)
              started = f32[1] get-tuple-element(c), index=2
              done = f32[1] all-reduce-done(started)
              again = f32[1] all-reduce-start(done), replica_groups={{0,1,2,3}}, to_apply=sum
              ROOT t = (s32[], f32[1], f32[1]) tuple(next, done, again)
            }

            ENTRY main {
              x = f32[1] parameter(0)
              zero = s32[] constant(0)
              s = f32[1] all-reduce-start(x), replica_groups={{0,1,2,3}}, to_apply=sum
              t = (s32[], f32[1], f32[1]) tuple(zero, x, s)
              w = (s32[], f32[1], f32[1]) while(t), condition=condition, body=body
              f = f32[1] get-tuple-element(w), index=2
              ROOT d = f32[1] all-reduce-done(f)
            }
            """);
    // 1 + 2 + 3 + 4 = 10, then 40, 160, 640.
    assertThat(Grids.firsts(program, 4, 1)).containsExactly(640.0, 640.0, 640.0, 640.0);
  }
}
