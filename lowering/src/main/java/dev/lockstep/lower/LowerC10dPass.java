package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassOption;
import dev.lockstep.pass.SetPass;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** {@code lower-c10d}: torch.distributed calls to XLA ops. */
public final class LowerC10dPass implements SetPass {
  /** The pass; it holds no state. */
  public static final LowerC10dPass INSTANCE = new LowerC10dPass();

  private static final PassOption<Boolean> RENDEZVOUS =
      PassOption.flag("rendezvous", false, "sends block until their receive is posted");

  private static final PassInfo INFO =
      new PassInfo(
          "lower-c10d",
          "Lowers torch.distributed calls to XLA ops",
          """
          Custom calls named after torch (`_c10d_functional.X`, `c10d.X`) become collectives. The
          program is one text for all ranks and stays so: what differs from rank to rank is looked
          up in tables by replica-id or partition-id. Values of ranks that give nothing are left out
          by select, never by multiplication, so that no NaN and no -0.0 of theirs gets through.

          Sends and receives are matched first in, first out for each group, source, target and tag
          and become collective-permutes. What does not match, or cannot be said in XLA, is a
          diagnostic with the places involved. Needs the number of replicas and partitions, unless
          groups name all ranks.
          """,
          ImmutableList.of(RENDEZVOUS),
          true);

  private LowerC10dPass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    int before = LowerC10d.calls(module).size();
    Module lowered =
        LowerC10d.lower(
            module,
            new LoweringContext(
                context.replicas(module), context.partitions(module), context.option(RENDEZVOUS)));
    if (before > 0) {
      context.count("calls lowered", before);
    }
    return lowered;
  }

  @Override
  public ImmutableList<ImmutableList<Module>> runSet(
      ImmutableList<ImmutableList<Module>> ranks, PassContext context) {
    Set<Module> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ImmutableList<Module> programs : ranks) {
      for (Module module : programs) {
        int calls = counted.add(module) ? LowerC10d.calls(module).size() : 0;
        if (calls > 0) {
          context.count("calls lowered", calls);
        }
      }
    }
    Module first = ranks.get(0).get(0);
    return LowerSet.lowerPrograms(
        ranks,
        new LoweringContext(
            context.replicas(first), context.partitions(first), context.option(RENDEZVOUS)));
  }
}
