package dev.lockstep.hlo.verify;

import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.Surroundings;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.shard.ShardyRules;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with a module: names that stand twice, values used where they are not
 * defined, blocks without terminators, calls that do not fit, and every op's own constraints.
 *
 * <p>Constraints of an operation are checked only where its structure is sound, so that they may
 * rely on it; one mistake is reported once.
 */
public final class Verifier {
  private final Module module;
  private final Surroundings around;
  private final DiagnosticSink sink;
  private final Set<Diagnostic> seen = new HashSet<>();

  private Verifier(Module module, DiagnosticSink sink) {
    this.module = module;
    this.around = new Surroundings(module);
    this.sink = sink;
  }

  /** Reports everything that is wrong with {@code module} to {@code sink}. */
  public static void verify(Module module, DiagnosticSink sink) {
    new Verifier(module, sink).run();
  }

  /**
   * Checks {@code module}.
   *
   * @throws DiagnosticException if anything is wrong with it
   */
  public static void verify(Module module) {
    DiagnosticSink sink = new DiagnosticSink();
    verify(module, sink);
    sink.throwIfErrors();
  }

  private void run() {
    DiagnosticSink structure = new DiagnosticSink();
    Structure.check(module, structure);
    Scopes.check(module, structure);
    forward(structure);
    boolean sound = !structure.hasErrors();
    module.operations().forEach(top -> top.walk(operation -> operation(operation, sound)));
  }

  private void operation(Operation operation, boolean sound) {
    DiagnosticSink own = new DiagnosticSink();
    Guard guard = new Guard(operation, own);
    if (sound) {
      guard.run(() -> Signatures.check(operation, module, own));
    }
    if (!own.hasErrors()) {
      for (Constraint constraint : operation.def().constraints()) {
        String code = operation.def().code(constraint);
        guard.run(() -> constraint.check().check(operation, around, code, own));
      }
    }
    guard.end();
    if (sound) {
      ShardyRules.checkAttributes(operation, around, own);
    }
    forward(own);
  }

  /**
   * Runs the checks of one operation. What is missing or malformed ends a check; it is reported
   * where no other check says more about it.
   */
  private static final class Guard {
    private final Operation operation;
    private final DiagnosticSink out;
    private @Nullable DiagnosticException missing;
    private @Nullable RuntimeException failure;

    Guard(Operation operation, DiagnosticSink out) {
      this.operation = operation;
      this.out = out;
    }

    void run(Runnable check) {
      try {
        check.run();
      } catch (DiagnosticException e) {
        if (e.diagnostics().get(0).code().equals(TensorRule.MISSING)) {
          missing = missing == null ? e : missing;
        } else {
          e.diagnostics().forEach(out::report);
        }
      } catch (ClassCastException | IndexOutOfBoundsException | IllegalArgumentException e) {
        failure = failure == null ? e : failure;
      }
    }

    void end() {
      if (!out.hasErrors() && missing != null) {
        missing.diagnostics().forEach(out::report);
      }
      if (!out.hasErrors() && failure != null) {
        throw new CompilerBug("checking " + operation, failure);
      }
    }
  }

  private void forward(DiagnosticSink from) {
    for (Diagnostic diagnostic : from.diagnostics()) {
      if (seen.add(diagnostic)) {
        sink.report(diagnostic);
      }
    }
  }

  /** Returns whether {@code operation} is a function with a body. */
  static boolean hasBody(Operation operation) {
    return operation.is(BuiltinOps.FUNC) && !new Function(operation).isDeclaration();
  }
}
