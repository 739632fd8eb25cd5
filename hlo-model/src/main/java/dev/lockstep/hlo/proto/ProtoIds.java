package dev.lockstep.hlo.proto;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Numbers and names for everything in a module. The upper half of an instruction's id is that of
 * its computation, as XLA has it since 2025; names are unique in the module, which its reader of
 * protos demands.
 */
final class ProtoIds {
  private final Map<Value, Long> values = new IdentityHashMap<>();
  private final Map<Value, String> names = new IdentityHashMap<>();
  private final Map<String, Long> computations = new HashMap<>();
  private final Map<Value, String> threads = new IdentityHashMap<>();
  private final Map<String, Value> local = new HashMap<>();

  ProtoIds(Module module) {
    Set<String> used = new HashSet<>();
    for (Function function : module.functions()) {
      long next = (long) computations.size() << 32;
      computations.put(function.name(), (long) computations.size());
      for (Operation operation : inOrderOfIds(function.body().operations())) {
        values.put(operation.result(), next++);
      }
      for (Operation operation : function.body().operations()) {
        follow(operation);
        String given = operation.result().name();
        if (given != null && used.add(given)) {
          names.put(operation.result(), given);
        }
      }
    }
    Map<String, Integer> numbers = new HashMap<>();
    for (Function function : module.functions()) {
      for (Operation operation : function.body().operations()) {
        Value value = operation.result();
        if (names.containsKey(value)) {
          continue;
        }
        String given = value.name();
        String opcode = operation.def().hloName();
        String base = given != null ? given : opcode != null ? opcode : operation.def().name();
        int number = numbers.getOrDefault(base, 1);
        while (!used.add(base + "." + number)) {
          number++;
        }
        names.put(value, base + "." + number);
        numbers.put(base, number + 1);
      }
    }
  }

  /** Notes on which thread a chain of asynchronous operations runs, which its start says. */
  private void follow(Operation operation) {
    String name = operation.def().hloName();
    if (name == null || !name.startsWith("async-")) {
      return;
    }
    Attribute written = operation.attribute("async_execution_thread");
    String thread = written == null ? null : AttrKeys.asWord(written);
    if (thread == null && !operation.operands().isEmpty()) {
      thread = threads.get(operation.operand(0));
    }
    if (thread != null) {
      threads.put(operation.result(), thread);
    }
  }

  /** Returns the thread that the asynchronous operation of {@code value} runs on. */
  String thread(Value value) {
    return threads.getOrDefault(value, "main");
  }

  /** Returns {@code operations} in the order of the ids they had, where they had other ones. */
  private static ImmutableList<Operation> inOrderOfIds(ImmutableList<Operation> operations) {
    Map<Operation, Long> kept = new IdentityHashMap<>();
    for (Operation operation : operations) {
      if (operation.attributes().has(Rest.NAME)) {
        HloInstructionProto.Builder rest = HloInstructionProto.newBuilder();
        Rest.restore(operation.attributes(), operation.location(), rest);
        if (rest.getId() != 0) {
          kept.put(operation, rest.getId());
        }
      }
    }
    // An id of nought is not written, so one instruction may lack its id.
    if (kept.size() + 1 < operations.size()) {
      return operations;
    }
    return ImmutableList.sortedCopyOf(
        Comparator.comparingLong(operation -> kept.getOrDefault(operation, 0L)), operations);
  }

  /** Makes the values of {@code function} those that names are looked up in. */
  void enter(Function function) {
    local.clear();
    for (Operation operation : function.body().operations()) {
      String name = operation.result().name();
      if (name != null) {
        local.putIfAbsent(name, operation.result());
      }
    }
  }

  /** Returns the id of the instruction that gives {@code value}. */
  long of(Value value) {
    return requireNonNull(values.get(value));
  }

  /** Returns the name of the instruction that gives {@code value}. */
  String name(Value value) {
    return requireNonNull(names.get(value));
  }

  /** Returns the id of the instruction called {@code name} beside {@code user}. */
  long instruction(String name, Operation user) {
    Value value = local.get(name);
    if (value == null) {
      throw DiagnosticException.error(
          "unknown-operand", "no instruction is called '" + name + "'", user.location());
    }
    return of(value);
  }

  /** Returns the id of the computation called {@code name}, which {@code user} runs. */
  long computation(String name, Operation user) {
    Long id = computations.get(name);
    if (id == null) {
      throw DiagnosticException.error(
          "unknown-callee", "no computation is called " + name, user.location());
    }
    return id;
  }
}
