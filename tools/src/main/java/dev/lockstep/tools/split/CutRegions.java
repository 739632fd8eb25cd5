package dev.lockstep.tools.split;

import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.fingerprint.ProgramFingerprints;
import dev.lockstep.pass.region.fingerprint.RegionFingerprint;
import java.util.List;

/**
 * The two ways to number parts of a program: the handshake compares pieces, of which those with
 * collectives have numbers too, as {@code fingerprint} lists them; a plan's regions are what stands
 * between collectives.
 */
public final class CutRegions {
  private CutRegions() {}

  /**
   * Returns the regions of {@code module} that {@code pieces} are in. A piece that communicates
   * stands for the regions before and after it.
   *
   * @throws IllegalArgumentException if there is no such piece
   */
  public static ImmutableSortedSet<Integer> of(
      Module module, DeviceGrid grid, ImmutableIntArray pieces) {
    List<RegionFingerprint> all = ProgramFingerprints.of(module, grid).regions();
    ImmutableSortedSet.Builder<Integer> out = ImmutableSortedSet.naturalOrder();
    for (int piece : pieces.asList()) {
      if (piece < 0 || piece >= all.size()) {
        throw new IllegalArgumentException(
            "piece " + piece + " is to be cut out, and the program has " + all.size());
      }
      int before = 0;
      for (RegionFingerprint each : all.subList(0, piece)) {
        before += each.communicates() && !isNested(each) ? 1 : 0;
      }
      out.add(before);
      if (all.get(piece).communicates() && !isNested(all.get(piece))) {
        out.add(before + 1);
      }
    }
    return out.build();
  }

  /** A piece of a body belongs to the operation that holds it, which is a piece itself. */
  private static boolean isNested(RegionFingerprint piece) {
    return piece.path().indexOf('/') >= 0;
  }
}
