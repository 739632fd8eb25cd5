package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.analysis.DistributedCall;
import dev.lockstep.pass.region.Communicators;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says what is known of values on one rank: computes what constants and the rank's own number
 * decide, and follows the rest back to what it comes from. Works only on what a condition needs.
 */
final class Evaluator {
  private static final AttrKey<Long> INDEX = AttrKeys.integer("index", "index");

  /** Values of more elements are followed, not computed. */
  private static final int MAX_ELEMENTS = 1 << 14;

  private static final int MAX_DEPTH = 200;

  private final int rank;
  private final DeviceGrid grid;
  private final Map<Operation, Boolean> pure = new IdentityHashMap<>();
  private long fresh;
  private int depth;

  Evaluator(int rank, DeviceGrid grid) {
    this.rank = rank;
    this.grid = grid;
  }

  int rank() {
    return rank;
  }

  /** Returns a value that no other rank has and that is like no other of this rank. */
  Sym own(Origin origin) {
    return Sym.own(rank, fresh++, origin);
  }

  /** Returns what is known of {@code value} in {@code frame}. */
  Sym value(Frame frame, Value value) {
    for (Frame at = frame; at != null; at = at.outer) {
      Steps.Definitions definitions = at.module.definitions(at.block);
      int parameter = definitions.parameter(value);
      if (parameter >= 0 && parameter < at.arguments.size()) {
        return at.arguments.get(parameter);
      }
      Operation maker = definitions.maker(value);
      if (maker != null) {
        return results(at, maker).get(maker.results().indexOf(value));
      }
    }
    return own(new Origin("a value from elsewhere", frame.block.operations().get(0).location()));
  }

  /** Returns what is known of {@code values} in {@code frame}. */
  ImmutableList<Sym> values(Frame frame, List<Value> values) {
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    values.forEach(value -> out.add(value(frame, value)));
    return out.build();
  }

  private static @Nullable ImmutableList<Sym> known(Frame frame, Operation operation) {
    ImmutableList<Sym> outcome = frame.outcomes.get(operation);
    return outcome != null ? outcome : frame.values.get(operation);
  }

  /** Returns the results of {@code wanted}; what it needs in its block comes without recursion. */
  private ImmutableList<Sym> results(Frame frame, Operation wanted) {
    ImmutableList<Sym> found = known(frame, wanted);
    if (found != null) {
      return found;
    }
    Steps.Definitions definitions = frame.module.definitions(frame.block);
    ArrayDeque<Operation> work = new ArrayDeque<>();
    work.push(wanted);
    while (!work.isEmpty()) {
      Operation operation = work.element();
      int before = work.size();
      for (Value operand : operation.operands()) {
        Operation maker = definitions.maker(operand);
        if (maker != null && known(frame, maker) == null) {
          work.push(maker);
        }
      }
      if (work.size() == before) {
        work.remove();
        if (known(frame, operation) == null) {
          frame.values.put(operation, compute(frame, operation));
        }
      }
    }
    return requireNonNull(frame.values.get(wanted));
  }

  private ImmutableList<Sym> compute(Frame frame, Operation operation) {
    depth++;
    try {
      return depth > MAX_DEPTH
          ? unknown(operation)
          : results(frame, operation, operands(frame, operation));
    } finally {
      depth--;
    }
  }

  private ImmutableList<Sym> operands(Frame frame, Operation operation) {
    return values(frame, operation.operands());
  }

  private ImmutableList<Sym> results(
      Frame frame, Operation operation, ImmutableList<Sym> operands) {
    Communicators.Role role = frame.module.communicators().role(operation);
    if (role == Communicators.Role.WAIT && !operands.isEmpty()) {
      return handOn(operation, operands.get(0));
    }
    if (role != Communicators.Role.LOCAL) {
      return unknown(operation);
    }
    Semantics semantics = operation.def().semantics();
    if (operation.is(CustomCall.DEF)
        || operation.def().has(Trait.UNREGISTERED)
        || operation.is(BuiltinOps.PARAMETER)) {
      return unknown(operation);
    }
    if (semantics instanceof Semantics.Control) {
      return control(frame, operation, (Semantics.Control) semantics, operands);
    }
    if (semantics instanceof Semantics.PerDevice) {
      return computed(
          operation,
          () -> ((Semantics.PerDevice) semantics).eval(operation, ImmutableList.of(), rank, grid));
    }
    if (operation.def().has(Trait.DEVICE_DEPENDENT) || operation.def().has(Trait.SIDE_EFFECT)) {
      return unknown(operation);
    }
    if (semantics instanceof Semantics.Local) {
      ImmutableList<Datum> data = data(operands);
      if (data != null && isSmall(operation)) {
        return computed(operation, () -> ((Semantics.Local) semantics).eval(operation, data));
      }
    }
    return opaque(frame, operation, operands);
  }

  private ImmutableList<Sym> handOn(Operation operation, Sym started) {
    if (operation.results().size() == 1) {
      return ImmutableList.of(started);
    }
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    for (int i = 0; i < operation.results().size(); i++) {
      out.add(started.element(i));
    }
    return out.build();
  }

  private interface Computation {
    ImmutableList<Datum> run();
  }

  private ImmutableList<Sym> computed(Operation operation, Computation computation) {
    try {
      ImmutableList<Datum> data = computation.run();
      if (data.size() == operation.results().size()) {
        return data.stream().map(Sym::of).collect(ImmutableList.toImmutableList());
      }
    } catch (IllegalArgumentException
        | ArithmeticException
        | ClassCastException
        | IndexOutOfBoundsException
        | DiagnosticException e) {
      // What cannot be computed here fails when the program runs; it decides nothing.
      return unknown(operation);
    }
    return unknown(operation);
  }

  private static @Nullable ImmutableList<Datum> data(ImmutableList<Sym> operands) {
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    for (Sym operand : operands) {
      Datum datum = operand.known();
      if (datum == null) {
        return null;
      }
      out.add(datum);
    }
    return out.build();
  }

  private static boolean isSmall(Operation operation) {
    for (Value result : operation.results()) {
      Type type = result.type();
      if (!(type instanceof TensorType)
          || !((TensorType) type).isStatic()
          || ((TensorType) type).count() > MAX_ELEMENTS) {
        return false;
      }
    }
    return true;
  }

  private ImmutableList<Sym> control(
      Frame frame, Operation operation, Semantics.Control kind, ImmutableList<Sym> operands) {
    return switch (kind) {
      case FORWARD ->
          operands.size() >= operation.results().size()
              ? operands.subList(0, operation.results().size())
              : unknown(operation);
      case TUPLE -> ImmutableList.of(Sym.tuple(operands));
      case GET_TUPLE_ELEMENT ->
          ImmutableList.of(operands.get(0).element(Math.toIntExact(INDEX.get(operation))));
      case AFTER_ALL -> ImmutableList.of(Sym.of(Datum.Token.TOKEN));
      case CALL -> called(frame, operation, 0, operands);
      case IF, CASE, CONDITIONAL -> {
        int body = chosen(operands.get(0), Bodies.of(operation, frame.module.module()).size());
        yield body < 0
            ? opaque(frame, operation, operands)
            : called(frame, operation, body, branchArguments(body, operands));
      }
      case WHILE -> opaque(frame, operation, operands);
      default -> unknown(operation);
    };
  }

  /** Returns the operands of branch {@code body}: HLO's has one, MLIR's none. */
  static ImmutableList<Sym> branchArguments(int body, ImmutableList<Sym> operands) {
    return operands.size() == 1 ? ImmutableList.of() : ImmutableList.of(operands.get(1 + body));
  }

  /** Returns the body that {@code selector} chooses among {@code count}; -1 when not known. */
  static int chosen(Sym selector, int count) {
    if (!(selector.known() instanceof Literal)) {
      return -1;
    }
    Literal literal = (Literal) selector.known();
    if (literal.element().isBool()) {
      return literal.getBoolean(0) ? 0 : 1;
    }
    long index = literal.getLong(0);
    return index < 0 || index >= count ? count - 1 : (int) index;
  }

  private ImmutableList<Sym> called(
      Frame frame, Operation operation, int index, ImmutableList<Sym> arguments) {
    Block body = Bodies.of(operation, frame.module.module()).get(index);
    Frame inner = enter(frame, operation, body, arguments);
    return outcomes(operation, values(inner, body.returned()));
  }

  /** Returns a frame for {@code body} of {@code operation}, which stands in {@code frame}. */
  static Frame enter(Frame frame, Operation operation, Block body, ImmutableList<Sym> arguments) {
    Frame outer = operation.regions().isEmpty() ? null : frame;
    return new Frame(frame.module, body, outer, frame, arguments);
  }

  /** Returns {@code returned} as results of {@code operation}: HLO packs several in a tuple. */
  static ImmutableList<Sym> outcomes(Operation operation, ImmutableList<Sym> returned) {
    return operation.results().size() == 1 && returned.size() != 1
        ? ImmutableList.of(Sym.tuple(returned))
        : returned;
  }

  /** Returns results that are followed by what the operation is and what goes into it. */
  private ImmutableList<Sym> opaque(Frame frame, Operation operation, ImmutableList<Sym> operands) {
    if (!isPure(operation, frame)) {
      return unknown(operation);
    }
    ImmutableList.Builder<Sym> parts = ImmutableList.<Sym>builder().addAll(operands);
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        captured(frame, block, parts);
      }
    }
    ImmutableList<Sym> all = parts.build();
    String digest = frame.module.fingerprints().of(operation).text();
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    for (int i = 0; i < operation.results().size(); i++) {
      out.add(Sym.derived(digest + " result " + i, all));
    }
    return out.build();
  }

  /** Adds the values that {@code block} and what is in it use from {@code frame}. */
  private void captured(Frame frame, Block block, ImmutableList.Builder<Sym> out) {
    for (Operation operation : block.operations()) {
      for (Value operand : operation.operands()) {
        if (isVisible(frame, operand)) {
          out.add(value(frame, operand));
        }
      }
      for (Region region : operation.regions()) {
        region.blocks().forEach(inner -> captured(frame, inner, out));
      }
    }
  }

  private static boolean isVisible(Frame frame, Value value) {
    for (Frame at = frame; at != null; at = at.outer) {
      Steps.Definitions definitions = at.module.definitions(at.block);
      if (definitions.parameter(value) >= 0 || definitions.maker(value) != null) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether results follow from operands alone, the same on every device. */
  private boolean isPure(Operation operation, Frame frame) {
    Boolean found = pure.get(operation);
    if (found == null) {
      boolean own =
          !operation.def().has(Trait.DEVICE_DEPENDENT)
              && !operation.def().has(Trait.UNREGISTERED)
              && !operation.is(CustomCall.DEF)
              && !(operation.def().has(Trait.SIDE_EFFECT) && !operation.def().isTerminator())
              && !(operation.def().semantics() instanceof Semantics.PerDevice);
      found = own;
      pure.put(operation, found);
      if (own) {
        for (Block body : Bodies.of(operation, frame.module.module())) {
          for (Operation inner : body.operations()) {
            found = found && (inner.is(BuiltinOps.PARAMETER) || isPure(inner, frame));
          }
        }
        pure.put(operation, found);
      }
    }
    return found;
  }

  private ImmutableList<Sym> unknown(Operation operation) {
    Origin origin = new Origin("the result of " + name(operation), operation.location());
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    for (int i = 0; i < operation.results().size(); i++) {
      out.add(own(origin));
    }
    return out.build();
  }

  private static String name(Operation operation) {
    String target = DistributedCall.target(operation);
    return target != null ? target : operation.def().name();
  }

  /** Returns the arguments of the entry of program {@code number} of this rank. */
  ImmutableList<Sym> arguments(Steps module, int program) {
    dev.lockstep.hlo.ir.Function entry = module.module().entryFunction().orElseThrow();
    ImmutableList<Value> parameters = entry.parameters();
    Attribute attributes = entry.operation().attribute(BuiltinOps.ARG_ATTRS);
    ImmutableList.Builder<Sym> out = ImmutableList.builder();
    for (int i = 0; i < parameters.size(); i++) {
      if (Replicated.isReplicated(parameters.get(i), i, entry, attributes)) {
        // Equal on all partitions of a replica, which is what the sharding promises.
        long key = (long) module.number() << 32 | program;
        out.add(Sym.shared("replicated in " + grid.replica(rank), key, i));
      } else {
        out.add(own(new Origin("argument " + i, entry.operation().location())));
      }
    }
    return out.build();
  }
}
