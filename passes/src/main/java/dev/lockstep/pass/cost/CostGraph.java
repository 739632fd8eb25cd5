package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.op.control.Fusion;
import dev.lockstep.hlo.op.control.GetTupleElement;
import dev.lockstep.hlo.op.control.TupleOp;
import dev.lockstep.hlo.op.data.OptimizationBarrier;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.analysis.TripCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a block and the buffers between them.
 *
 * <p>Operations on elements, and those that only move them about, are fused into what uses them:
 * they take time for arithmetic, but their results take memory and traffic only where an operation
 * of another kind, several operations, or another segment use them. Tuples, barriers and the ends
 * of asynchronous operations are names for values, not tasks.
 */
final class CostGraph {
  final List<Task> tasks = new ArrayList<>();
  private final ImmutableList.Builder<Place.Buffer> buffers = ImmutableList.builder();
  private final Map<Value, Place> places = new HashMap<>();
  private final Set<Value> stored = new HashSet<>();

  /** Results of operations that are part of a collective, with the seconds up to them. */
  private final Map<Value, Double> absorbed = new HashMap<>();

  /** Values that are computed where they are used, and so never read from memory. */
  private final Set<Value> onTheFly = new HashSet<>();

  private final Module module;
  private final Costs costs;
  private final boolean isCut;
  private int segment;
  private boolean inCollectives;

  private CostGraph(Module module, Costs costs, boolean isCut) {
    this.module = module;
    this.costs = costs;
    this.isCut = isCut;
  }

  /**
   * Returns the graph of {@code block}.
   *
   * @param isCut whether collectives are segments of their own
   * @param given which parameters the block may take over, so that they go after their last use
   */
  static CostGraph of(
      Block block, Module module, Costs costs, boolean isCut, ImmutableSet<Integer> given) {
    CostGraph graph = new CostGraph(module, costs, isCut);
    graph.build(block, given);
    return graph;
  }

  /** Returns all buffers. */
  ImmutableList<Place.Buffer> buffers() {
    return buffers.build();
  }

  private void build(Block block, ImmutableSet<Integer> given) {
    List<Value> parameters = Function.parametersOf(block);
    for (int i = 0; i < parameters.size(); i++) {
      Place place = Place.fresh(parameters.get(i).type(), -1, buffers);
      boolean stays = !given.contains(i);
      place.buffers().forEach(buffer -> buffer.stays = stays);
      places.put(parameters.get(i), place);
    }
    findStored(block);
    for (Operation operation : block.operations()) {
      if (!operation.is(BuiltinOps.PARAMETER) && !operation.def().isTerminator()) {
        add(operation, block);
      }
    }
    for (Value value : block.returned()) {
      place(value).buffers().forEach(buffer -> buffer.stays = true);
    }
  }

  /** Finds the results of fused operations that have to be written to memory after all. */
  private void findStored(Block block) {
    Map<Value, Integer> segments = new HashMap<>();
    Map<Value, Integer> users = new HashMap<>();
    int at = 0;
    boolean within = false;
    for (Operation operation : block.operations()) {
      boolean meets = isCut && isCollective(operation);
      at += meets != within ? 1 : 0;
      within = meets;
      for (Value result : operation.results()) {
        segments.put(result, at);
      }
      for (Value operand : new HashSet<>(operation.operands())) {
        boolean isPlain = OpWork.isFusible(operation) && !operation.def().has(Trait.CONSTANT);
        if (!isPlain
            || users.merge(operand, 1, Integer::sum) > 1
            || segments.getOrDefault(operand, at) != at) {
          stored.add(operand);
        }
      }
    }
    stored.addAll(block.returned());
    findAbsorbed(block);
  }

  /** Finds the operations on elements that only a collective uses: they become part of it. */
  private void findAbsorbed(Block block) {
    Map<Value, Operation> onlyUser = new HashMap<>();
    Set<Value> shared = new HashSet<>(block.returned());
    for (Operation operation : block.operations()) {
      for (Value operand : operation.operands()) {
        if (onlyUser.putIfAbsent(operand, operation) != null) {
          shared.add(operand);
        }
      }
    }
    for (int i = block.operations().size() - 1; i >= 0; i--) {
      Operation operation = block.operations().get(i);
      if (OpWork.isFusible(operation) && operation.results().size() == 1) {
        Operation user = onlyUser.get(operation.result());
        if (user != null
            && !shared.contains(operation.result())
            && (isCollective(user) || user.results().stream().anyMatch(absorbed::containsKey))) {
          absorbed.put(operation.result(), 0.0);
        }
      }
    }
  }

  private boolean isCollective(Operation operation) {
    return Collectives.collective(operation, module) != null
        || operation.def().semantics() == Semantics.Control.SEND;
  }

  private Place place(Value value) {
    return places.getOrDefault(value, Place.NOWHERE);
  }

  private Place operands(Operation operation) {
    List<Place> all = new ArrayList<>();
    operation.operands().forEach(operand -> all.add(place(operand)));
    return Place.union(all);
  }

  private void add(Operation operation, Block around) {
    if (isName(operation)) {
      name(operation);
      return;
    }
    if (operation.def().has(Trait.CONSTANT)) {
      operation.results().forEach(result -> places.put(result, Place.NOWHERE));
      onTheFly.addAll(operation.results());
      return;
    }
    if (isCollective(operation)) {
      collective(operation);
      return;
    }
    if (isCode(operation)) {
      code(operation, around);
      return;
    }
    boolean isPart = operation.results().stream().anyMatch(absorbed::containsKey);
    if (!isPart) {
      cut(false);
    }
    OpWork work = OpWork.of(operation, module);
    long bytes = 0;
    for (Value operand : new HashSet<>(operation.operands())) {
      bytes += onTheFly.contains(operand) ? 0 : Sizes.bytes(operand.type());
    }
    boolean isFused =
        OpWork.isFusible(operation) && operation.results().stream().noneMatch(stored::contains);
    for (Type type : operation.resultTypes()) {
      bytes += isFused ? 0 : Sizes.bytes(type);
    }
    if (operation.is(CustomCall.DEF)) {
      costs.countUnknown();
    }
    double seconds = costs.seconds(work, bytes, element(operation));
    if (isPart) {
      double before = absorbedSeconds(operation);
      operation.results().forEach(result -> absorbed.put(result, before + seconds));
      operation.results().forEach(result -> places.put(result, operands(operation)));
      return;
    }
    int task = task(operation, Task.Kind.COMPUTE, seconds, seconds, 0, 0, 0);
    if (isFused) {
      Place from = operands(operation);
      Place fused = new Place(from.buffers(), ImmutableSet.of(task), null);
      operation.results().forEach(result -> places.put(result, fused));
      onTheFly.addAll(operation.results());
    } else {
      operation.results().forEach(result -> places.put(result, fresh(result.type(), task)));
    }
  }

  private double absorbedSeconds(Operation operation) {
    return operation.operands().stream().mapToDouble(v -> absorbed.getOrDefault(v, 0.0)).sum();
  }

  private static @Nullable TensorType element(Operation operation) {
    return !operation.operands().isEmpty() && operation.operand(0).type() instanceof TensorType type
        ? type
        : null;
  }

  private Place fresh(Type type, int maker) {
    return Place.fresh(type, maker, buffers);
  }

  private boolean isName(Operation operation) {
    Semantics meaning = operation.def().semantics();
    return operation.is(TupleOp.DEF)
        || operation.is(GetTupleElement.DEF)
        || operation.is(OptimizationBarrier.DEF)
        || meaning == Semantics.Control.AFTER_ALL
        || operation.def().has(Trait.ASYNC) && !isCollective(operation) && !isStart(operation);
  }

  private static boolean isStart(Operation operation) {
    return operation.def().semantics() == Semantics.Control.ASYNC_START;
  }

  private void name(Operation operation) {
    if (operation.is(TupleOp.DEF)) {
      ImmutableList.Builder<Place> parts = ImmutableList.builder();
      operation.operands().forEach(operand -> parts.add(place(operand)));
      places.put(operation.result(), Place.tuple(parts.build()));
    } else if (operation.is(GetTupleElement.DEF)) {
      int index = Math.toIntExact(GetTupleElement.INDEX.getOr(operation, 0L));
      places.put(operation.result(), place(operation.operand(0)).element(index));
    } else if (operation.results().size() == operation.operands().size()) {
      for (int i = 0; i < operation.results().size(); i++) {
        places.put(operation.results().get(i), place(operation.operands().get(i)));
      }
    } else {
      Place all = operands(operation);
      operation.results().forEach(result -> places.put(result, all));
    }
  }

  private void cut(boolean collective) {
    if (isCut && collective != inCollectives) {
      segment += tasks.isEmpty() ? 0 : 1;
      inCollectives = collective;
    }
  }

  private void collective(Operation operation) {
    cut(true);
    Operation meeting = Collectives.collective(operation, module);
    double seconds =
        meeting == null ? costs.transfer(operation) : costs.collectives().seconds(meeting);
    double own = absorbedSeconds(operation);
    long packed =
        operation.operands().stream()
            .filter(absorbed::containsKey)
            .mapToLong(operand -> Sizes.bytes(operand.type()))
            .sum();
    int task = task(operation, Task.Kind.COMMUNICATE, own + seconds, 0, own + seconds, 0, packed);
    boolean starts = operation.def().has(Trait.ASYNC);
    for (Value result : operation.results()) {
      if (starts) {
        // What a start gives holds its operands beside the results.
        long in = operation.operandTypes().stream().mapToLong(Sizes::bytes).sum();
        Place.Buffer buffer = new Place.Buffer(Math.max(0, Sizes.bytes(result.type()) - in), task);
        buffers.add(buffer);
        ImmutableSet.Builder<Place.Buffer> all = ImmutableSet.builder();
        all.addAll(operands(operation).buffers()).add(buffer);
        places.put(result, new Place(all.build(), ImmutableSet.of(task), null));
      } else {
        places.put(result, fresh(result.type(), task));
      }
    }
  }

  private boolean isCode(Operation operation) {
    return operation.def().semantics() instanceof Semantics.Control
        && !operation.is(Fusion.DEF)
        && (!operation.regions().isEmpty() || !Bodies.callees(operation).isEmpty());
  }

  /** A loop, call or branch: what its bodies take, of branches the longest. */
  private void code(Operation operation, Block around) {
    boolean isLoop = operation.def().semantics() == Semantics.Control.WHILE;
    double seconds = 0;
    double compute = 0;
    double communication = 0;
    double launch = 0;
    long temporary = 0;
    for (Block body : Bodies.of(operation, module)) {
      Estimate inner = costs.estimate(body, module, isCut);
      if (isLoop) {
        seconds += inner.seconds();
        compute += inner.computeSeconds();
        communication += inner.communicationSeconds();
        launch += inner.launchSeconds();
      } else if (inner.seconds() > seconds) {
        seconds = inner.seconds();
        compute = inner.computeSeconds();
        communication = inner.communicationSeconds();
        launch = inner.launchSeconds();
      }
      long arguments =
          Function.parametersOf(body).stream().mapToLong(v -> Sizes.bytes(v.type())).sum();
      temporary = Math.max(temporary, inner.peakBytes() - arguments);
    }
    if (isLoop) {
      OptionalLong trips = TripCount.of(operation, around, module);
      if (trips.isEmpty()) {
        costs.countUnknownLoop();
      }
      seconds *= trips.orElse(1);
      compute *= trips.orElse(1);
      communication *= trips.orElse(1);
      launch *= trips.orElse(1);
    }
    boolean communicates = communication > 0;
    cut(communicates);
    int task =
        task(
            operation,
            communicates ? Task.Kind.BOTH : Task.Kind.COMPUTE,
            seconds,
            compute,
            communication,
            launch,
            Math.max(0, temporary));
    for (int i = 0; i < operation.results().size(); i++) {
      Value result = operation.results().get(i);
      boolean inPlace =
          isLoop
              && i < operation.operands().size()
              && operation.operands().size() == operation.results().size();
      // A loop keeps its state where it is.
      places.put(
          result,
          inPlace
              ? new Place(
                  place(operation.operands().get(i)).buffers(),
                  ImmutableSet.of(task),
                  place(operation.operands().get(i)).elements())
              : fresh(result.type(), task));
    }
  }

  private int task(
      Operation operation,
      Task.Kind kind,
      double seconds,
      double compute,
      double communication,
      double launch,
      long temporary) {
    Place needs = operands(operation);
    int index = tasks.size();
    needs.buffers().forEach(buffer -> buffer.use(index));
    tasks.add(
        new Task(
            kind, seconds, compute, communication, launch, temporary, segment, needs.makers()));
    return index;
  }
}
