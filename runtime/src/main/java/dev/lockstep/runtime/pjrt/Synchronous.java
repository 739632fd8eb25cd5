package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllGatherDone;
import dev.lockstep.hlo.op.collective.AllGatherStart;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllReduceDone;
import dev.lockstep.hlo.op.collective.AllReduceStart;
import dev.lockstep.hlo.op.collective.AsyncDone;
import dev.lockstep.hlo.op.collective.AsyncStart;
import dev.lockstep.hlo.op.collective.AsyncUpdate;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.CollectivePermuteDone;
import dev.lockstep.hlo.op.collective.CollectivePermuteStart;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a program starts and takes up later, done where it is started. It computes the same; when
 * something runs is for a compiler to choose.
 */
final class Synchronous {
  private static final ImmutableMap<OpDef, OpDef> STARTS =
      ImmutableMap.of(
          AllGatherStart.DEF, AllGather.DEF,
          AllReduceStart.DEF, AllReduce.DEF,
          CollectivePermuteStart.DEF, CollectivePermute.DEF);

  private static final ImmutableList<OpDef> ENDS =
      ImmutableList.of(
          AllGatherDone.DEF,
          AllReduceDone.DEF,
          CollectivePermuteDone.DEF,
          AsyncUpdate.DEF,
          AsyncDone.DEF);

  /** What a start gives, by the first of it, which stands for the whole meanwhile. */
  private final Map<Value, ImmutableList<Value>> given = new IdentityHashMap<>();

  private Synchronous() {}

  /** Returns {@code module} without starts; the same object when it has none. */
  static Module of(Module module) {
    Module out = Rewriter.rewrite(module, new Synchronous()::rewrite);
    // A computation on another thread is for starts only.
    return out == module ? module : out.mapFunctions(Synchronous::withoutThread);
  }

  private static Function withoutThread(Function function) {
    Attributes attributes = function.operation().attributes();
    return attributes.has("execution_thread")
        ? new Function(function.operation().withAttributes(attributes.without("execution_thread")))
        : function;
  }

  private @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    if (ENDS.contains(operation.def())) {
      ImmutableList<Value> values = given.get(operation.operand(0));
      return operation.is(AsyncUpdate.DEF) || values == null
          ? ImmutableList.of(operation.operand(0))
          : values;
    }
    OpDef now = STARTS.get(operation.def());
    if (now != null) {
      Type type = operation.result().type();
      boolean isReduce = operation.is(AllReduceStart.DEF);
      return ImmutableList.of(
          builder.emit(
              now, operation.operands(), isReduce ? type : result(type), operation.attributes()));
    }
    return operation.is(AsyncStart.DEF) ? start(operation, builder) : null;
  }

  private ImmutableList<Value> start(Operation operation, OpBuilder builder) {
    if (operation.regions().isEmpty()) {
      ImmutableList<String> callees = Bodies.callees(operation);
      Attributes called = Attributes.of("to_apply", Attribute.Symbol.of(callees.get(0)));
      return ImmutableList.of(
          builder.emit(
              BuiltinOps.CALL, operation.operands(), result(operation.result().type()), called));
    }
    Block body = operation.regions().get(0).entry();
    Map<Value, Value> values = new HashMap<>();
    for (int i = 0; i < body.arguments().size(); i++) {
      values.put(body.arguments().get(i), operation.operand(i));
    }
    Block here = Rewriter.substitute(body, builder.scope(), values);
    List<Operation> inside = here.operations();
    inside.subList(0, inside.size() - 1).forEach(builder::add);
    given.put(here.returned().get(0), here.returned());
    return here.returned().subList(0, 1);
  }

  /** Of operands, results and contexts. */
  private static Type result(Type type) {
    return ((TupleType) type).elements().get(1);
  }
}
