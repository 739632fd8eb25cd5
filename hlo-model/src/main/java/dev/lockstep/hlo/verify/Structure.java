package dev.lockstep.hlo.verify;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef.Trait;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Symbols are unique, blocks end with terminators, computations have a root and parameters. */
final class Structure {
  private Structure() {}

  static void check(Module module, DiagnosticSink sink) {
    Map<String, Location> names = new HashMap<>();
    for (Operation operation : module.operations()) {
      Attribute name = operation.attribute(BuiltinOps.SYM_NAME);
      if (name instanceof Attribute.Str) {
        Location before = names.putIfAbsent(((Attribute.Str) name).value(), operation.location());
        if (before != null) {
          sink.report(
              Diagnostic.error(
                      "redefined-symbol",
                      ((Attribute.Str) name).value() + " is defined twice",
                      operation.location())
                  .withNote("it is defined here", before));
        }
      }
      if (module.syntax() == Syntax.STABLEHLO) {
        terminators(operation, sink);
      } else if (Verifier.hasBody(operation)) {
        computation(new Function(operation), sink);
      }
    }
    if (module.entry() != null && module.function(module.entry()).isEmpty()) {
      sink.error("no-entry", "there is no computation called " + module.entry(), module.location());
    }
  }

  private static void terminators(Operation operation, DiagnosticSink sink) {
    boolean known = !operation.def().has(Trait.UNREGISTERED) && !operation.is(BuiltinOps.MODULE);
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        Operation last = block.last();
        if (known
            && (last == null
                || !last.def().isTerminator() && !last.def().has(Trait.UNREGISTERED))) {
          sink.error(
              "no-terminator",
              String.format(
                  "a block of %s must end with an operation that gives its results back, %s",
                  operation.def().name(),
                  last == null ? "it is empty" : "not with " + last.def().name()),
              last == null ? operation.location() : last.location());
        }
        for (Operation inner : block.operations()) {
          if (inner != last && inner.def().isTerminator()) {
            sink.error(
                "misplaced-terminator",
                inner.def().name() + " must be the last operation of its block",
                inner.location());
          }
          terminators(inner, sink);
        }
      }
    }
  }

  private static void computation(Function function, DiagnosticSink sink) {
    Block block = function.body();
    Operation root = block.root();
    if (root == null || !block.operations().contains(root)) {
      sink.error(
          "no-root",
          function.name() + " has no root among its instructions",
          function.operation().location());
    }
    TreeMap<Long, Location> numbers = new TreeMap<>();
    for (Operation operation : block.operations()) {
      if (!operation.is(BuiltinOps.PARAMETER)) {
        continue;
      }
      Attribute number = operation.attribute(BuiltinOps.PARAMETER_NUMBER);
      if (!(number instanceof Attribute.Int)) {
        sink.error("parameter-number", "a parameter must have a number", operation.location());
        continue;
      }
      long value = ((Attribute.Int) number).value();
      Location before = numbers.putIfAbsent(value, operation.location());
      if (before != null) {
        sink.report(
            Diagnostic.error(
                    "parameter-number",
                    "parameter " + value + " is defined twice",
                    operation.location())
                .withNote("it is defined here", before));
      }
    }
    long next = 0;
    for (Map.Entry<Long, Location> number : numbers.entrySet()) {
      if (number.getKey() != next) {
        sink.error(
            "parameter-number",
            String.format("parameter %d follows %d", number.getKey(), next - 1),
            number.getValue());
        return;
      }
      next++;
    }
  }
}
