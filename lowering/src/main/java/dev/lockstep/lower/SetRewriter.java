package dev.lockstep.lower;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the steps of a job into one rank's block: its own calls get the config that all ranks
 * share, and sends and receives of other ranks are added with no part in them for this rank, since
 * XLA's permutes want every rank.
 *
 * <p>What is added takes this rank's own parameters where the other rank's operand is a parameter
 * of the same number and type, so that the texts become equal: a rank that takes no part gets its
 * buffer back, hence later uses of the buffer may use the result.
 */
final class SetRewriter {
  private final int rank;
  private final ImmutableList<SetStep> steps;
  private final BuildScope scope;
  private final List<Operation> out = new ArrayList<>();
  private final Map<Value, Value> replaced = new HashMap<>();
  private final ImmutableList<Value> parameters;
  private int at;

  private SetRewriter(int rank, ImmutableList<SetStep> steps, BuildScope scope, Block block) {
    this.rank = rank;
    this.steps = steps;
    this.scope = scope;
    this.parameters = Function.parametersOf(block);
  }

  /**
   * Returns the block of {@code rank} with {@code steps} in it.
   *
   * @param block the block
   * @param blocks the blocks of all ranks in which the steps stand; null for ranks without one
   */
  static Block rewrite(
      int rank,
      ImmutableList<SetStep> steps,
      BuildScope scope,
      Block block,
      List<@Nullable Block> blocks) {
    return new SetRewriter(rank, steps, scope, block).rewrite(block, blocks);
  }

  private Block rewrite(Block block, List<@Nullable Block> blocks) {
    if (steps.isEmpty()) {
      return block;
    }
    int start = firstPlace(block);
    Operation root = block.root();
    Operation newRoot = root;
    for (int i = 0; i < block.operations().size(); i++) {
      if (i == start) {
        addOthers(blocks);
      }
      Operation operation = block.operations().get(i);
      Operation now = substituted(operation);
      if (isOwnNext(operation)) {
        SetStep step = steps.get(at++);
        now = step.calls().isEmpty() ? now : own(now, step);
        out.add(now);
        now = after(operation, now);
        addOthers(blocks);
      } else {
        out.add(now);
      }
      newRoot = operation == root ? now : newRoot;
    }
    return block.withOperations(ImmutableList.copyOf(out), newRoot);
  }

  /** Returns where calls may first stand: after the parameters, which are operations in HLO. */
  private int firstPlace(Block block) {
    int place = 0;
    for (int i = 0; i < block.operations().size(); i++) {
      Operation operation = block.operations().get(i);
      if (steps.stream().anyMatch(step -> step.operation(rank) == operation)) {
        break;
      }
      if (operation.is(BuiltinOps.PARAMETER)) {
        place = i + 1;
      }
    }
    return place;
  }

  private boolean isOwnNext(Operation operation) {
    return at < steps.size() && steps.get(at).operation(rank) == operation;
  }

  private Operation substituted(Operation operation) {
    if (operation.operands().stream().noneMatch(replaced::containsKey)) {
      return operation;
    }
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    operation.operands().forEach(value -> operands.add(replaced.getOrDefault(value, value)));
    // Uses in regions may keep the buffer: on this rank it is the same value.
    return operation.withOperands(operands.build());
  }

  /** Returns this rank's call with the config of all; an uneven one also with everybody's shape. */
  private Operation own(Operation call, SetStep step) {
    Attributes attributes =
        call.attributes().with("backend_config", new Attribute.Dict(step.config()));
    SetCall mine = requireNonNull(step.calls().get(rank));
    if (!mine.isUneven()) {
      return call.withAttributes(attributes);
    }
    OpBuilder builder = new OpBuilder(scope).at(call);
    Emitter emit = new Emitter(builder);
    TensorType operand = mine.operands().get(0);
    TensorType result = mine.results().get(0);
    UnevenSizes sizes = UnevenSizes.of(step);
    Value padded = emit.padRows(call.operand(0), sizes.maxSent());
    out.addAll(builder.take());
    Operation shaped = call.withAttributes(attributes).withOperands(ImmutableList.of(padded));
    if (result.dim(0) == sizes.maxReceived()) {
      return shaped;
    }
    TensorType all = Rows.withRows(operand, sizes.maxReceived());
    return shaped.withResults(ImmutableList.of(builder.newValue(all, "all-to-all")));
  }

  /** Cuts the result of an uneven call down to this rank's rows. */
  private Operation after(Operation original, Operation call) {
    if (call.results().equals(original.results())) {
      return call;
    }
    OpBuilder builder = new OpBuilder(scope).at(original);
    long rows = ((TensorType) original.result().type()).dim(0);
    Value cut = new Emitter(builder).rows(call.result(), 0, rows);
    List<Operation> built = builder.take();
    Operation last = built.get(built.size() - 1);
    checkLast(last, cut);
    Operation renamed = last.withResults(original.results());
    out.add(renamed);
    return renamed;
  }

  private static void checkLast(Operation last, Value made) {
    if (last.result() != made) {
      throw new IllegalStateException("a slice makes one operation");
    }
  }

  /** Adds the steps up to this rank's next call. */
  private void addOthers(List<@Nullable Block> blocks) {
    while (at < steps.size() && steps.get(at).operation(rank) == null) {
      SetStep step = steps.get(at++);
      if (step.isP2p()) {
        add(step, requireNonNull(blocks.get(step.first().rank())));
      }
    }
  }

  private void add(SetStep step, Block theirs) {
    SetCall model = step.first();
    // It is the other rank's call, so that is what diagnostics shall point at.
    OpBuilder builder = new OpBuilder(scope).at(model.operation());
    ImmutableList<Value> theirParameters = Function.parametersOf(theirs);
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    List<Boolean> sends = P2pCalls.sends(model.config());
    List<@Nullable Value> buffers = new ArrayList<>();
    for (int i = 0; i < model.operands().size(); i++) {
      TensorType type = model.operands().get(i);
      Value own = alike(theirParameters.indexOf(model.operation().operand(i)), type);
      operands.add(own == null ? new Emitter(builder).zeros(type) : own);
      if (!sends.get(i)) {
        buffers.add(own);
      }
    }
    Attributes config = Attributes.of("backend_config", new Attribute.Dict(step.config()));
    ImmutableList<Value> results =
        builder.customCall(
            model.config().target(), operands.build(), model.results(), true, config);
    for (int i = 0; i < results.size(); i++) {
      Value buffer = i < buffers.size() ? buffers.get(i) : null;
      if (buffer != null) {
        replaced.put(original(buffer), results.get(i));
      }
    }
    out.addAll(builder.take());
  }

  /** Returns the parameter that {@code value} stands for now, or {@code value}. */
  private Value original(Value value) {
    for (Map.Entry<Value, Value> entry : replaced.entrySet()) {
      if (entry.getValue() == value) {
        return entry.getKey();
      }
    }
    return value;
  }

  private @Nullable Value alike(int number, TensorType type) {
    if (number < 0 || number >= parameters.size()) {
      return null;
    }
    Value own = parameters.get(number);
    if (!own.type().isSameShape(type)) {
      return null;
    }
    boolean seen =
        out.stream().anyMatch(operation -> operation.results().contains(own)) || !scope.isHlo();
    return seen ? replaced.getOrDefault(own, own) : null;
  }
}
