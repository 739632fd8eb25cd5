package dev.lockstep.pass;

import com.google.common.collect.ImmutableList;
import dev.lockstep.pass.canonical.CanonicalizePass;
import dev.lockstep.pass.canonical.CsePass;
import dev.lockstep.pass.canonical.DcePass;
import dev.lockstep.pass.canonical.DegenerateCollectivesPass;
import dev.lockstep.pass.entry.FlattenEntryFunctionTuplesPass;
import dev.lockstep.pass.partition.PartitionsToReplicasPass;
import dev.lockstep.pass.region.repair.RepairDivergencePass;
import dev.lockstep.pass.region.split.SplitRegionsPass;

/** The passes of this room, in documentation order. The one place where they are listed. */
public final class Passes {
  /** All of them. */
  public static final ImmutableList<Pass> ALL =
      ImmutableList.of(
          CanonicalizePass.INSTANCE,
          CsePass.INSTANCE,
          DcePass.INSTANCE,
          DegenerateCollectivesPass.INSTANCE,
          FlattenEntryFunctionTuplesPass.INSTANCE,
          PartitionsToReplicasPass.INSTANCE,
          RepairDivergencePass.INSTANCE,
          SplitRegionsPass.INSTANCE);

  private Passes() {}
}
