package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.grid.DeviceGrid;

/** Sends and receives of one rank's program, seen as those of all. */
final class SetP2p {
  private SetP2p() {}

  /** Returns the events of {@code call}, with the peers of its own rank only. */
  static ImmutableList<P2pEvent> events(SetCall call, int world) {
    CallConfig alone =
        new CallConfig(
            call.config().target(),
            SetConfigs.merge(ImmutableSortedMap.of(call.rank(), call)),
            call.config().location());
    return P2pCalls.events(
        alone, CallGroups.of(alone, new DeviceGrid(world, 1)), 0, call.operands(), call.results());
  }
}
