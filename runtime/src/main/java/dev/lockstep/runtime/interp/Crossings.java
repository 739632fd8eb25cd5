package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.shard.Shardings;
import dev.lockstep.hlo.shard.Tiling;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where a program over global arrays passes from arrays that devices share to the parts that each
 * holds, and back: {@code sdy.manual_computation} and the partitioners' custom calls.
 */
final class Crossings {
  private final DeviceGrid grid;
  private final Consumer<Diagnostic> warnings;
  private final Map<Module, Shardings> shardings = new IdentityHashMap<>();
  private final Map<Operation, ImmutableList<Tiling>> inward = new IdentityHashMap<>();
  private final Map<Operation, ImmutableList<Tiling>> outward = new IdentityHashMap<>();
  private final Map<Operation, int[]> groups = new IdentityHashMap<>();
  private final Map<Operation, Boolean> warned = new IdentityHashMap<>();

  Crossings(DeviceGrid grid, Consumer<Diagnostic> warnings) {
    this.grid = grid;
    this.warnings = warnings;
  }

  private Shardings shardings(OpPlan plan) {
    return shardings.computeIfAbsent(plan.module(), Shardings::of);
  }

  private static <T> T known(Map<Operation, T> map, Operation operation, Supplier<T> otherwise) {
    T found = map.get(operation);
    if (found == null) {
      found = otherwise.get();
      map.put(operation, found);
    }
    return found;
  }

  private ImmutableList<Integer> partitions(ImmutableIntArray devices) {
    ImmutableList.Builder<Integer> out = ImmutableList.builder();
    devices.forEach(device -> out.add(grid.partition(device)));
    return out.build();
  }

  /** Returns the parts of {@code operands} that each of {@code devices} holds. */
  ImmutableList<Datum> toParts(
      OpPlan plan, Block block, ImmutableIntArray devices, ImmutableList<Datum> operands) {
    ImmutableList<Tiling> tilings = known(inward, plan.operation, () -> inwardTilings(plan, block));
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    int next = 0;
    for (int i = 0; i < operands.size(); i++) {
      // Tokens are nowhere, and whole everywhere.
      boolean isToken = plan.operation.operand(i).type() instanceof TokenType;
      out.add(isToken ? operands.get(i) : cut(operands.get(i), tilings.get(next++), devices));
    }
    return out.build();
  }

  private Datum cut(Datum whole, Tiling tiling, ImmutableIntArray devices) {
    ImmutableList<Integer> partitions = partitions(devices);
    if (whole instanceof Literal) {
      return Spread.join(Parts.cutAll((Literal) whole, tiling, partitions));
    }
    List<Datum> parts = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      parts.add(Parts.cut((Literal) Spread.of(whole, i), tiling, partitions.get(i)));
    }
    return Spread.join(parts);
  }

  private ImmutableList<Tiling> inwardTilings(OpPlan plan, Block block) {
    Operation operation = plan.operation;
    if (isManual(operation)) {
      return shardings(plan).manualOperands(operation, grid.partitions());
    }
    TensorType whole = (TensorType) operation.operand(0).type();
    TensorType part = (TensorType) operation.result().type();
    Attributes definition = definition(plan, block, operation.operand(0));
    return ImmutableList.of(
        shardings(plan).cut(operation, definition, whole, part.dims(), grid.partitions()));
  }

  /** Shardy's crossings name their axes; those of XLA's own partitioner cross one value. */
  private static boolean isManual(Operation operation) {
    return operation.def().semantics() == Semantics.Control.MANUAL
        || CustomCall.TARGET.getOr(operation, "").startsWith("xla.sdy.");
  }

  private Attributes definition(OpPlan plan, Block block, Value value) {
    for (Operation operation : block.operations()) {
      if (operation.results().contains(value)) {
        return operation.attributes();
      }
    }
    for (Function function : plan.module().functions()) {
      if (!function.isDeclaration() && function.body() == block) {
        int index = function.parameters().indexOf(value);
        return index < 0 ? Attributes.EMPTY : shardings(plan).parameter(function, index);
      }
    }
    return Attributes.EMPTY;
  }

  /** Returns the arrays of which {@code devices} hold the parts {@code operands}. */
  ImmutableList<Datum> fromParts(
      OpPlan plan, ImmutableIntArray devices, ImmutableList<Datum> operands) {
    Operation operation = plan.operation;
    ImmutableList<TensorType> types = Flattening.tensors(operation.resultTypes());
    ImmutableList<Tiling> tilings =
        known(
            outward,
            operation,
            () ->
                isManual(operation)
                    ? shardings(plan).manualResults(operation, grid.partitions())
                    : shardings(plan).on(operation, types, grid.partitions()));
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    int next = 0;
    for (int i = 0; i < operands.size(); i++) {
      Datum parts = operands.get(i);
      if (operation.results().get(i).type() instanceof TokenType) {
        out.add(parts);
        continue;
      }
      out.add(
          join(
              plan,
              types.get(next),
              tilings.get(next),
              devices,
              place -> (Literal) Spread.of(parts, place)));
      next++;
    }
    return out.build();
  }

  private Datum join(
      OpPlan plan,
      TensorType type,
      Tiling tiling,
      ImmutableIntArray devices,
      java.util.function.IntFunction<Literal> partAt) {
    ImmutableList<Integer> partitions = partitions(devices);
    Map<Integer, List<Integer>> members = new LinkedHashMap<>();
    for (int partition : partitions) {
      members.computeIfAbsent(tiling.group(partition), group -> new ArrayList<>()).add(partition);
    }
    Map<Integer, Literal> arrays = new LinkedHashMap<>();
    members.forEach(
        (group, those) -> {
          try {
            arrays.put(
                group,
                tiling.isManual()
                    ? partAt.apply(partitions.indexOf(those.get(0)))
                    : Parts.join(
                        type,
                        tiling,
                        those,
                        partition -> partAt.apply(partitions.indexOf(partition)),
                        (first, other) -> warn(plan, first, other)));
          } catch (IllegalArgumentException e) {
            throw Machine.failed(plan, e);
          }
        });
    List<Datum> each = new ArrayList<>();
    for (int partition : partitions) {
      each.add(arrays.get(tiling.group(partition)));
    }
    return Spread.join(each);
  }

  private void warn(OpPlan plan, int first, int other) {
    if (warned.put(plan.operation, true) == null) {
      warnings.accept(
          Diagnostic.warning(
              "copies-differ",
              String.format(
                  "%s makes an array of copies that differ: those of partitions %d and %d; the"
                      + " first counts",
                  plan.name(), first, other),
              plan.operation.location()));
    }
  }

  /** Starts the body of a manual computation on {@code devices} and returns what it waits for. */
  Pending manual(
      Crew crew,
      OpPlan plan,
      Block block,
      ImmutableList<Datum> captured,
      ImmutableList<Datum> operands) {
    ImmutableIntArray devices = crew.devices();
    ImmutableList<Datum> parts = toParts(plan, block, devices, operands);
    int[] group =
        known(
            groups,
            plan.operation,
            () -> shardings(plan).manualGroups(plan.operation, grid.partitions()));
    Map<Integer, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < devices.length(); i++) {
      places
          .computeIfAbsent(group[grid.partition(devices.get(i))], key -> new ArrayList<>())
          .add(i);
    }
    int[] strandOf = new int[devices.length()];
    ImmutableList.Builder<Fiber> strands = ImmutableList.builder();
    int next = 0;
    for (List<Integer> members : places.values()) {
      ImmutableIntArray.Builder those = ImmutableIntArray.builder();
      for (int place : members) {
        those.add(devices.get(place));
        strandOf[place] = next;
      }
      next++;
      strands.add(
          crew.machine()
              .spawn(
                  new Fiber(
                      crew.machine(),
                      those.build(),
                      plan.body(0),
                      select(parts, members),
                      select(captured, members),
                      plan.operation,
                      crew.stage())));
    }
    return new Together(
        plan.operation,
        strands.build(),
        each -> {
          // Back to one value a device: place i of a strand is the i-th of its members.
          List<ImmutableList<Datum>> byDevice = new ArrayList<>();
          int[] seen = new int[each.size()];
          for (int i = 0; i < devices.length(); i++) {
            byDevice.add(Spread.of(each.get(strandOf[i]), seen[strandOf[i]]++));
          }
          return fromParts(plan, devices, Spread.joinLists(byDevice));
        });
  }

  private static ImmutableList<Datum> select(ImmutableList<Datum> values, List<Integer> places) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (Datum value : values) {
      out.add(Spread.select(value, places));
    }
    return out.build();
  }

  /** Fails because devices that share values went different ways. */
  static DiagnosticException apart(OpPlan plan) {
    return DiagnosticException.error(
        "devices-apart",
        plan.name()
            + " goes another way on some of the devices that share its values; only code on parts"
            + " of arrays may",
        plan.operation.location());
  }
}
