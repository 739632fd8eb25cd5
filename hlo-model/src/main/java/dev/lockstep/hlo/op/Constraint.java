package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Operation;

/**
 * A rule that an operation must satisfy.
 *
 * @param label the specification's label, {@code C1} for a constraint and {@code I1} for what it
 *     says of an input; the diagnostic code is {@code <op>-c1}
 * @param summary the rule in one line
 * @param check reports what is wrong under the code it is given
 */
public record Constraint(String label, String summary, Check check) {
  /** Looks at one operation. */
  public interface Check {
    /** Reports to {@code sink} under {@code code} what breaks the rule. */
    void check(Operation operation, String code, DiagnosticSink sink);

    /** Reports as {@link #check}, for rules that depend on what is around the operation. */
    default void check(Operation operation, Surroundings around, String code, DiagnosticSink sink) {
      check(operation, code, sink);
    }
  }

  /** Looks at one operation and what is around it. */
  public interface ModuleCheck extends Check {
    @Override
    void check(Operation operation, Surroundings around, String code, DiagnosticSink sink);

    @Override
    default void check(Operation operation, String code, DiagnosticSink sink) {
      throw new UnsupportedOperationException("this rule looks around");
    }
  }

  /** Looks at one operation and the code that it runs, wherever its syntax keeps that. */
  public interface BodyCheck extends ModuleCheck {
    /** Reports to {@code sink} under {@code code} what breaks the rule. */
    void check(Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink);

    @Override
    default void check(Operation operation, Surroundings around, String code, DiagnosticSink sink) {
      check(operation, Bodies.of(operation, around.module()), code, sink);
    }
  }
}
