package dev.lockstep.pass.canonical;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.Convert;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.PassContext;
import dev.lockstep.pass.canonical.fold.Facts;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes the numeric token that pytorch/xla threads through collectives to keep their order: an
 * f32 scalar, zero at run time, that is added to operands, reduced along as the last operand of
 * all-reduces, and multiplied with results. The order that it stood for is program order, which no
 * pass changes.
 *
 * <p>{@code zero} holds the values that are zero in every element; of them {@code assumed} those
 * that are so because the token is, rather than because they are constants.
 */
final class NumericToken implements Rewriter.Rule {
  private final Module module;
  private final PassContext context;
  private final Order order;
  private final Facts facts = new Facts(1);
  private final Set<Value> zero = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Value> assumed = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Value, Integer> zeroElement = new IdentityHashMap<>();

  private NumericToken(Module module, boolean assume, PassContext context) {
    this.module = module;
    this.context = context;
    this.order = new Order(module);
    if (assume) {
      assumed.addAll(TokenSearch.tokens(module));
      zero.addAll(assumed);
    }
  }

  /** Returns {@code module} without its token; the same object when it has none. */
  static Module removed(Module module, boolean assume, PassContext context) {
    return Rewriter.rewrite(module, new NumericToken(module, assume, context));
  }

  @Override
  public @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    facts.define(operation);
    if (operation.is(AllReduce.DEF)) {
      return withoutToken(operation, builder);
    }
    if (operation.results().size() != 1) {
      return null;
    }
    Value result = operation.result();
    if (isConstantZero(result)) {
      zero.add(result);
      return null;
    }
    if (operation.is(Convert.DEF)
        || operation.is(Reshape.DEF)
        || operation.is(BroadcastInDim.DEF)) {
      passOn(operation.operand(0), result);
      return null;
    }
    if (operation.is(GetTupleElement.DEF)) {
      Integer index = zeroElement.get(operation.operand(0));
      if (index != null && GetTupleElement.INDEX.get(operation) == index.longValue()) {
        zero.add(result);
        assumed.add(result);
      }
      return null;
    }
    Value token = assumedOperand(operation);
    if (token == null) {
      return null;
    }
    Value other = operation.operand(operation.operand(0) == token ? 1 : 0);
    Value kept = operation.is(Add.DEF) ? other : token;
    return Facts.isInterchangeable(kept.type(), result.type()) ? ImmutableList.of(kept) : null;
  }

  private void passOn(Value from, Value to) {
    if (zero.contains(from)) {
      zero.add(to);
    }
    if (assumed.contains(from)) {
      assumed.add(to);
    }
  }

  private boolean isConstantZero(Value value) {
    Literal uniform = facts.splat(value);
    return uniform != null
        && (uniform.element().isFloat()
            ? Double.doubleToRawLongBits(uniform.getDouble(0)) == 0
            : !uniform.element().isComplex() && uniform.getLong(0) == 0);
  }

  /** Returns the operand of a sum or product that is zero because the token is, or null. */
  private @Nullable Value assumedOperand(Operation operation) {
    if (!operation.is(Add.DEF) && !operation.is(Multiply.DEF)) {
      return null;
    }
    Value left = operation.operand(0);
    return assumed.contains(left)
        ? left
        : assumed.contains(operation.operand(1)) ? operation.operand(1) : null;
  }

  /**
   * Drops the last operand of a sum of several when it is zero: zeros of all members sum to zero.
   * Every rank runs this text and drops the same operand, so all still meet in the same all-reduce.
   */
  private @Nullable ImmutableList<Value> withoutToken(Operation sum, OpBuilder builder) {
    int last = sum.operands().size() - 1;
    if (last < 1
        || !zero.contains(sum.operand(last))
        || order.isFixed(sum)
        || Collectives.reduction(sum, module) != ReductionKind.ADD) {
      return null;
    }
    ImmutableList<Type> types =
        sum.results().size() == 1 ? elements(sum.result().type()) : sum.resultTypes();
    if (types.size() != last + 1) {
      return null;
    }
    context.count("token operands removed", 1);
    ImmutableList<Value> results =
        builder.emitAll(
            sum.def(),
            sum.operands().subList(0, last),
            types.subList(0, last),
            sum.attributes(),
            sum.regions());
    ImmutableList<Value> all =
        ImmutableList.<Value>builder().addAll(results).add(sum.operand(last)).build();
    if (sum.results().size() > 1) {
      return all;
    }
    Value tuple = builder.tuple(all);
    if (assumed.contains(sum.operand(last))) {
      zeroElement.put(tuple, last);
    }
    return ImmutableList.of(tuple);
  }

  private static ImmutableList<Type> elements(Type type) {
    return type instanceof TupleType tuple ? tuple.elements() : ImmutableList.of(type);
  }
}
