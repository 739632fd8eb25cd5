package dev.lockstep.pass.region.split;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.data.Broadcast;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.elementwise.Convert;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.analysis.Effects;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Operations whose results are cheaper to compute again in each segment than to pass between
 * segments: small or uniform constants, iotas, device numbers, scalars of such, and such spread
 * over a shape. They depend on no argument, so that every segment gets the same.
 */
final class CheapOps {
  /** Constants of more elements are passed on, unless all their elements are equal. */
  private static final int SMALL = 16;

  private final Effects effects;
  private final Set<Value> cheap = Collections.newSetFromMap(new IdentityHashMap<>());

  CheapOps(Module module) {
    this.effects = new Effects(module);
  }

  /** Returns whether {@code operation} is cheap; to be asked in program order. */
  boolean add(Operation operation) {
    boolean is = isCheap(operation);
    if (is) {
      cheap.add(operation.result());
    }
    return is;
  }

  private boolean isCheap(Operation operation) {
    if (operation.results().size() != 1
        || !(operation.results().get(0).type() instanceof TensorType type)
        || !type.isStatic()
        || !operation.regions().isEmpty()
        || operation.attribute(ControlNames.ATTRIBUTE) != null
        || Communication.isDirect(operation)) {
      return false;
    }
    if (operation.is(Constant.DEF)) {
      return operation.attribute("value") instanceof Attribute.Dense dense
          && (dense.literal().isSplat() || dense.literal().count() <= SMALL);
    }
    if (!operation.operands().stream().allMatch(cheap::contains) || !effects.mayMerge(operation)) {
      return false;
    }
    return operation.def().has(Trait.CONSTANT)
        || operation.def().semantics() instanceof Semantics.PerDevice
            && operation.operands().isEmpty()
        || operation.is(Broadcast.DEF)
        || operation.is(BroadcastInDim.DEF)
        || operation.is(Reshape.DEF)
        || operation.is(Convert.DEF)
        || operation.def().has(Trait.ELEMENTWISE) && type.rank() == 0;
  }
}
