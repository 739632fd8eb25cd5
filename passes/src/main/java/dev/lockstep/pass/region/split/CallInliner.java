package dev.lockstep.pass.region.split;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import org.jspecify.annotations.Nullable;

/**
 * Writes out the calls of the entry function whose functions communicate, so that their collectives
 * stand in the entry and can be cut apart. Functions that do not communicate stay called.
 */
final class CallInliner {
  private static final int MAX_DEPTH = 100;

  private final Module module;
  private final Communication communication;
  private final BuildScope scope;

  private CallInliner(Module module) {
    this.module = module;
    this.communication = new Communication(module);
    this.scope = BuildScope.of(module);
  }

  /** Returns {@code module} with such calls written out; the same object when it has none. */
  static Module inline(Module module) {
    Function entry = module.entryFunction().orElseThrow();
    CallInliner inliner = new CallInliner(module);
    Block body = entry.body();
    for (int depth = 0; ; depth++) {
      checkState(depth < MAX_DEPTH, "calls do not end");
      Block next = Rewriter.rewrite(body, inliner.scope, inliner::call);
      if (next == body) {
        break;
      }
      body = next;
    }
    Function inlined = entry.withBody(body);
    return module.mapEntry(old -> inlined);
  }

  private @Nullable ImmutableList<Value> call(Operation operation, OpBuilder builder) {
    if (!operation.is(BuiltinOps.CALL) || !communication.in(operation)) {
      return null;
    }
    Block body = Bodies.of(operation, module).get(0);
    BlockCopy copy = new BlockCopy(scope);
    ImmutableList<Value> parameters = Function.parametersOf(body);
    for (int i = 0; i < parameters.size(); i++) {
      copy.put(parameters.get(i), operation.operand(i));
    }
    for (Operation inner : body.operations()) {
      if (!inner.is(BuiltinOps.PARAMETER) && !inner.def().isTerminator()) {
        builder.add(copy.of(inner));
      }
    }
    return copy.of(body.returned());
  }
}
