package dev.lockstep.pass.canonical.fold;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.control.TupleOp;
import org.jspecify.annotations.Nullable;

/**
 * Tuples that are taken apart again: an element of a tuple is what was put in, and a tuple of all
 * elements of one is that one.
 */
public final class FoldTuples implements FoldRule {
  /** Creates the rule. */
  public FoldTuples() {}

  @Override
  public @Nullable ImmutableList<Value> apply(Operation operation, Facts facts, OpBuilder builder) {
    if (operation.is(GetTupleElement.DEF)) {
      Operation tuple = facts.definition(operation.operand(0));
      if (tuple == null || !tuple.is(TupleOp.DEF)) {
        return null;
      }
      Value element = tuple.operand(Math.toIntExact(GetTupleElement.INDEX.get(operation)));
      return Facts.isInterchangeable(element.type(), operation.result().type())
          ? ImmutableList.of(element)
          : null;
    }
    return operation.is(TupleOp.DEF) ? whole(operation, facts) : null;
  }

  private static @Nullable ImmutableList<Value> whole(Operation tuple, Facts facts) {
    Value source = null;
    for (int i = 0; i < tuple.operands().size(); i++) {
      Operation element = facts.definition(tuple.operand(i));
      if (element == null
          || !element.is(GetTupleElement.DEF)
          || GetTupleElement.INDEX.get(element) != i
          || source != null && source != element.operand(0)) {
        return null;
      }
      source = element.operand(0);
    }
    return source != null && Facts.isInterchangeable(source.type(), tuple.result().type())
        ? ImmutableList.of(source)
        : null;
  }
}
