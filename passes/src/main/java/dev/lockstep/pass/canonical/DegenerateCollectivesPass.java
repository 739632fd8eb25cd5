package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.data.Copy;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassOption;
import dev.lockstep.pass.analysis.LoneGroups;
import dev.lockstep.pass.canonical.fold.Facts;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Removes collectives in which every device is alone. */
public final class DegenerateCollectivesPass implements Pass {
  /** The pass; it holds no state. */
  public static final DegenerateCollectivesPass INSTANCE = new DegenerateCollectivesPass();

  /** Whether counts that nobody gave are one. */
  public static final PassOption<Boolean> ASSUME_COUNTS =
      PassOption.flag(
          "assume-counts",
          false,
          "Take counts that neither module nor flags give for one, as XLA's own tools do");

  /** Whether pytorch/xla's f32 token is zero. */
  public static final PassOption<Boolean> ASSUME_ZERO_TOKEN =
      PassOption.flag(
          "assume-zero-token",
          false,
          "Take the f32 scalar that pytorch/xla threads through collectives for zero");

  private static final PassInfo INFO =
      PassInfo.of(
          "degenerate-collectives",
          "Removes collectives in which every device is alone",
          """
          A collective all of whose groups have one member gives each device what it brings: the
          results become the operands, a tuple of them where HLO has one. Asynchronous starts vanish
          with their done operations. A permute vanishes when every device sends to itself.

          How many devices a group has is computed by mode. Counts that are not known are not taken
          for one unless `assume-counts` says so; groups that are written out may suffice without
          them. A permute, broadcast or reduce that leaves a device out gives it zeros, so it stays.
          Multiplications that scale an average stay. Where a result has another layout than the
          operand, a copy changes it.

          Every rank runs the same text or at least the same groups, and a device alone in its group
          waits for nobody: no sequence that two devices share changes.

          `assume-zero-token` also takes pytorch/xla's numeric token for the zero that it is at run
          time: it is no longer added to operands (where it would turn -0.0 into 0.0), multiplied
          with results, nor reduced along. An all-reduce of one tensor and the token becomes an
          array all-reduce. Without the option, only constant zeros at the end of a sum of several
          go. All ranks drop the same operand of the same collective, so they still issue the same
          sequence.
          """,
          ASSUME_COUNTS,
          ASSUME_ZERO_TOKEN);

  private DegenerateCollectivesPass() {}

  @Override
  public PassInfo info() {
    return INFO;
  }

  @Override
  public Module run(Module module, PassContext context) {
    boolean assume = context.option(ASSUME_COUNTS);
    LoneGroups lone =
        new LoneGroups(
            known(context.replicas(module), assume), known(context.partitions(module), assume));
    Module current = module;
    while (true) {
      // Once a start is gone, its body is code like any other, and nobody's: each round removes a
      // collective, so that the rounds end.
      Module next = Rewriter.rewrite(current, new Alone(current, lone, context));
      if (next == current) {
        return NumericToken.removed(current, context.option(ASSUME_ZERO_TOKEN), context);
      }
      current = next;
    }
  }

  private static OptionalInt known(OptionalInt count, boolean assume) {
    return count.isEmpty() && assume ? OptionalInt.of(1) : count;
  }

  /** The rule that removes one collective, or one start and what ends it. */
  private static final class Alone implements Rewriter.Rule {
    private final Module module;
    private final LoneGroups lone;
    private final PassContext context;
    private final AsyncChains chains;
    private final Order order;

    Alone(Module module, LoneGroups lone, PassContext context) {
      this.module = module;
      this.lone = lone;
      this.context = context;
      this.chains = new AsyncChains(module);
      this.order = new Order(module);
    }

    @Override
    public @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
      if (operation.def().has(Trait.ASYNC)) {
        return rewriteAsync(operation, builder);
      }
      if (!operation.def().isCollective()
          || chains.isInBody(operation)
          || order.isFixed(operation)
          || !lone.isIdentity(operation)) {
        return null;
      }
      ImmutableList<Value> results =
          inPlaceOf(operation.resultTypes(), brought(operation), builder);
      if (results != null) {
        context.count("collectives removed", 1);
      }
      return results;
    }

    /** Returns the operands that hold data; a device alone is the root whatever a last one says. */
    private static ImmutableList<Value> brought(Operation collective) {
      int count = collective.operands().size();
      return Collectives.HAS_DYNAMIC_ROOT.getOr(collective, false)
          ? collective.operands().subList(0, count - 1)
          : collective.operands();
    }

    private @Nullable ImmutableList<Value> rewriteAsync(Operation operation, OpBuilder builder) {
      if (chains.isRemoved(operation.operands())) {
        return chains.isEnd(operation)
            ? end(operation, builder)
            // The value of an update is used by what ends the chain only, which asks for the chain.
            : chains.pass(operation);
      }
      Operation collective = Collectives.collective(operation, module);
      if (collective == null
          || order.isFixed(operation)
          || !chains.isWhole(operation)
          || !lone.isIdentity(collective)) {
        return null;
      }
      ImmutableList<Value> values = chains.operands(operation, collective);
      if (values == null || !fits(chains.endTypes(operation), values)) {
        return null;
      }
      context.count("collectives removed", 1);
      return chains.remove(operation, values);
    }

    private ImmutableList<Value> end(Operation done, OpBuilder builder) {
      return java.util.Objects.requireNonNull(
          inPlaceOf(done.resultTypes(), chains.values(done), builder));
    }

    private boolean fits(ImmutableList<Type> wanted, ImmutableList<Value> values) {
      ImmutableList<Type> flat = flat(wanted, values.size());
      for (int i = 0; i < flat.size(); i++) {
        if (flat.size() != values.size() || !flat.get(i).isSameShape(values.get(i).type())) {
          return false;
        }
      }
      return flat.size() == values.size();
    }

    /** Returns values of {@code wanted} types that hold {@code values}, or null if none can. */
    private @Nullable ImmutableList<Value> inPlaceOf(
        ImmutableList<Type> wanted, ImmutableList<Value> values, OpBuilder builder) {
      if (!fits(wanted, values)) {
        return null;
      }
      ImmutableList<Type> flat = flat(wanted, values.size());
      ImmutableList.Builder<Value> out = ImmutableList.builder();
      for (int i = 0; i < values.size(); i++) {
        Value value = values.get(i);
        boolean same =
            module.syntax() != Syntax.HLO || Facts.isInterchangeable(value.type(), flat.get(i));
        out.add(
            same
                ? value
                : builder.emit(Copy.DEF, ImmutableList.of(value), flat.get(i), Attributes.EMPTY));
      }
      ImmutableList<Value> results = out.build();
      boolean isTuple = wanted.size() == 1 && wanted.get(0) instanceof TupleType;
      return isTuple ? ImmutableList.of(builder.tuple(results)) : results;
    }

    /** Returns the element types of HLO's tuple of results. */
    private static ImmutableList<Type> flat(ImmutableList<Type> types, int count) {
      return types.size() == 1 && types.get(0) instanceof TupleType tuple && count > 0
          ? tuple.elements()
          : types;
    }
  }
}
