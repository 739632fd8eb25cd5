package dev.lockstep.hlo.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.type.TensorType;

/**
 * A module that is compiled by itself. Ranks that hold the same segment object compile the same
 * text.
 *
 * <p>What it takes and gives are tensors: tuples are taken apart, and a token needs no passing on,
 * since segments run one after the other.
 *
 * @param name unique in a plan, and a file name without its ending
 * @param kind what it holds
 * @param module the text; its entry function takes and gives the tensors below
 * @param inputs types of the tensors that it takes, in order
 * @param outputs types of the tensors that it gives, in order
 * @param collectives names of the ops that communicate, in program order, as its syntax calls them;
 *     those in loops and branches included
 * @param donated indices of inputs whose memory the segment may take over; whoever gave them must
 *     not read them again
 */
public record Segment(
    String name,
    SegmentKind kind,
    Module module,
    ImmutableList<TensorType> inputs,
    ImmutableList<TensorType> outputs,
    ImmutableList<String> collectives,
    ImmutableSortedSet<Integer> donated) {

  /** Checks that the parts fit each other. */
  public Segment {
    checkArgument(name.matches("[A-Za-z0-9_][A-Za-z0-9_.-]*"), "%s is no name for a segment", name);
    requireNonNull(module);
    checkArgument(
        (kind == SegmentKind.COMPUTE) == collectives.isEmpty(),
        "segment %s is called %s and holds %s collectives",
        name,
        kind.word(),
        collectives.size());
    checkArgument(
        donated.isEmpty() || donated.first() >= 0 && donated.last() < inputs.size(),
        "segment %s has %s inputs and donates %s",
        name,
        inputs.size(),
        donated);
  }

  /** Returns whether it communicates. */
  public boolean communicates() {
    return kind != SegmentKind.COMPUTE;
  }

  /** Returns this segment with another text that takes and gives the same. */
  public Segment withModule(Module newModule) {
    return new Segment(name, kind, newModule, inputs, outputs, collectives, donated);
  }
}
