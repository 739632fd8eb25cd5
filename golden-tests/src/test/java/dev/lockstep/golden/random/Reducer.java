package dev.lockstep.golden.random;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.TensorType;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes a failing program small: drops one operation after the other while it still fails. */
final class Reducer {
  private Reducer() {}

  /** Returns a program for which {@code fails} holds, as it does for {@code module}. */
  static Module reduce(Module module, Predicate<Module> fails) {
    Module smallest = module;
    boolean shrunk = true;
    while (shrunk) {
      shrunk = false;
      ImmutableList<Operation> operations =
          smallest.entryFunction().orElseThrow().body().operations().reverse();
      for (Operation operation : operations) {
        Module candidate = without(smallest, operation);
        if (candidate != smallest && fails.test(candidate)) {
          smallest = candidate;
          shrunk = true;
          break;
        }
      }
    }
    return smallest;
  }

  /** Returns the module with something simple in the place of {@code dropped}. */
  private static Module without(Module module, Operation dropped) {
    if (dropped.def().isTerminator() || dropped.is(BuiltinOps.PARAMETER)) {
      return module;
    }
    Function entry = module.entryFunction().orElseThrow();
    return Rewriter.rewrite(
        module,
        (operation, builder) ->
            operation.results().equals(dropped.results()) && !operation.results().isEmpty()
                ? standIns(operation, entry, builder)
                : null);
  }

  private static @Nullable ImmutableList<Value> standIns(
      Operation operation, Function entry, OpBuilder builder) {
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Value result : operation.results()) {
      Value standIn = null;
      for (Value candidate :
          ImmutableList.<Value>builder()
              .addAll(operation.operands())
              .addAll(entry.parameters())
              .build()) {
        if (standIn == null && candidate.type().equals(result.type())) {
          standIn = candidate;
        }
      }
      if (standIn == null && result.type() instanceof TensorType type && isNoConstant(operation)) {
        standIn = builder.zeros(type);
      }
      if (standIn == null) {
        return null;
      }
      out.add(standIn);
    }
    return out.build();
  }

  private static boolean isNoConstant(Operation operation) {
    return !operation.operands().isEmpty();
  }
}
