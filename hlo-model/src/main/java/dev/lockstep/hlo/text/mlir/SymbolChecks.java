package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that symbols are defined once and that calls name functions of the right type. */
final class SymbolChecks {
  private final DiagnosticSink sink = new DiagnosticSink();

  private SymbolChecks() {}

  static void check(Module module) {
    SymbolChecks checks = new SymbolChecks();
    checks.table(module.operations());
    checks.sink.throwIfErrors();
  }

  private void table(List<Operation> operations) {
    Map<String, Operation> symbols = new HashMap<>();
    for (Operation operation : operations) {
      if (operation.attribute(BuiltinOps.SYM_NAME) instanceof Attribute.Str) {
        String name = ((Attribute.Str) operation.attribute(BuiltinOps.SYM_NAME)).value();
        Operation before = symbols.putIfAbsent(name, operation);
        if (before != null) {
          sink.report(
              Diagnostic.error(
                      "redefined-symbol",
                      "redefinition of symbol named '" + name + "'",
                      operation.location())
                  .withNote("see existing symbol definition here", before.location()));
        }
      }
    }
    for (Operation operation : operations) {
      walk(operation, symbols);
    }
  }

  private void walk(Operation operation, Map<String, Operation> symbols) {
    if (operation.is(BuiltinOps.CALL)) {
      call(operation, symbols);
    }
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        if (operation.is(BuiltinOps.MODULE)) {
          table(block.operations());
          continue;
        }
        for (Operation inner : block.operations()) {
          walk(inner, symbols);
        }
      }
    }
  }

  private void call(Operation call, Map<String, Operation> symbols) {
    Attribute callee = call.attribute("callee");
    if (!(callee instanceof Attribute.Symbol) || ((Attribute.Symbol) callee).path().size() > 1) {
      return;
    }
    String name = ((Attribute.Symbol) callee).name();
    Operation function = symbols.get(name);
    if (function == null || !function.is(BuiltinOps.FUNC)) {
      sink.error(
          "unknown-callee", "'" + name + "' does not reference a valid function", call.location());
      return;
    }
    String wrong = wrong(call, function);
    if (wrong != null) {
      sink.report(
          Diagnostic.error("callee-type", wrong, call.location())
              .withNote("the function is here", function.location()));
    }
  }

  private static @Nullable String wrong(Operation call, Operation function) {
    Attribute type = function.attribute(BuiltinOps.FUNCTION_TYPE);
    if (!(type instanceof Attribute.TypeOf)
        || !(((Attribute.TypeOf) type).type() instanceof dev.lockstep.hlo.type.FunctionType)) {
      return null;
    }
    dev.lockstep.hlo.type.FunctionType signature =
        (dev.lockstep.hlo.type.FunctionType) ((Attribute.TypeOf) type).type();
    if (!signature.inputs().equals(call.operandTypes())) {
      return "operand type mismatch: the callee takes "
          + signature.inputs()
          + ", but the call gives "
          + call.operandTypes();
    }
    if (!signature.results().equals(call.resultTypes())) {
      return "result type mismatch: the callee gives "
          + signature.results()
          + ", but the call says "
          + call.resultTypes();
    }
    return null;
  }
}
