package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code copy-done}: waits for a copy. */
public final class CopyDone {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.copy_done")
          .hlo("copy-done")
          .summary("Waits for a copy")
          .trait(Trait.ASYNC)
          .local(CopyDone::eval)
          .build();

  private CopyDone() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(((Datum.Tuple) operands.get(0)).elements().get(0));
  }
}
