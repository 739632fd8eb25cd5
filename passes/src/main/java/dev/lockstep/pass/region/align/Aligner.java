package dev.lockstep.pass.region.align;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.BuiltinOps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts whole programs side by side, function by function from the entry on. */
final class Aligner {
  private final ProgramClasses classes;
  private final ImmutableList<Definitions> definitions;
  private final Partings partings;
  private final ValueAligner values;
  private final Map<ImmutableList<Operation>, AlignedFunction> functions = new LinkedHashMap<>();
  private final Set<ImmutableList<Operation>> open = new HashSet<>();

  Aligner(ProgramClasses classes) {
    this.classes = classes;
    ImmutableList.Builder<Definitions> all = ImmutableList.builder();
    classes.programs().forEach(module -> all.add(new Definitions(module)));
    this.definitions = all.build();
    this.partings = new Partings(classes, definitions);
    this.values = new ValueAligner(definitions, partings, this::callees);
  }

  Alignment run() {
    List<Diagnostic> problems = new ArrayList<>();
    AlignedFunction entry = null;
    try {
      checkSyntax();
      entry = function(entries());
      visible();
    } catch (DiagnosticException e) {
      problems.addAll(e.diagnostics());
    }
    ImmutableList<AlignedFunction> all = ImmutableList.copyOf(functions.values());
    return new Alignment(
        classes,
        problems.isEmpty() ? entry : null,
        all,
        ImmutableList.copyOf(problems),
        problems.isEmpty() ? unused(all) : 0);
  }

  private void checkSyntax() {
    List<String> words = new ArrayList<>();
    List<Location> places = new ArrayList<>();
    for (Module module : classes.programs()) {
      words.add("a program in " + module.syntax());
      places.add(module.location());
    }
    if (words.stream().distinct().count() > 1) {
      throw partings.differ("repair-syntax", words, places, "; translate them to one format first");
    }
  }

  private ImmutableList<Function> entries() {
    ImmutableList.Builder<Function> out = ImmutableList.builder();
    for (Module module : classes.programs()) {
      out.add(module.requireEntry());
    }
    return out.build();
  }

  /** Aligns functions that others may call by name: those of MLIR that are not private. */
  private void visible() {
    for (Function function : classes.programs().get(0).functions()) {
      if (classes.programs().get(0).entry() != null
          || function.isDeclaration()
          || function.operation().attribute(BuiltinOps.SYM_VISIBILITY) != null) {
        continue;
      }
      ImmutableList.Builder<Function> same = ImmutableList.builder();
      boolean everywhere = true;
      for (Module module : classes.programs()) {
        Function other =
            module.function(function.name()).filter(it -> !it.isDeclaration()).orElse(null);
        everywhere &= other != null;
        if (other != null) {
          same.add(other);
        }
      }
      if (everywhere) {
        function(same.build());
      }
    }
  }

  private AlignedFunction function(ImmutableList<Function> same) {
    ImmutableList<Operation> key =
        same.stream().map(Function::operation).collect(ImmutableList.toImmutableList());
    AlignedFunction known = functions.get(key);
    if (known != null) {
      return known;
    }
    if (!open.add(key)) {
      throw DiagnosticException.error(
          "repair-callee",
          same.get(0).name() + " calls itself, so its code cannot be compared",
          key.get(0).location());
    }
    ImmutableList<Block> blocks =
        same.stream().map(Function::body).collect(ImmutableList.toImmutableList());
    AlignedFunction made =
        new AlignedFunction(same, values.block(blocks, null, key.get(0).location()));
    functions.put(key, made);
    return made;
  }

  private ImmutableList<AlignedFunction> callees(ImmutableList<Operation> operations) {
    ImmutableList<String> first = Bodies.callees(operations.get(0));
    ImmutableList.Builder<AlignedFunction> out = ImmutableList.builder();
    for (int i = 0; i < first.size(); i++) {
      ImmutableList.Builder<Function> same = ImmutableList.builder();
      for (int k = 0; k < operations.size(); k++) {
        Operation operation = operations.get(k);
        ImmutableList<String> names = Bodies.callees(operation);
        if (names.size() != first.size()) {
          throw partings.operations(new ArrayList<>(operations), operations.get(0).location());
        }
        same.add(named(classes.programs().get(k), names.get(i), operation));
      }
      out.add(function(same.build()));
    }
    return out.build();
  }

  private static Function named(Module module, String name, Operation user) {
    return module
        .function(name)
        .filter(function -> !function.isDeclaration())
        .orElseThrow(
            () ->
                DiagnosticException.error(
                    "repair-callee",
                    name + " has no body here, so its code cannot be compared",
                    user.location()));
  }

  /** Returns how many operations of the first program, constants apart, nothing needs. */
  private int unused(ImmutableList<AlignedFunction> all) {
    Map<Operation, Boolean> used = new HashMap<>();
    int count = 0;
    for (AlignedFunction function : all) {
      mark(function.body(), used);
    }
    for (AlignedFunction function : all) {
      count += unused(function.body(), used);
    }
    return count;
  }

  private static void mark(AlignedBlock block, Map<Operation, Boolean> used) {
    for (AlignedOp operation : block.operations()) {
      used.put(operation.base(), true);
      operation.regions().forEach(region -> mark(region, used));
    }
  }

  private static int unused(AlignedBlock block, Map<Operation, Boolean> used) {
    int count = 0;
    for (Operation operation : block.base().operations()) {
      count += used.containsKey(operation) ? 0 : 1;
    }
    for (AlignedOp operation : block.operations()) {
      for (AlignedBlock region : operation.regions()) {
        count += unused(region, used);
      }
    }
    return count;
  }
}
