package dev.lockstep.pass.region.match;

import dev.lockstep.pass.region.Transfer;
import org.jspecify.annotations.Nullable;

/** A message on its way, seen from one side; both sides hold each other once they have met. */
final class Letter {
  final Transfer transfer;
  final Strand strand;
  final Steps.Come step;
  @Nullable Letter partner;

  Letter(Transfer transfer, Strand strand, Steps.Come step) {
    this.transfer = transfer;
    this.strand = strand;
    this.step = step;
  }
}
