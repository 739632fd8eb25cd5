package dev.lockstep.hlo.op.collective;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.text.Texts;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What members of a group get, and how groups, channels and pairs are read. */
class CollectiveMeaningTest {
  private static final String ADD =
      "add {\n  x = s64[] parameter(0)\n  y = s64[] parameter(1)\n"
          + "  ROOT sum = s64[] add(x, y)\n}\n\n";

  private static Module module(String parameter, String instruction) {
    String text =
        "HloModule m\n\n"
            + ADD
            + "ENTRY e {\n  p = "
            + parameter
            + " parameter(0)\n  ROOT r = "
            + instruction
            + "\n}\n";
    return Texts.read(Source.of("m.hlo", text));
  }

  private static Operation root(Module module) {
    return Objects.requireNonNull(module.entryFunction().orElseThrow().body().root());
  }

  /** Runs the root on a group where member m brings {@code rows[m]}. */
  private static ImmutableList<ImmutableList<Long>> run(Module module, long[]... rows) {
    Operation operation = root(module);
    ImmutableList.Builder<ImmutableList<Datum>> operands = ImmutableList.builder();
    ImmutableList.Builder<Integer> members = ImmutableList.builder();
    for (int m = 0; m < rows.length; m++) {
      operands.add(ImmutableList.of(Literal.ofLongs(rows[m])));
      members.add(m);
    }
    Semantics.BodyRunner bodies =
        new Semantics.BodyRunner() {
          @Override
          public ImmutableList<Datum> run(int index, ImmutableList<Datum> arguments) {
            throw new AssertionError("a known reducer does not run its body");
          }

          @Override
          public Block body(int index) {
            return Bodies.of(operation, module).get(index);
          }
        };
    Semantics.Collective meaning = (Semantics.Collective) operation.def().semantics();
    ImmutableList.Builder<ImmutableList<Long>> out = ImmutableList.builder();
    for (ImmutableList<Datum> results :
        meaning.eval(
            operation, operands.build(), members.build(), new DeviceGrid(rows.length, 1), bodies)) {
      ImmutableList.Builder<Long> values = ImmutableList.builder();
      for (long value : ((Literal) results.get(0)).toLongs()) {
        values.add(value);
      }
      out.add(values.build());
    }
    return out.build();
  }

  @Test
  void allReduceAddsAndReduceScatterGivesItsParts() {
    long[][] rows = {{1, 2}, {10, 20}};
    assertThat(run(module("s64[2]", "s64[2] all-reduce(p), to_apply=add"), rows))
        .containsExactly(ImmutableList.of(11L, 22L), ImmutableList.of(11L, 22L));
    assertThat(
            run(
                module(
                    "s64[2]",
                    "s64[1] reduce-scatter(p), replica_groups={{0,1}}, dimensions={0},"
                        + " to_apply=add"),
                rows))
        .containsExactly(ImmutableList.of(11L), ImmutableList.of(22L));
  }

  @Test
  void allGatherJoinsInGroupOrder() {
    assertThat(
            run(
                module("s64[1]", "s64[2] all-gather(p), replica_groups={{0,1}}, dimensions={0}"),
                new long[] {1},
                new long[] {2}))
        .containsExactly(ImmutableList.of(1L, 2L), ImmutableList.of(1L, 2L));
  }

  @Test
  void allToAllTwiceGivesBackWhatWasThere() {
    Module once = module("s64[2]", "s64[2] all-to-all(p), replica_groups={{0,1}}, dimensions={0}");
    assertThat(run(once, new long[] {1, 2}, new long[] {3, 4}))
        .containsExactly(ImmutableList.of(1L, 3L), ImmutableList.of(2L, 4L));
    assertThat(run(once, new long[] {1, 3}, new long[] {2, 4}))
        .containsExactly(ImmutableList.of(1L, 2L), ImmutableList.of(3L, 4L));
  }

  @Test
  void permuteGivesZerosWhereNothingComesAndCopiesToSelf() {
    assertThat(
            run(
                module("s64[1]", "s64[1] collective-permute(p), source_target_pairs={{0,1},{2,2}}"),
                new long[] {5},
                new long[] {6},
                new long[] {7}))
        .containsExactly(ImmutableList.of(0L), ImmutableList.of(5L), ImmutableList.of(7L));
  }

  @Test
  void broadcastGivesTheFirstMembersAndZerosOutside() {
    Module module = module("s64[1]", "s64[1] collective-broadcast(p), replica_groups={{0,1}}");
    assertThat(run(module, new long[] {5}, new long[] {6}))
        .containsExactly(ImmutableList.of(5L), ImmutableList.of(5L));
    Semantics.Collective meaning = (Semantics.Collective) root(module).def().semantics();
    assertThat(meaning.outside(root(module), ImmutableList.of(Literal.ofLongs(9))))
        .containsExactly(Literal.ofLongs(0));
  }

  @Test
  void modeFollowsFromTheKeysOfTheOp() {
    assertThat(mode("s64[1] all-reduce(p), to_apply=add")).isEqualTo(GroupMode.CROSS_REPLICA);
    assertThat(mode("s64[1] all-reduce(p), channel_id=1, to_apply=add"))
        .isEqualTo(GroupMode.CROSS_REPLICA_AND_PARTITION);
    assertThat(
            mode(
                "s64[1] all-reduce(p), channel_id=1, replica_groups={{0}},"
                    + " use_global_device_ids=true, to_apply=add"))
        .isEqualTo(GroupMode.FLATTENED_ID);
    assertThat(mode("s64[1] collective-permute(p), channel_id=1, source_target_pairs={{0,0}}"))
        .isEqualTo(GroupMode.CROSS_PARTITION);
    assertThat(mode("s64[1] collective-permute(p), channel_id=0, source_target_pairs={{0,0}}"))
        .isEqualTo(GroupMode.CROSS_PARTITION);
    assertThat(mode("s64[1] collective-permute(p), source_target_pairs={{0,0}}"))
        .isEqualTo(GroupMode.CROSS_REPLICA);
  }

  private static GroupMode mode(String instruction) {
    return Collectives.mode(root(module("s64[1]", instruction)));
  }

  @Test
  void oneReplicaWithAChannelMeetsInAllPartitions() {
    Operation operation =
        root(
            module(
                "s64[1]",
                "s64[1] all-reduce(p), channel_id=37, replica_groups={{0}}, to_apply=add"));
    assertThat(
            Collectives.processGroups(operation, new DeviceGrid(1, 2), MemberOrder.REPLICA_MAJOR)
                .groups())
        .hasSize(1);
  }

  @Test
  void reductionIsRecognisedByItsBody() {
    Module module = module("s64[1]", "s64[1] all-reduce(p), to_apply=add");
    assertThat(Collectives.reduction(root(module), module)).isEqualTo(ReductionKind.ADD);
  }
}
