package dev.lockstep.pass.region.diff;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.pass.region.Communicators;
import dev.lockstep.pass.region.fingerprint.OperationKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A program as a list of lines that can be put beside another's: functions in the order in which
 * code that runs first names them, each a line for its parameters and one for every operation, what
 * is inside an operation after it.
 */
final class ProgramLines {
  /**
   * One line.
   *
   * @param operation the operation; of a line of parameters the function
   * @param values what it defines: results, or parameters
   * @param operands what it uses; of HLO's ROOT line the value given back
   * @param key equal for operations that are alike, see {@link OperationKeys}
   * @param name equal for operations of one kind
   */
  record Line(
      Operation operation,
      ImmutableList<Value> values,
      ImmutableList<Value> operands,
      long key,
      long name) {

    /** Returns whether the line is an operation, and not parameters or HLO's ROOT. */
    boolean isOperation() {
      return !operation.is(BuiltinOps.FUNC);
    }

    Location location() {
      return operation.location();
    }
  }

  private final Module module;
  private final Communicators communicators;
  private final OperationKeys keys;
  private final List<Line> lines = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final ArrayDeque<Function> pending = new ArrayDeque<>();

  ProgramLines(Module module, DeviceGrid grid) {
    this.module = module;
    this.communicators = new Communicators(module);
    this.keys = new OperationKeys(module, grid);
    module.entryFunction().ifPresent(this::name);
    drain();
    module.functions().forEach(this::name);
    drain();
  }

  Module module() {
    return module;
  }

  List<Line> lines() {
    return lines;
  }

  /** Returns whether ranks meet in {@code operation} itself. */
  boolean isSite(Operation operation) {
    return communicators.role(operation) == Communicators.Role.SITE;
  }

  long[] keys() {
    return lines.stream().mapToLong(Line::key).toArray();
  }

  long[] names(int from, int to) {
    return lines.subList(from, to).stream().mapToLong(Line::name).toArray();
  }

  private void name(Function function) {
    if (!function.isDeclaration() && seen.add(function.name())) {
      pending.add(function);
    }
  }

  private void drain() {
    while (!pending.isEmpty()) {
      Function function = pending.remove();
      ImmutableList<Value> parameters = function.parameters();
      add(function.operation(), parameters, ImmutableList.of(), "function");
      block(function.body());
      Operation root = function.body().root();
      if (root != null) {
        add(function.operation(), ImmutableList.of(), root.results(), "root");
      }
    }
  }

  private void add(
      Operation operation,
      ImmutableList<Value> values,
      ImmutableList<Value> operands,
      String word) {
    List<dev.lockstep.hlo.type.Type> types = new ArrayList<>();
    values.forEach(value -> types.add(value.type()));
    operands.forEach(value -> types.add(value.type()));
    lines.add(
        new Line(operation, values, operands, keys.of(word, types), keys.of(word, List.of())));
  }

  private void block(Block block) {
    for (Operation operation : block.operations()) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        continue;
      }
      lines.add(
          new Line(
              operation,
              operation.results(),
              operation.operands(),
              keys.of(operation),
              keys.of(name(operation), List.of())));
      for (String callee : Bodies.callees(operation)) {
        module.function(callee).ifPresent(this::name);
      }
      for (Region region : operation.regions()) {
        region.blocks().forEach(this::block);
      }
    }
  }

  private static String name(Operation operation) {
    Attribute target = operation.attribute("call_target_name");
    target = target == null ? operation.attribute("custom_call_target") : target;
    return operation.def().name() + (target == null ? "" : " " + target);
  }
}
