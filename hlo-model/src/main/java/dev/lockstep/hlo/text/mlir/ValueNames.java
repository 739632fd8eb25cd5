package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers values as MLIR's printer does: {@code %0}, {@code %arg0}, and the names that ops suggest,
 * made unique. A region is numbered before the regions in it, which go on from its counters.
 */
final class ValueNames {
  private final Map<Value, String> names = new IdentityHashMap<>();
  private final Set<String> used = new HashSet<>();
  private int nextValue;
  private int nextArgument;
  private int nextConflict;

  /** Names everything within {@code operations}, which stand at the top level. */
  ValueNames(List<Operation> operations) {
    for (Operation operation : operations) {
      results(operation);
    }
    List<String> own = new ArrayList<>();
    nested(operations, own);
  }

  /** Returns the name of {@code value} as an operand, with its percent sign. */
  String of(Value value) {
    String name = names.get(value);
    return name == null ? "%<<UNKNOWN SSA VALUE>>" : name;
  }

  private void nested(List<Operation> operations, List<String> own) {
    int value = nextValue;
    int argument = nextArgument;
    int conflict = nextConflict;
    for (Operation operation : operations) {
      for (Region region : operation.regions()) {
        nextValue = value;
        nextArgument = argument;
        nextConflict = conflict;
        region(region, operation);
      }
    }
    used.removeAll(own);
  }

  private void region(Region region, Operation parent) {
    if (region.isEmpty()) {
      return;
    }
    List<String> own = new ArrayList<>();
    String suggested = MlirAssembly.of(parent.def()).argumentName();
    for (int b = 0; b < region.blocks().size(); b++) {
      Block block = region.blocks().get(b);
      for (Value argument : block.arguments()) {
        if (b == 0 && suggested != null) {
          names.put(argument, "%" + unique(suggested, own));
        }
      }
    }
    List<Operation> all = new ArrayList<>();
    for (int b = 0; b < region.blocks().size(); b++) {
      Block block = region.blocks().get(b);
      for (Value argument : block.arguments()) {
        if (!names.containsKey(argument)) {
          names.put(
              argument, "%" + (b == 0 ? unique("arg" + nextArgument++, own) : "" + nextValue++));
        }
      }
      for (Operation operation : block.operations()) {
        results(operation, own);
      }
      all.addAll(block.operations());
    }
    boolean deeper = false;
    for (Operation operation : all) {
      deeper |= !operation.regions().isEmpty();
    }
    if (deeper) {
      nested(all, own);
    } else {
      used.removeAll(own);
    }
  }

  private void results(Operation operation) {
    results(operation, new ArrayList<>());
  }

  private void results(Operation operation, List<String> own) {
    int count = operation.results().size();
    if (count == 0) {
      return;
    }
    MlirAssembly assembly = MlirAssembly.of(operation.def());
    String suggested = assembly.resultName(0, isInteger(operation.results().get(0).type()));
    if (count > 1 && suggested != null) {
      for (int i = 0; i < count; i++) {
        String name = assembly.resultName(i, false);
        names.put(operation.results().get(i), "%" + unique(name == null ? suggested : name, own));
      }
      return;
    }
    String base = suggested == null ? "%" + nextValue++ : "%" + unique(suggested, own);
    if (count == 1) {
      names.put(operation.results().get(0), base);
      return;
    }
    for (int i = 0; i < count; i++) {
      names.put(operation.results().get(i), base + "#" + i);
    }
  }

  private static boolean isInteger(Type type) {
    if (!(type instanceof TensorType)) {
      return false;
    }
    TensorType tensor = (TensorType) type;
    return tensor.element().isInteger() || tensor.element().isBool();
  }

  private String unique(String name, List<String> own) {
    String candidate = name;
    while (!used.add(candidate)) {
      candidate = name + "_" + nextConflict++;
    }
    own.add(candidate);
    return candidate;
  }
}
