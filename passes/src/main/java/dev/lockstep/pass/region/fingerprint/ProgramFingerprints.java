package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of one program.
 *
 * <p>Two programs have the same {@link #whole} when they are the same text but for: names of
 * values, functions and the module; locations and metadata; the order of attributes and of
 * functions; pretty or generic form; attributes that say what their absence says; the form in which
 * groups are written. What a compiler is told in the header counts: counts of devices, aliases,
 * donations, schedule, layouts.
 *
 * @param whole of everything
 * @param structural as {@code whole}, without the values of literals
 * @param regions of each piece between the places where ranks meet, and of these places, in program
 *     order; what loops, branches and calls around such places run follows the operation
 */
public record ProgramFingerprints(
    Fingerprint whole, Fingerprint structural, ImmutableList<RegionFingerprint> regions) {

  /**
   * Returns the fingerprints of {@code module} in time linear in its size.
   *
   * @param grid the devices, to which groups are resolved; null when they are not known
   */
  public static ProgramFingerprints of(Module module, @Nullable DeviceGrid grid) {
    return new ProgramFingerprints(
        whole(module, grid), structural(module, grid), RegionFingerprints.of(module, grid));
  }

  /** Returns the fingerprint of everything that {@code module} says. */
  public static Fingerprint whole(Module module, @Nullable DeviceGrid grid) {
    CanonicalSink sink = new CanonicalSink(true);
    CanonicalProgram.write(module, grid, sink);
    return sink.finish();
  }

  /** Returns the fingerprint of what {@code module} says, the values of literals left out. */
  public static Fingerprint structural(Module module, @Nullable DeviceGrid grid) {
    CanonicalSink sink = new CanonicalSink(false);
    CanonicalProgram.write(module, grid, sink);
    return sink.finish();
  }
}
