package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;

/** Sends and receives on their way. */
interface Post {
  /** Sends the operands but for the token; the result is a token. */
  Pending send(int device, Operation operation, ImmutableList<Datum> operands);

  /** Receives; the results are the data, zeros where nobody sends to the device, and a token. */
  Pending receive(int device, Operation operation);

  /** Returns the sends that nobody has received, in order of channels. */
  ImmutableList<Pending> unreceived();
}
