package dev.lockstep.pass.canonical.fold;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.data.BroadcastInDim;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.op.data.Iota;
import dev.lockstep.hlo.op.elementwise.Abs;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.Convert;
import dev.lockstep.hlo.op.elementwise.Divide;
import dev.lockstep.hlo.op.elementwise.Maximum;
import dev.lockstep.hlo.op.elementwise.Minimum;
import dev.lockstep.hlo.op.elementwise.Multiply;
import dev.lockstep.hlo.op.elementwise.Negate;
import dev.lockstep.hlo.op.elementwise.Select;
import dev.lockstep.hlo.op.elementwise.Subtract;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Computes operations on constants with the meaning that the interpreter gives them.
 *
 * <p>Of operations on floats only those fold whose result IEEE 754 fixes to the bit, and those that
 * only move data; an exponential may differ from the one the device would compute.
 */
public final class FoldConstants implements FoldRule {
  private static final ImmutableSet<OpDef> EXACT =
      ImmutableSet.of(
          Abs.DEF,
          Add.DEF,
          Convert.DEF,
          Divide.DEF,
          Maximum.DEF,
          Minimum.DEF,
          Multiply.DEF,
          Negate.DEF,
          Select.DEF,
          Subtract.DEF);

  /** Creates the rule. */
  public FoldConstants() {}

  @Override
  public @Nullable ImmutableList<Value> apply(Operation operation, Facts facts, OpBuilder builder) {
    if (!(operation.def().semantics() instanceof Semantics.Local meaning)
        || !mayFold(operation, facts, builder)) {
      return null;
    }
    ImmutableList.Builder<Datum> operands = ImmutableList.builder();
    for (Value operand : operation.operands()) {
      Literal literal = facts.constant(operand);
      if (literal == null) {
        return null;
      }
      operands.add(literal);
    }
    Datum result;
    try {
      result = meaning.eval(operation, operands.build()).get(0);
    } catch (DiagnosticException | IllegalArgumentException e) {
      // The program says something that has no meaning; that it says it is not ours to hide.
      return null;
    }
    return result instanceof Literal literal
        ? ImmutableList.of(constant(literal, (TensorType) operation.result().type(), builder))
        : null;
  }

  private static boolean mayFold(Operation operation, Facts facts, OpBuilder builder) {
    if (operation.is(Constant.DEF)
        || operation.is(Iota.DEF)
        || operation.operands().isEmpty()
        || operation.results().size() != 1
        || !(operation.result().type() instanceof TensorType type)
        || !type.isStatic()) {
      return false;
    }
    if (builder.scope().isHlo()
        && operation.is(BroadcastInDim.DEF)
        && ((TensorType) operation.operand(0).type()).rank() == 0) {
      // HLO text has no splats: the broadcast of a scalar is the short form already.
      return false;
    }
    // A splat stays one number whatever its shape, where the syntax can say so.
    boolean small = type.count() <= facts.maxElements();
    if (!small
        && !(operation.is(BroadcastInDim.DEF) && facts.splat(operation.operand(0)) != null)) {
      return false;
    }
    return !hasFloats(operation)
        || !operation.def().has(Trait.ELEMENTWISE)
        || EXACT.contains(operation.def());
  }

  private static boolean hasFloats(Operation operation) {
    if (isFloat(operation.result().type())) {
      return true;
    }
    for (Type operand : operation.operandTypes()) {
      if (isFloat(operand)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isFloat(Type type) {
    return !(type instanceof TensorType tensor)
        || tensor.element().isFloat()
        || tensor.element().isComplex();
  }

  /** Builds a constant of {@code type}, a splat where all elements are the same. */
  static Value constant(Literal literal, TensorType type, OpBuilder builder) {
    Literal uniform = literal.count() > 1 ? Facts.uniform(literal) : null;
    if (uniform != null && builder.scope().isHlo()) {
      return builder.broadcastInDim(builder.constant(uniform), type);
    }
    Literal stored =
        uniform == null ? literal.dense() : Literal.splat(literal.type(), uniform.rawStorage());
    return builder.emit(
        Constant.DEF,
        ImmutableList.of(),
        type,
        Attributes.of("value", new Attribute.Dense(stored, type)));
  }
}
