package dev.lockstep.tools.comm;

import java.util.OptionalLong;

/**
 * The collectives of one kind, over the same groups, in the same loop.
 *
 * @param kind the op without its dialect, or the target of a torch.distributed call
 * @param groups the groups or pairs as the program writes them
 * @param loop the loops and branches around it from the outside in, empty for none
 * @param ops how many operations
 * @param runs how often a device meets in them in one run of the program, where the loops say
 * @param bytes bytes of operands that a device hands in, each operation once
 * @param bytesOfRun bytes of operands in one run of the program, where the loops say
 */
public record CommRow(
    String kind,
    String groups,
    String loop,
    long ops,
    OptionalLong runs,
    long bytes,
    OptionalLong bytesOfRun) {

  /** Returns both rows as one; they agree in kind, groups and loop. */
  CommRow plus(CommRow other) {
    return new CommRow(
        kind,
        groups,
        loop,
        ops + other.ops,
        add(runs, other.runs),
        bytes + other.bytes,
        add(bytesOfRun, other.bytesOfRun));
  }

  /** Returns the sum, empty where a part is not known. */
  static OptionalLong add(OptionalLong left, OptionalLong right) {
    return left.isPresent() && right.isPresent()
        ? OptionalLong.of(left.getAsLong() + right.getAsLong())
        : OptionalLong.empty();
  }
}
