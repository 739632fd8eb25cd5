package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code x-start(...)} for any opcode stands for an {@code async-start} of a computation that holds
 * nothing but {@code x} and its parameters. XLA writes the sugar wherever it can, so such
 * computations are not listed.
 */
final class AsyncSugar {
  static final String THREAD = "async_execution_thread";
  static final String CALLS = "calls";
  private static final String COMPUTATION_THREAD = "execution_thread";

  /** Attributes that stay on the starting instruction; all others belong to what it starts. */
  private static final ImmutableSet<String> OUTER =
      ImmutableSet.of(
          THREAD,
          "backend_config",
          "sharding",
          "frontend_attributes",
          "control-predecessors",
          "origin",
          "statistics",
          "metadata");

  private final Map<String, Operation> wrapped = new HashMap<>();
  private final Map<Value, String> suffixes = new HashMap<>();

  /** The computation that each operation of a chain runs. */
  private final Map<Value, String> callees = new HashMap<>();

  /** What starts and updates give, which is not done yet. */
  private final Set<Value> running = new HashSet<>();

  private AsyncSugar() {}

  /** Returns the computation of {@code name} that holds one operation of {@code def}. */
  static Operation wrap(
      String name,
      OpDef def,
      ImmutableList<Value> operands,
      Type result,
      Attributes attributes,
      Location location) {
    ImmutableList.Builder<Operation> body = ImmutableList.builder();
    ImmutableList.Builder<Value> parameters = ImmutableList.builder();
    for (int i = 0; i < operands.size(); i++) {
      Value parameter = new Value(operands.get(i).type(), name + ".param_" + i);
      parameters.add(parameter);
      body.add(
          new Operation(
              BuiltinOps.PARAMETER,
              ImmutableList.of(),
              ImmutableList.of(parameter),
              Attributes.of(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(i)),
              ImmutableList.of(),
              location,
              null));
    }
    Attributes.Builder inner = Attributes.builder();
    attributes.forEach(
        (key, value) -> {
          if (!OUTER.contains(key)) {
            inner.put(key, value);
          }
        });
    Operation root =
        new Operation(
            def,
            parameters.build(),
            ImmutableList.of(new Value(result, name + ".result")),
            inner.build(),
            ImmutableList.of(),
            location,
            null);
    body.add(root);
    Attributes.Builder own = Attributes.builder().put(BuiltinOps.SYM_NAME, Attribute.Str.of(name));
    Attribute thread = attributes.get(THREAD);
    if (thread != null) {
      own.put(COMPUTATION_THREAD, thread);
    }
    Block block = new Block(ImmutableList.of(), body.build(), root, ImmutableList.of());
    return new Operation(
        BuiltinOps.FUNC,
        ImmutableList.of(),
        ImmutableList.of(),
        own.build(),
        ImmutableList.of(Region.of(block)),
        location,
        null);
  }

  /** Returns the attributes of the {@code async-start} that runs computation {@code name}. */
  static Attributes outer(Attributes attributes, String name) {
    Attributes.Builder out = Attributes.builder();
    attributes.forEach(
        (key, value) -> {
          if (OUTER.contains(key)) {
            out.put(key, value);
          }
        });
    return out.put(CALLS, Attribute.Symbol.of(name)).build();
  }

  /** Returns what an asynchronous operation of type {@code start} gives once it is done. */
  static @Nullable Type resultOf(Type start) {
    if (start instanceof TupleType && ((TupleType) start).elements().size() >= 2) {
      return ((TupleType) start).elements().get(1);
    }
    return null;
  }

  // ---- printing ----

  /**
   * Returns which computations and operations of {@code module} are written as sugar: chains whose
   * every member is in sight. A computation that something else calls, or whose start travels
   * through another operation, must be listed, and then sugar would make a second one of it.
   */
  static AsyncSugar of(Module module) {
    AsyncSugar sugar = new AsyncSugar();
    Set<String> listed = new HashSet<>();
    for (Function function : module.functions()) {
      for (Operation operation : function.body().operations()) {
        if (isOp(operation, OpcodeTable.ASYNC_START)) {
          sugar.start(operation, module);
        } else if (isOp(operation, OpcodeTable.ASYNC_UPDATE)
            || isOp(operation, OpcodeTable.ASYNC_DONE)) {
          if (!sugar.follow(operation)) {
            listed.addAll(Bodies.callees(operation));
          }
        } else {
          listed.addAll(Bodies.callees(operation));
          for (Value operand : operation.operands()) {
            if (sugar.running.contains(operand)) {
              listed.add(requireNonNull(sugar.callees.get(operand)));
            }
          }
        }
      }
    }
    if (module.entry() != null) {
      listed.add(module.entry());
    }
    sugar.wrapped.keySet().removeAll(listed);
    sugar.suffixes.keySet().removeIf(value -> listed.contains(sugar.callees.get(value)));
    return sugar;
  }

  private static boolean isOp(Operation operation, String opcode) {
    return opcode.equals(operation.def().hloName());
  }

  private void start(Operation operation, Module module) {
    Attribute callee = operation.attribute(CALLS);
    if (!(callee instanceof Attribute.Symbol)) {
      return;
    }
    String name = ((Attribute.Symbol) callee).name();
    Operation inner = wrapped.get(name);
    if (inner == null) {
      inner = module.function(name).map(AsyncSugar::only).orElse(null);
    }
    if (inner != null) {
      wrapped.put(name, inner);
      suffixes.put(operation.result(), requireNonNull(inner.def().hloName()));
      callees.put(operation.result(), name);
      running.add(operation.result());
    }
  }

  /** Marks what continues a chain that can be written as sugar; returns whether it does. */
  private boolean follow(Operation operation) {
    Value before = operation.operands().size() == 1 ? operation.operand(0) : null;
    String base = suffixes.get(before);
    if (before == null || base == null) {
      return false;
    }
    suffixes.put(operation.result(), base);
    callees.put(operation.result(), requireNonNull(callees.get(before)));
    if (isOp(operation, OpcodeTable.ASYNC_UPDATE)) {
      running.add(operation.result());
    }
    return true;
  }

  /** Returns the one operation of a computation that only passes its parameters on, in order. */
  private static @Nullable Operation only(Function function) {
    if (function.isDeclaration()) {
      return null;
    }
    Operation root = function.body().root();
    ImmutableList<Operation> operations = function.body().operations();
    if (root == null
        || root.is(BuiltinOps.PARAMETER)
        || root.def().hloName() == null
        // Its sugar would read as the opcodes of that name, all-reduce-start or send-done.
        || OpSet.standard().byHloName(root.def().hloName() + "-start") != null
        || OpSet.standard().byHloName(root.def().hloName() + "-done") != null
        || root.operands().size() != operations.size() - 1
        || !root.operands().equals(function.parameters())) {
      return null;
    }
    return root;
  }

  /** Returns whether the computation of {@code name} is not listed. */
  boolean hides(String name) {
    return wrapped.containsKey(name);
  }

  /** Returns the opcode without its suffix when {@code operation} is written as sugar. */
  @Nullable String opcode(Operation operation) {
    return suffixes.isEmpty() ? null : suffixes.get(operation.result());
  }

  /** Returns the attributes that sugar shows: those of the operation and of what it starts. */
  Attributes attributes(Operation operation) {
    Attribute callee = operation.attribute(CALLS);
    Attributes own = operation.attributes();
    if (!(callee instanceof Attribute.Symbol)) {
      return own;
    }
    Operation inner = wrapped.get(((Attribute.Symbol) callee).name());
    Attributes.Builder out = Attributes.builder();
    if (own.has(THREAD)) {
      out.put(THREAD, requireNonNull(own.get(THREAD)));
    }
    if (inner != null && isOp(operation, OpcodeTable.ASYNC_START)) {
      inner.attributes().forEach(out::put);
    }
    own.forEach(
        (key, value) -> {
          if (!key.equals(CALLS)) {
            out.set(key, value);
          }
        });
    return out.build();
  }
}
