package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.type.TupleType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lowers the calls of one block and of the regions in it, in one walk in program order.
 *
 * <p>State: for each value that a lowered call gave, the slot that holds what stands for it; for
 * each HLO tuple that a lowered call gave, the slots of its elements. A slot is empty while a
 * message has not arrived, and nobody may use it then.
 */
final class BlockLowering {

  /** What stands for one result of a call. */
  private static final class Slot {
    private final Operation call;
    private @Nullable Value value;

    Slot(Operation call) {
      this.call = call;
    }
  }

  private final BuildScope build;
  private final DeviceGrid grid;
  private final boolean rendezvous;
  private final boolean keepReceiveNames;
  private final Map<Value, Slot> slots;
  private final Map<Value, ImmutableList<Slot>> tuples;

  private BlockLowering(
      BuildScope build,
      DeviceGrid grid,
      boolean rendezvous,
      boolean keepReceiveNames,
      Map<Value, Slot> slots,
      Map<Value, ImmutableList<Slot>> tuples) {
    this.build = build;
    this.grid = grid;
    this.rendezvous = rendezvous;
    this.keepReceiveNames = keepReceiveNames;
    this.slots = slots;
    this.tuples = tuples;
  }

  /**
   * Returns {@code block} without calls; the same object when there were none.
   *
   * @param rendezvous whether sends block
   * @param keepReceiveNames whether what is received is called as the receive was
   */
  static Block lower(
      Block block,
      BuildScope build,
      DeviceGrid grid,
      boolean rendezvous,
      boolean keepReceiveNames) {
    return new BlockLowering(
            build, grid, rendezvous, keepReceiveNames, new HashMap<>(), new HashMap<>())
        .lower(block);
  }

  private Block lower(Block block) {
    P2pExchange exchange = P2pExchange.of(block, grid, rendezvous);
    Map<Integer, Slot> receives = new HashMap<>();
    WaitRule.check(block);
    OpBuilder builder = new OpBuilder(build);
    Scope scope = Scope.of(builder, grid);
    List<Operation> out = new ArrayList<>();
    Operation root = block.root();
    Operation newRoot = root;
    boolean changed = false;
    int number = 0;
    for (Operation operation : block.operations()) {
      builder.at(operation);
      if (CallReader.isCall(operation)) {
        changed = true;
        lowerCall(operation, number++, exchange, receives, scope);
        out.addAll(adopted(operation, builder.take()));
      } else if (isElementOfCall(operation)) {
        changed = true;
      } else {
        Operation now = withRegions(withOperands(operation, builder));
        changed |= now != operation;
        builder.add(now);
        newRoot = operation == root ? now : newRoot;
        out.addAll(builder.take());
      }
    }
    if (!changed) {
      return block;
    }
    if (root != null && newRoot == root && !out.contains(root)) {
      Value value = find(root.result(), root, builder.at(root));
      out.addAll(builder.take());
      newRoot = definition(out, value);
    }
    return block.withOperations(ImmutableList.copyOf(out), newRoot);
  }

  private static Operation definition(List<Operation> operations, Value value) {
    for (Operation operation : operations) {
      if (operation.results().contains(value)) {
        return operation;
      }
    }
    throw new IllegalStateException("what replaced ROOT is not in its computation");
  }

  private void lowerCall(
      Operation operation,
      int number,
      P2pExchange exchange,
      Map<Integer, Slot> receives,
      Scope scope) {
    CallConfig config = CallReader.config(operation);
    ImmutableList<Value> operands = withOperands(operation, scope.emit().build()).operands();
    ImmutableList<Slot> results = open(operation);
    if (P2pCalls.isTarget(config.target())) {
      ImmutableList<Integer> events = exchange.receivesOf(number);
      for (int i = 0; i < results.size(); i++) {
        receives.put(events.get(i), results.get(i));
      }
      exchange.meet(
          number,
          operands,
          scope,
          (event, value) -> requireNonNull(receives.get(event)).value = value);
      return;
    }
    CallLowering lowering = requireNonNull(CallReader.LOWERINGS.get(config.target()));
    config.allowOnly(
        ImmutableSet.<String>builder().add("groups").addAll(lowering.entries()).build());
    CallReader.tensors(operation.operandTypes(), "operand", config);
    ImmutableList<Value> values =
        lowering.lower(
            new C10dCall(config, operands, CallReader.results(operation, config)),
            CallGroups.of(config, grid),
            scope);
    for (int i = 0; i < results.size(); i++) {
      results.get(i).value = values.get(i);
    }
  }

  /** Returns empty slots for the results of a call, HLO's tuple taken apart. */
  private ImmutableList<Slot> open(Operation call) {
    ImmutableList.Builder<Slot> out = ImmutableList.builder();
    for (Value result : call.results()) {
      if (result.type() instanceof TupleType) {
        ImmutableList.Builder<Slot> elements = ImmutableList.builder();
        for (int i = 0; i < ((TupleType) result.type()).elements().size(); i++) {
          elements.add(new Slot(call));
        }
        tuples.put(result, elements.build());
        out.addAll(elements.build());
      } else {
        Slot slot = new Slot(call);
        slots.put(result, slot);
        out.add(slot);
      }
    }
    return out.build();
  }

  /** Takes note of a get-tuple-element of a lowered call, which is no operation any more. */
  private boolean isElementOfCall(Operation operation) {
    if (!operation.is(GetTupleElement.DEF)) {
      return false;
    }
    ImmutableList<Slot> elements = tuples.get(operation.operand(0));
    if (elements == null) {
      return false;
    }
    int index = Math.toIntExact(GetTupleElement.INDEX.get(operation));
    if (index < 0 || index >= elements.size()) {
      throw DiagnosticException.error(
          "c10d-arity",
          "element " + index + " of a tuple of " + elements.size(),
          operation.location());
    }
    slots.put(operation.result(), elements.get(index));
    return true;
  }

  /**
   * Gives the operation that makes the one result of {@code call} the call's own value, so that its
   * name and all its uses stay.
   */
  private ImmutableList<Operation> adopted(Operation call, ImmutableList<Operation> built) {
    CallConfig config = CallReader.config(call);
    boolean isP2p = P2pCalls.isTarget(config.target());
    // Calls that stand for XLA's own receives have names that we gave them.
    if (call.results().size() != 1
        || isP2p && (!keepReceiveNames || config.has(P2pCalls.CHANNEL))) {
      return built;
    }
    Value old = call.result();
    Slot slot = slots.get(old);
    Value made = slot == null ? null : slot.value;
    if (slot == null || made == null || built.isEmpty()) {
      return built;
    }
    Operation last = built.get(built.size() - 1);
    if (last.results().size() != 1
        || last.result() != made
        || !made.type().isSameShape(old.type())) {
      return built;
    }
    slot.value = old;
    return ImmutableList.<Operation>builder()
        .addAll(built.subList(0, built.size() - 1))
        .add(last.withResults(ImmutableList.of(old)))
        .build();
  }

  private Value find(Value value, Operation user, OpBuilder builder) {
    ImmutableList<Slot> elements = tuples.get(value);
    if (elements != null) {
      List<Value> values = new ArrayList<>();
      for (Slot element : elements) {
        values.add(valueOf(element, user));
      }
      return builder.tuple(values);
    }
    Slot slot = slots.get(value);
    return slot == null ? value : valueOf(slot, user);
  }

  private static Value valueOf(Slot slot, Operation user) {
    Value value = slot.value;
    if (value == null) {
      throw new DiagnosticException(
          Diagnostic.error(
                  "p2p-early-use",
                  "what is received is used before it can have arrived",
                  user.location())
              .withNote("received here; its send stands after the use", slot.call.location()));
    }
    return value;
  }

  private Operation withOperands(Operation operation, OpBuilder builder) {
    boolean changed = false;
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value operand : operation.operands()) {
      Value now =
          slots.containsKey(operand) || tuples.containsKey(operand)
              ? find(operand, operation, builder)
              : operand;
      changed |= now != operand;
      out.add(now);
    }
    return changed ? operation.withOperands(out.build()) : operation;
  }

  private Operation withRegions(Operation operation) {
    return operation.mapBlocks(
        block ->
            new BlockLowering(build, grid, rendezvous, keepReceiveNames, slots, tuples)
                .lower(block));
  }
}
