package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prices of operations on one device, and what could not be priced. */
final class Costs {
  private final DeviceModel device;
  private final CollectiveTime collectives;
  private final Map<Block, Estimate> whole = new IdentityHashMap<>();
  private final Map<Block, Estimate> cut = new IdentityHashMap<>();
  private int unknown;
  private int unknownLoops;

  Costs(DeviceModel device, CollectiveTime collectives) {
    this.device = device;
    this.collectives = collectives;
  }

  CollectiveTime collectives() {
    return collectives;
  }

  void countUnknown() {
    unknown++;
  }

  void countUnknownLoop() {
    unknownLoops++;
  }

  /** Returns how many custom calls were priced by their bytes only. */
  int unknown() {
    return unknown;
  }

  /** Returns how many loops were taken to run once, since nothing says how often they do. */
  int unknownLoops() {
    return unknownLoops;
  }

  /**
   * Returns the seconds of an operation: arithmetic and memory traffic go on at the same time, so
   * the longer of the two (the roofline).
   */
  double seconds(OpWork work, long bytes, @Nullable TensorType type) {
    ElementType element = type == null ? ElementType.F32 : type.element();
    double arithmetic =
        work.products() / device.matmulRate(element)
            + work.others() / device.get(DeviceConstant.VECTOR_RATE);
    return Math.max(arithmetic, bytes / device.get(DeviceConstant.MEMORY_RATE));
  }

  /** Returns the seconds of XLA's own send, which nothing matched. */
  double transfer(Operation send) {
    long bytes = send.operandTypes().stream().mapToLong(Sizes::bytes).sum();
    return device.get(DeviceConstant.COLLECTIVE_LATENCY)
        + bytes
            / (device.get(DeviceConstant.OUTSIDE_RATE)
                * device.get(DeviceConstant.LINK_EFFICIENCY));
  }

  /** Returns what {@code body} takes by itself. */
  Estimate estimate(Block body, Module module, boolean isCut) {
    Map<Block, Estimate> known = isCut ? cut : whole;
    Estimate found = known.get(body);
    if (found == null) {
      CostGraph graph = CostGraph.of(body, module, this, isCut, ImmutableSet.of());
      found = new Timeline(graph, device, false).run();
      known.put(body, found);
    }
    return found;
  }
}
