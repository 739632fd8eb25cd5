package dev.lockstep.hlo.build;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.And;
import dev.lockstep.hlo.op.elementwise.Maximum;
import dev.lockstep.hlo.op.elementwise.Minimum;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.op.elementwise.Or;
import dev.lockstep.hlo.op.elementwise.Xor;
import org.jspecify.annotations.Nullable;

/** The reducers that collectives know: one commutative operation on two scalars. */
public enum ReductionKind {
  SUM(Add.DEF),
  PRODUCT(Multiply.DEF),
  MIN(Minimum.DEF),
  MAX(Maximum.DEF),
  AND(And.DEF),
  OR(Or.DEF),
  XOR(Xor.DEF);

  private final OpDef def;

  ReductionKind(OpDef def) {
    this.def = def;
  }

  /** Returns the operation that joins two elements. */
  public OpDef def() {
    return def;
  }

  /**
   * Returns the kind of a reducer's body: it has two parameters, and what it gives back is one
   * operation on both of them, in either order. Returns null for any other body.
   */
  public static @Nullable ReductionKind of(Block body) {
    ImmutableList<Value> parameters = Function.parametersOf(body);
    ImmutableList<Value> returned = body.returned();
    if (parameters.size() != 2 || returned.size() != 1) {
      return null;
    }
    for (Operation operation : body.operations()) {
      if (operation.results().size() == 1
          && operation.result() == returned.get(0)
          && operation.operands().size() == 2
          && operation.operands().containsAll(parameters)) {
        for (ReductionKind kind : values()) {
          if (operation.is(kind.def)) {
            return kind;
          }
        }
      }
    }
    return null;
  }
}
