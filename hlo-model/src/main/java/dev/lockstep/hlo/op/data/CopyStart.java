package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.type.ElementType;

/** {@code copy-start}: starts a copy; gives target, source and context. */
public final class CopyStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.copy_start")
          .hlo("copy-start")
          .summary("Starts a copy; gives target, source and context")
          .trait(Trait.ASYNC)
          .local(CopyStart::eval)
          .build();

  private CopyStart() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    // Target, source, and a context that says nothing.
    Datum copied = operands.get(0);
    return ImmutableList.of(copied, copied, Literal.scalar(ElementType.UI32, 0));
  }
}
