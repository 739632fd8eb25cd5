package dev.lockstep.hlo.flat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.Type;
import java.util.List;

/**
 * A program whose entry function takes and gives tensors alone: of tuples the leaves in order, of
 * tokens nothing. In HLO, where a computation gives one value, a tuple of results becomes a flat
 * tuple. Shardings, replications, aliases, donations and layouts are said of the leaves.
 *
 * @param module the flat program; the one that was given if that is flat
 * @param arguments what the entry function took
 * @param results what it gave
 */
public record FlatEntry(Module module, ImmutableList<Type> arguments, ImmutableList<Type> results) {

  /**
   * Returns {@code module} with a flat entry function.
   *
   * @throws DiagnosticException if it has no entry function, if its shardings do not fit the tuples
   *     on which they stand, or if something in the program calls the entry function
   */
  public static FlatEntry of(Module module) {
    Function entry = module.requireEntry();
    ImmutableList<Type> arguments =
        entry.parameters().stream().map(Value::type).collect(ImmutableList.toImmutableList());
    ImmutableList<Type> results = entry.resultTypes();
    boolean isFlat =
        arguments.stream().allMatch(Leaf::isFlat)
            && results.stream()
                .allMatch(module.syntax() == Syntax.HLO ? HloEntry::isFlatResult : Leaf::isFlat);
    return new FlatEntry(
        isFlat ? module : flatten(module, entry, arguments, results), arguments, results);
  }

  private static Module flatten(
      Module module, Function entry, List<Type> arguments, List<Type> results) {
    checkNotCalled(module, entry);
    Numbering parameters = Numbering.of(arguments);
    Numbering given = Numbering.of(results);
    BuildScope scope = BuildScope.of(module);
    try {
      if (module.syntax() == Syntax.HLO) {
        boolean givesTuple = !Leaf.isFlat(results.get(0));
        Function flat = entry.withBody(HloEntry.flatten(entry.body(), scope, parameters));
        Attributes header =
            new Headers(parameters, given, givesTuple).hlo(module.attributes(), module.location());
        return module.mapEntry(old -> flat).withAttributes(header);
      }
      Function flat = MlirEntry.flatten(entry, scope, parameters, given);
      return module
          .mapEntry(old -> flat)
          .withAttributes(
              new Headers(parameters, given, given.size() != 1).mlir(module.attributes()));
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "sharding", String.valueOf(e.getMessage()), entry.operation().location());
    }
  }

  private static void checkNotCalled(Module module, Function entry) {
    module.walk(
        operation -> {
          if (Bodies.callees(operation).contains(entry.name())) {
            throw DiagnosticException.error(
                "flatten-entry",
                "the entry function cannot be made flat: it is called here as it is",
                operation.location());
          }
        });
  }
}
