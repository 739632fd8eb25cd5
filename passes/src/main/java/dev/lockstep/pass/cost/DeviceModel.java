package dev.lockstep.pass.cost;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.type.ElementType;

/**
 * A device as the cost model sees it.
 *
 * @param name what it is called
 * @param constants all that describes it, each with its source
 */
public record DeviceModel(String name, ImmutableMap<DeviceConstant, Constant> constants) {
  /** Checks that nothing is missing and that units are the agreed ones. */
  public DeviceModel {
    for (DeviceConstant needed : DeviceConstant.values()) {
      Constant constant = constants.get(needed);
      checkArgument(constant != null, "%s does not say %s", name, needed.key());
      checkArgument(
          requireNonNull(constant).unit().equals(needed.unit()),
          "%s gives %s in %s, must be %s",
          name,
          needed.key(),
          constant.unit(),
          needed.unit());
    }
  }

  /** Returns the number. */
  public double get(DeviceConstant constant) {
    return requireNonNull(constants.get(constant)).value();
  }

  /** Returns how fast products of {@code element} are made, in FLOP/s. */
  public double matmulRate(ElementType element) {
    int bits = element.isComplex() ? element.bits() / 2 : element.bits();
    DeviceConstant rate =
        bits <= 8
            ? DeviceConstant.MATMUL_RATE_NARROW
            : bits == 16 ? DeviceConstant.MATMUL_RATE : DeviceConstant.MATMUL_RATE_WIDE;
    return get(rate) * get(DeviceConstant.MATMUL_EFFICIENCY);
  }

  /** Returns how many bytes results of collectives may take before anything uses them. */
  public long prefetchBytes() {
    return (long) (get(DeviceConstant.PREFETCH_SHARE) * get(DeviceConstant.MEMORY_CAPACITY));
  }
}
