package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassOption;
import dev.lockstep.pass.analysis.Effects;
import dev.lockstep.pass.canonical.fold.Facts;
import dev.lockstep.pass.canonical.fold.FoldArithmetic;
import dev.lockstep.pass.canonical.fold.FoldConstants;
import dev.lockstep.pass.canonical.fold.FoldRule;
import dev.lockstep.pass.canonical.fold.FoldShapes;
import dev.lockstep.pass.canonical.fold.FoldTuples;
import org.jspecify.annotations.Nullable;

/** Folds constants and removes what does nothing. */
public final class CanonicalizePass implements Pass {
  /** The pass; it holds no state. */
  public static final CanonicalizePass INSTANCE = new CanonicalizePass();

  /** The size of constants that folding may make. */
  public static final PassOption<Long> MAX_ELEMENTS =
      PassOption.integer(
          "max-elements", 256, 1, "How many elements a folded constant may have, splats aside");

  /**
   * The most rounds. Each round that changes anything removes an operation or makes one a constant,
   * and one round settles all but chains of reshapes and transposes, whose depth halves.
   */
  private static final int ROUNDS = 64;

  private static final ImmutableList<FoldRule> RULES =
      ImmutableList.of(
          new FoldTuples(), new FoldShapes(), new FoldArithmetic(), new FoldConstants());

  private static final PassInfo INFO =
      PassInfo.of(
          "canonicalize",
          "Folds constants and removes what does nothing",
          """
          Operations on small constants are computed: masks, tables and index arithmetic, which
          lowerings leave behind. Reshapes, slices, transposes, broadcasts, converts and pads that
          move nothing go, as do elements of tuples that were just made, selects whose predicate is
          known, and arithmetic with neutral elements.

          All of it is exact to the bit: x + 0.0 stays, because it turns -0.0 into 0.0, and of
          operations on float constants only those fold whose result IEEE 754 fixes. Collectives,
          and whatever else has an effect, are not touched. What carries a sharding stays, since the
          annotation would be lost. What is left unused is `dce`'s to remove.
          """,
          MAX_ELEMENTS);

  private CanonicalizePass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    Module current = module;
    for (int round = 0; round < ROUNDS; round++) {
      Module next = Rewriter.rewrite(current, new Fold(current, context));
      if (next == current) {
        return current;
      }
      current = next;
    }
    throw new CompilerBug("canonicalize did not settle in " + ROUNDS + " rounds");
  }

  /** Applies the first rule that fits and notes what every operation defines. */
  private static final class Fold implements Rewriter.Rule {
    private final PassContext context;
    private final Effects effects;
    private final Order order;
    private final Facts facts;

    Fold(Module module, PassContext context) {
      this.context = context;
      this.effects = new Effects(module);
      this.order = new Order(module);
      this.facts = new Facts(context.option(MAX_ELEMENTS));
    }

    @Override
    public @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
      if (mayFold(operation)) {
        for (FoldRule rule : RULES) {
          ImmutableList<Value> values = rule.apply(operation, facts, builder);
          if (values != null) {
            builder.operations().forEach(facts::define);
            context.count(rule.getClass().getSimpleName(), 1);
            return values;
          }
        }
      }
      facts.define(operation);
      return null;
    }

    private boolean mayFold(Operation operation) {
      return operation.regions().isEmpty()
          && !order.isFixed(operation)
          && operation.attribute("sharding") == null
          && operation.attribute("mhlo.sharding") == null
          && operation.attribute("sdy.sharding") == null
          && effects.mayMerge(operation);
    }
  }
}
