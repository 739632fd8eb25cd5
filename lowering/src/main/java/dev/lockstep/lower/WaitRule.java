package dev.lockstep.lower;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that a value which is waited for is used only through its wait: in torch any other use may
 * see a tensor that is not complete.
 */
final class WaitRule {
  private WaitRule() {}

  /** Looks at the uses in {@code block} itself. */
  static void check(Block block) {
    Map<Value, Operation> waits = new HashMap<>();
    for (Operation operation : block.operations()) {
      if (isWait(operation) && operation.operands().size() == 1) {
        waits.putIfAbsent(operation.operand(0), operation);
      }
    }
    if (waits.isEmpty()) {
      return;
    }
    Map<Value, Operation> calls = new HashMap<>();
    for (Operation operation : block.operations()) {
      for (Value operand : operation.operands()) {
        Operation wait = waits.get(operand);
        if (wait != null && !isWait(operation) && calls.containsKey(operand)) {
          throw new DiagnosticException(
              Diagnostic.error(
                      "c10d-wait",
                      "the result of a collective is used beside its wait_tensor",
                      operation.location())
                  .withNote("waited for here", wait.location()));
        }
      }
      if (CallReader.isCall(operation) && !isWait(operation)) {
        operation.results().forEach(result -> calls.put(result, operation));
      }
    }
  }

  private static boolean isWait(Operation operation) {
    return CallReader.isCall(operation)
        && CallReader.config(operation).target().equals(WaitTensorLowering.TARGET);
  }
}
