package dev.lockstep.lower;

import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;

/** Something in one rank's program at which ranks meet. */
sealed interface SetItem permits SetCall, SetPart {
  /** Returns the rank whose program it is in. */
  int rank();

  /** Returns the operation. */
  Operation operation();

  /** Returns where it stands. */
  default Location location() {
    return operation().location();
  }
}
