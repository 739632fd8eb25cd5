package dev.lockstep.pass.region.fingerprint;

import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fingerprints of single operations with what they run: what they do with their operands. */
public final class OperationFingerprints {
  private final RegionFingerprints regions;
  private final Map<Operation, Fingerprint> known = new IdentityHashMap<>();

  /**
   * Creates them.
   *
   * @param grid the devices, to which groups are resolved; null when they are not known
   */
  public OperationFingerprints(Module module, @Nullable DeviceGrid grid) {
    this.regions = new RegionFingerprints(module, grid);
  }

  /** Returns the fingerprint of {@code operation}, operands counting by their types only. */
  public Fingerprint of(Operation operation) {
    Fingerprint found = known.get(operation);
    if (found == null) {
      found = regions.digest(operation);
      known.put(operation, found);
    }
    return found;
  }
}
