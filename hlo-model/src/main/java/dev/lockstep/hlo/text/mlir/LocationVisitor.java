package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.MlirAssembly;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows the locations of a module to {@link LocationAliases} in the order of printing. */
final class LocationVisitor {
  private final LocationAliases aliases;

  LocationVisitor(LocationAliases aliases) {
    this.aliases = aliases;
  }

  /** Returns whether anything in {@code module} has a location. */
  static boolean hasLocations(Module module) {
    return module.debugLocation() != null || any(module.operations());
  }

  private static boolean any(List<Operation> operations) {
    for (Operation operation : operations) {
      if (operation.debugLocation() != null) {
        return true;
      }
      for (Region region : operation.regions()) {
        for (Block block : region.blocks()) {
          if (!block.argumentLocations().isEmpty() || any(block.operations())) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Returns the location of an argument. */
  static Attribute ofArgument(Block block, int i) {
    return i < block.argumentLocations().size()
        ? block.argumentLocations().get(i)
        : Locations.UNKNOWN;
  }

  void visit(Module module) {
    visit(module.debugLocation());
    operations(module.operations());
  }

  private void visit(@Nullable Attribute location) {
    aliases.visit(location == null ? Locations.UNKNOWN : location, true);
  }

  private void operations(List<Operation> operations) {
    for (Operation operation : operations) {
      visit(operation.debugLocation());
      MlirAssembly assembly = MlirAssembly.of(operation.def());
      if (assembly.isCustom() && FormatWriter.isCompactReduce(assembly, operation)) {
        continue;
      }
      boolean arguments =
          operation.is(BuiltinOps.FUNC) || !assembly.isCustom() || assembly.argumentName() == null;
      for (Region region : operation.regions()) {
        for (Block block : region.blocks()) {
          for (int i = 0; arguments && i < block.arguments().size(); i++) {
            aliases.visit(ofArgument(block, i), false);
          }
          operations(block.operations());
        }
      }
    }
  }
}
