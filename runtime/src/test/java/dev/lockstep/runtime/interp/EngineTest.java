package dev.lockstep.runtime.interp;

import static dev.lockstep.runtime.interp.TestOps.DONE;
import static dev.lockstep.runtime.interp.TestOps.I64;
import static dev.lockstep.runtime.interp.TestOps.IF;
import static dev.lockstep.runtime.interp.TestOps.START;
import static dev.lockstep.runtime.interp.TestOps.SUM;
import static dev.lockstep.runtime.interp.TestOps.TOTAL;
import static dev.lockstep.runtime.interp.TestOps.WHILE;
import static dev.lockstep.runtime.interp.TestOps.YIELD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.runtime.interp.TestOps.Code;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTest {
  private static final long[] ALL4 = {0, 1, 2, 3};

  private static List<Long> run(Program program, int devices) {
    return GridInterpreter.run(
            program,
            new DeviceGrid(devices, 1),
            Collections.nCopies(devices, ImmutableList.of()),
            InterpreterOptions.DEFAULT)
        .stream()
        .map(results -> TestOps.number(results.get(0)))
        .toList();
  }

  private static List<Long> run(Module module, int devices) {
    return run(Program.of(module), devices);
  }

  private static String failure(Program program, int devices) {
    try {
      run(program, devices);
    } catch (DiagnosticException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("it ran");
  }

  @Test
  void groupsMeetByThemselves() {
    Code code = new Code("groups");
    Module module = code.module(code.meet(SUM, code.id(), new long[] {0, 2}, new long[] {1, 3}));
    assertThat(run(module, 4)).containsExactly(2L, 4L, 2L, 4L);
  }

  /** Devices 0 and 1 take one branch, 2 and 3 the other, and each pair meets in its own. */
  @Test
  void branchesMayDifferByDevice() {
    Code code = new Code("branches");
    Value id = code.id();
    Value low = code.less(id, code.constant(2));
    Code first = new Code("branches");
    Block then = first.block(YIELD, first.meet(SUM, id, new long[] {0, 1}));
    Code second = new Code("branches");
    Block otherwise = second.block(YIELD, second.meet(SUM, id, new long[] {2, 3}));
    Value chosen = code.region(IF, I64, Attributes.EMPTY, List.of(then, otherwise), low);
    Module module = code.module(code.meet(SUM, chosen, ALL4));
    assertThat(run(module, 4)).containsExactly(12L, 12L, 12L, 12L);
  }

  /** A loop whose trips all devices share, with a meeting in each. */
  @Test
  void loopsMeetOnceATrip() {
    Code code = new Code("loop");
    Value start = code.plus(code.id(), code.constant(1));
    Value conditionArgument = new Value(I64);
    Code condition = new Code("loop", conditionArgument);
    Block test = condition.block(YIELD, condition.less(conditionArgument, condition.constant(100)));
    Value bodyArgument = new Value(I64);
    Code body = new Code("loop", bodyArgument);
    Block trip = body.block(YIELD, body.meet(SUM, bodyArgument, ALL4));
    Module module =
        code.module(code.region(WHILE, I64, Attributes.EMPTY, List.of(test, trip), start));
    // 1 + 2 + 3 + 4 = 10 and 10 < 100, so 40, 160.
    assertThat(run(module, 4)).containsExactly(160L, 160L, 160L, 160L);
  }

  /** One device leaves the loop before the others: they wait for it for ever. */
  @Test
  void loopThatOneDeviceLeavesIsReported() {
    Code code = new Code("uneven");
    Value start = code.plus(code.id(), code.constant(97));
    Value conditionArgument = new Value(I64);
    Code condition = new Code("uneven", conditionArgument);
    Block test = condition.block(YIELD, condition.less(conditionArgument, condition.constant(99)));
    Value bodyArgument = new Value(I64);
    Code body = new Code("uneven", bodyArgument);
    Block trip = body.block(YIELD, body.meet(SUM, bodyArgument, new long[] {0, 1, 2}));
    Module module =
        code.module(code.region(WHILE, I64, Attributes.EMPTY, List.of(test, trip), start));
    assertThat(failure(Program.of(module), 3))
        .isEqualTo(
            """
            uneven:1:1: error[deadlock]: no device can move: devices 0, 1 at this test.sum, and 0 more wait
              code
              ^~~~
            uneven:1:1: note: devices 0, 1 wait in test.sum for device 2 of the group [0, 1, 2]
              code
              ^~~~
            note: device 2 has finished\
            """);
  }

  /** Two groups whose members come to them in opposite orders. */
  @Test
  void crossedOrderIsReported() {
    Module zero = crossed("rank0", SUM, TOTAL);
    Code code = new Code("rank1");
    Value id = code.id();
    Value b = code.meet(TOTAL, id, new long[] {1, 2});
    Module one = code.module(code.meet(SUM, b, new long[] {0, 1}));
    Code last = new Code("rank2");
    Value ring = last.meet(SUM, last.id(), new long[] {0, 2});
    Module two = last.module(last.meet(TOTAL, ring, new long[] {1, 2}));
    assertThat(failure(Program.ofRanks(List.of(zero, one, two)), 3))
        .isEqualTo(
            """
            rank0:2:1: error[deadlock]: no device can move: device 0 at this test.sum, and 2 more wait
              code
              ^~~~
            rank0:2:1: note: device 0 waits in test.sum for device 1 of the group [0, 1]
              code
              ^~~~
            rank1:2:1: note: device 1 waits in test.total for device 2 of the group [1, 2]
              code
              ^~~~
            rank2:2:1: note: device 2 waits in test.sum for device 0 of the group [0, 2]
              code
              ^~~~\
            """);
  }

  private static Module crossed(String name, OpDef a, OpDef b) {
    Code code = new Code(name);
    Value first = code.meet(a, code.id(), new long[] {0, 1});
    return code.module(code.meet(b, first, new long[] {0, 2}));
  }

  @Test
  void ranksWithDifferentTextsMeetInOrder() {
    Code zero = new Code("rank0");
    Value extra = zero.plus(zero.id(), zero.constant(5));
    Module first = zero.module(zero.meet(SUM, extra, new long[] {0, 1}));
    Code one = new Code("rank1");
    Module second = one.module(one.meet(SUM, one.id(), new long[] {0, 1}));
    assertThat(run(Program.ofRanks(List.of(first, second)), 2)).containsExactly(6L, 6L);
  }

  @Test
  void differentCollectivesOfOneGroupAreReported() {
    Code zero = new Code("rank0");
    Module first = zero.module(zero.meet(SUM, zero.id(), new long[] {0, 1}));
    Code one = new Code("rank1");
    Value moved = one.plus(one.id(), one.id());
    Module second = one.module(one.meet(TOTAL, moved, new long[] {0, 1}));
    assertThat(failure(Program.ofRanks(List.of(first, second)), 2))
        .isEqualTo(
            """
            rank1:4:1: error[collective-mismatch]: collective number 1 of the group [0, 1] differs: test.total on device 1, test.sum on device 0
              code
              ^~~~
            rank0:2:1: note: device 0 is at this test.sum
              code
              ^~~~\
            """);
  }

  /** Two computations are under way at once; their done operations come in the other order. */
  @Test
  void asynchronousComputationsOverlap() {
    Code code = new Code("async");
    Value id = code.id();
    Value first = code.region(START, I64, Attributes.EMPTY, List.of(sum(id)));
    Value second = code.region(START, I64, Attributes.EMPTY, List.of(sum(id)));
    Value b = code.add(DONE, I64, Attributes.EMPTY, second);
    Value a = code.add(DONE, I64, Attributes.EMPTY, first);
    assertThat(run(code.module(code.plus(a, b)), 4)).containsExactly(12L, 12L, 12L, 12L);
  }

  private static Block sum(Value id) {
    Code body = new Code("async");
    return body.block(YIELD, body.meet(SUM, id, ALL4));
  }

  @Test
  void deviceInNoGroupNeedsAMeaning() {
    Code code = new Code("outside");
    Module module = code.module(code.meet(SUM, code.id(), new long[] {0, 1}));
    assertThatThrownBy(() -> run(module, 3))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("device 2 is in no group of this test.sum");
  }

  @Test
  void groupsBeyondTheGridAreReported() {
    Code code = new Code("beyond");
    Module module = code.module(code.meet(SUM, code.id(), ALL4));
    assertThatThrownBy(() -> run(module, 2))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("replica 2 is out of range, have 2");
  }

  @Test
  void argumentsMustFit() {
    Value parameter = new Value(I64);
    Code code = new Code("arguments", parameter);
    Module module = code.module(parameter);
    ImmutableList<Datum> none = ImmutableList.of();
    assertThatThrownBy(
            () ->
                GridInterpreter.run(
                    Program.of(module),
                    new DeviceGrid(1, 1),
                    List.of(none),
                    InterpreterOptions.DEFAULT))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("gives 0 arguments to a body that takes 1");
  }
}
