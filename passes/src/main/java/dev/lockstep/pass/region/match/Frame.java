package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One block that a rank is running: where it is, and what is known of the block's values. */
final class Frame {
  /** A loop that a frame is in. */
  static final class Loop {
    /** The values that the next round gets. */
    ImmutableList<Sym> carried;

    /** Why its rounds cannot be taken all at once; null until that was tried in vain. */
    @Nullable Failure unlike;

    Loop(ImmutableList<Sym> carried) {
      this.carried = carried;
    }
  }

  final Steps module;
  final Block block;
  final ImmutableList<Steps.Step> steps;

  /** The frame whose values the block may use besides its own; null in functions. */
  final @Nullable Frame outer;

  /** The frame that goes on after this one; null at the bottom. */
  final @Nullable Frame caller;

  final ImmutableList<Sym> arguments;

  /** The next step. */
  int position;

  /** The loop that the step at {@link #position} is, while it runs. */
  @Nullable Loop loop;

  /** What operations started and later ones wait for. */
  final Map<Operation, Wait> started = new IdentityHashMap<>();

  /** What came of operations that communicate. */
  final Map<Operation, ImmutableList<Sym>> outcomes = new IdentityHashMap<>();

  /** What came of operations that do not. */
  final Map<Operation, ImmutableList<Sym>> values = new IdentityHashMap<>();

  Frame(
      Steps module,
      Block block,
      @Nullable Frame outer,
      @Nullable Frame caller,
      ImmutableList<Sym> arguments) {
    this.module = module;
    this.block = block;
    this.steps = module.of(block);
    this.outer = outer;
    this.caller = caller;
    this.arguments = arguments;
  }
}
