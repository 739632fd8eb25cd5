package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Blocks of the programs that correspond. */
public final class AlignedBlock {
  private final ImmutableList<Block> blocks;
  private final ImmutableList<AlignedValue> arguments;
  private final List<AlignedOp> found = new ArrayList<>();
  private @Nullable AlignedValue root;

  AlignedBlock(ImmutableList<Block> blocks, ImmutableList<AlignedValue> arguments) {
    this.blocks = blocks;
    this.arguments = arguments;
  }

  /** Returns the block of the first rank's program. */
  public Block base() {
    return blocks.get(0);
  }

  /** Returns the block arguments; empty in HLO, where parameters are operations. */
  public ImmutableList<AlignedValue> arguments() {
    return arguments;
  }

  /** Returns the operations, in the order of the first rank's program. */
  public ImmutableList<AlignedOp> operations() {
    // An operation is found after those it uses, so a stable sort keeps uses behind definitions.
    return ImmutableList.sortedCopyOf(Comparator.comparingInt(AlignedOp::position), found);
  }

  /** Returns HLO's ROOT, or null in MLIR. */
  public @Nullable AlignedValue root() {
    return root;
  }

  void add(AlignedOp operation) {
    found.add(operation);
  }

  void setRoot(AlignedValue value) {
    root = value;
  }
}
