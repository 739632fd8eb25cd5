package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.data.DynamicSlice;
import dev.lockstep.hlo.op.data.DynamicUpdateSlice;
import dev.lockstep.hlo.op.data.Slice;
import dev.lockstep.hlo.type.FutureType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of StableHLO's asynchronous operations, whose body is a region. HLO text, which calls a
 * computation of any content and carries operands and results along, has rules of its own.
 */
final class AsyncRules {
  private static final ImmutableSet<OpDef> SLICES =
      ImmutableSet.of(Slice.DEF, DynamicSlice.DEF, DynamicUpdateSlice.DEF);

  private AsyncRules() {}

  static void body(Operation start, String code, DiagnosticSink sink) {
    boolean isHlo = start.regions().isEmpty() && start.attribute("calls") != null;
    if (!isHlo && started(start) == null) {
      sink.error(code, "the body must be one operation and a return", start.location());
    }
  }

  private static @Nullable Operation started(Operation start) {
    if (start.regions().size() != 1) {
      return null;
    }
    ImmutableList<Block> blocks = start.regions().get(0).blocks();
    return blocks.size() == 1 && blocks.get(0).operations().size() == 2
        ? blocks.get(0).operations().get(0)
        : null;
  }

  static void kind(Operation start, String code, DiagnosticSink sink) {
    Operation inner = started(start);
    if (inner != null
        && !(inner.def().semantics() instanceof Semantics.Collective)
        && !SLICES.contains(inner.def())) {
      sink.error(
          code,
          "the body holds "
              + inner.def().nameIn(Syntax.STABLEHLO)
              + ", must hold a collective or a slice",
          inner.location());
    }
  }

  static void arguments(Operation start, String code, DiagnosticSink sink) {
    if (started(start) == null) {
      return;
    }
    Block body = start.regions().get(0).blocks().get(0);
    List<Type> wanted = Function.parametersOf(body).stream().map(Value::type).toList();
    if (!wanted.equals(start.operandTypes())) {
      sink.error(
          code,
          "the operands are " + start.operandTypes() + ", the body takes " + wanted,
          start.location());
    }
  }

  static void future(Operation start, String code, DiagnosticSink sink) {
    if (started(start) == null) {
      return;
    }
    ImmutableList<Type> given =
        start.regions().get(0).blocks().get(0).returned().stream()
            .map(Value::type)
            .collect(ImmutableList.toImmutableList());
    FutureType wanted = new FutureType(given);
    if (!start.resultTypes().equals(ImmutableList.of(wanted))) {
      sink.error(
          code,
          "the result is " + start.resultTypes() + ", the body gives " + wanted,
          start.location());
    }
  }

  static void done(Operation done, String code, DiagnosticSink sink) {
    if (done.operands().size() == 1
        && done.operand(0).type() instanceof FutureType future
        && !future.types().equals(done.resultTypes())) {
      sink.error(
          code,
          "the results are " + done.resultTypes() + ", the future is of " + future.types(),
          done.location());
    }
  }
}
