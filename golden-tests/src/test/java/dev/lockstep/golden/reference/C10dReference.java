package dev.lockstep.golden.reference;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Computes programs that hold torch.distributed calls, without lowering them: the oracle of every
 * lowering. For straight-line entry functions in one text for all ranks.
 *
 * <p>A value on a rank is computed when it is asked for, so calls need no order: torch's calls are
 * functions of what the members pass, and a receive is a function of the send that answers it.
 */
public final class C10dReference {
  private final DeviceGrid grid;
  private final List<ImmutableList<Datum>> arguments;
  private final Function entry;
  private final Mailbox mail;
  private final Map<Value, Operation> definitions = new IdentityHashMap<>();
  private final List<Map<Value, Datum>> known = new ArrayList<>();

  private C10dReference(Module module, DeviceGrid grid, List<ImmutableList<Datum>> arguments) {
    this.grid = grid;
    this.arguments = arguments;
    this.entry = module.entryFunction().orElseThrow();
    this.mail = Mailbox.of(entry.body().operations(), grid.size());
    for (Operation operation : entry.body().operations()) {
      operation.results().forEach(result -> definitions.put(result, operation));
    }
    for (int rank = 0; rank < grid.size(); rank++) {
      known.add(new IdentityHashMap<>());
    }
  }

  /** Returns whether the entry function of {@code module} holds a torch.distributed call. */
  public static boolean isNeeded(Module module) {
    return module.entryFunction().stream()
        .flatMap(entry -> entry.body().operations().stream())
        .anyMatch(C10dCalls::isCall);
  }

  /** Returns for each rank what the entry function gives back for its arguments. */
  public static List<ImmutableList<Datum>> run(
      Module module, DeviceGrid grid, List<ImmutableList<Datum>> arguments) {
    C10dReference reference = new C10dReference(module, grid, arguments);
    List<ImmutableList<Datum>> out = new ArrayList<>();
    for (int rank = 0; rank < grid.size(); rank++) {
      ImmutableList.Builder<Datum> results = ImmutableList.builder();
      for (Value value : reference.entry.body().returned()) {
        results.add(reference.value(value, rank));
      }
      out.add(results.build());
    }
    return out;
  }

  private Datum value(Value value, int rank) {
    Datum found = known.get(rank).get(value);
    if (found != null) {
      return found;
    }
    int parameter = entry.parameters().indexOf(value);
    if (parameter >= 0) {
      return arguments.get(rank).get(parameter);
    }
    Operation operation = Objects.requireNonNull(definitions.get(value));
    ImmutableList<Datum> results = results(operation, rank);
    // HLO has one result, and several are a tuple of them.
    boolean packs =
        operation.results().size() == 1
            && value.type() instanceof TupleType
            && !(results.size() == 1 && results.get(0) instanceof Datum.Tuple);
    ImmutableList<Datum> stored = packs ? ImmutableList.of(new Datum.Tuple(results)) : results;
    for (int i = 0; i < stored.size(); i++) {
      known.get(rank).put(operation.results().get(i), stored.get(i));
    }
    return stored.get(operation.results().indexOf(value));
  }

  private ImmutableList<Datum> results(Operation operation, int rank) {
    if (C10dCalls.isCall(operation)) {
      return ImmutableList.copyOf(call(operation, C10dCalls.of(operation), rank));
    }
    ImmutableList.Builder<Datum> collected = ImmutableList.builder();
    operation.operands().forEach(operand -> collected.add(value(operand, rank)));
    ImmutableList<Datum> operands = collected.build();
    Semantics semantics = operation.def().semantics();
    if (semantics instanceof Semantics.Local local) {
      return local.eval(operation, operands);
    }
    if (semantics instanceof Semantics.PerDevice perDevice) {
      return perDevice.eval(operation, operands, rank, grid);
    }
    if (semantics == Semantics.Control.FORWARD) {
      return operands;
    }
    if (semantics == Semantics.Control.TUPLE) {
      return ImmutableList.of(new Datum.Tuple(operands));
    }
    if (semantics == Semantics.Control.GET_TUPLE_ELEMENT) {
      long index = dev.lockstep.hlo.op.control.GetTupleElement.INDEX.get(operation);
      return ImmutableList.of(((Datum.Tuple) operands.get(0)).elements().get((int) index));
    }
    throw DiagnosticException.error(
        "no-reference",
        "the reference of torch.distributed calls does not run " + operation.def().name(),
        operation.location());
  }

  private ImmutableList<? extends Datum> call(Operation operation, C10dCalls call, int rank) {
    switch (call.target()) {
      case "_c10d_functional.wait_tensor" -> {
        return ImmutableList.of(value(operation.operand(0), rank));
      }
      case "c10d.barrier", "c10d.send" -> {
        return ImmutableList.of();
      }
      case "c10d.recv" -> {
        return ImmutableList.of(received(operation, 0, rank));
      }
      case "c10d.batch_isend_irecv" -> {
        ImmutableList.Builder<Datum> out = ImmutableList.builder();
        List<String> kinds = call.words("ops");
        for (int i = 0; i < kinds.size(); i++) {
          if (kinds.get(i).equals("irecv")) {
            out.add(received(operation, i, rank));
          }
        }
        return out.build();
      }
      default -> {
        return collective(operation, call, rank);
      }
    }
  }

  private Datum received(Operation operation, int index, int rank) {
    Mailbox.Letter letter = mail.letter(operation, index, rank);
    return letter == null
        ? value(operation.operand(index), rank)
        : value(letter.value(), letter.source());
  }

  private ImmutableList<Literal> collective(Operation operation, C10dCalls call, int rank) {
    ImmutableList<TensorType> types = resultTypes(operation);
    List<List<Integer>> groups = call.groups(grid.size());
    for (int g = 0; g < groups.size(); g++) {
      int me = groups.get(g).indexOf(rank);
      if (me >= 0) {
        List<ImmutableList<Literal>> operands = new ArrayList<>();
        for (int member : groups.get(g)) {
          operands.add(literals(operation, member));
        }
        return new TorchMeaning(call, g, operands, me, types).results();
      }
    }
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    ImmutableList<Literal> own = literals(operation, rank);
    for (int i = 0; i < types.size(); i++) {
      out.add(
          i < own.size() && own.get(i).type().isSameShape(types.get(i))
              ? own.get(i)
              : Literal.zeros(types.get(i)));
    }
    return out.build();
  }

  private ImmutableList<Literal> literals(Operation operation, int rank) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    operation.operands().forEach(operand -> out.add((Literal) value(operand, rank)));
    return out.build();
  }

  private static ImmutableList<TensorType> resultTypes(Operation operation) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    for (Type type : operation.resultTypes()) {
      if (type instanceof TupleType tuple) {
        tuple.elements().forEach(element -> out.add((TensorType) element));
      } else {
        out.add((TensorType) type);
      }
    }
    return out.build();
  }
}
