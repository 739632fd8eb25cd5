package dev.lockstep.hlo.ir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;

/**
 * The code that an operation runs, wherever its syntax keeps it: regions in MLIR, computations
 * named by attributes in HLO and in calls.
 */
public final class Bodies {
  private Bodies() {}

  /**
   * Returns the bodies of {@code operation} in the order its definition lists them: its regions, or
   * the bodies of the functions that its {@link dev.lockstep.hlo.op.OpDef#bodyAttributes} name.
   *
   * @throws DiagnosticException if a name has no function in {@code module}
   */
  public static ImmutableList<Block> of(Operation operation, Module module) {
    ImmutableList.Builder<Block> out = ImmutableList.builder();
    if (!operation.regions().isEmpty()) {
      for (Region region : operation.regions()) {
        if (!region.isEmpty()) {
          out.add(region.entry());
        }
      }
      return out.build();
    }
    for (String callee : callees(operation)) {
      out.add(resolve(callee, operation, module).body());
    }
    return out.build();
  }

  /** Returns the names of the functions that {@code operation} runs, in order. */
  public static ImmutableList<String> callees(Operation operation) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (String name : operation.def().bodyAttributes()) {
      Attribute value = operation.attribute(name);
      if (value instanceof Attribute.Symbol) {
        out.add(((Attribute.Symbol) value).name());
      } else if (value instanceof Attribute.Array) {
        for (Attribute element : ((Attribute.Array) value).elements()) {
          if (element instanceof Attribute.Symbol) {
            out.add(((Attribute.Symbol) element).name());
          }
        }
      }
    }
    return out.build();
  }

  private static Function resolve(String name, Operation operation, Module module) {
    Function function =
        module
            .function(name)
            .orElseThrow(
                () ->
                    DiagnosticException.error(
                        "unknown-callee",
                        "no function or computation is called " + name,
                        operation.location()));
    if (function.isDeclaration()) {
      throw DiagnosticException.error(
          "unknown-callee", name + " is declared but has no body", operation.location());
    }
    return function;
  }
}
