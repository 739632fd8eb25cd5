package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.build.Rewriter;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.compute.Einsum;
import dev.lockstep.hlo.op.compute.UnaryEinsum;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.hlo.op.control.Fusion;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A program as XLA's compiler for CPUs takes it: what it does not implement is said by what it
 * does, where that means the same to the bit. Found by running on the plugins of PJRT 0.81 and
 * 0.115; written the same for both, so that what one of them runs was also tested on the other.
 *
 * <ul>
 *   <li>Asynchronous operations: 0.81 has none, and 0.115 ends the process on one that is not a
 *       collective.
 *   <li>{@code annotate_device_placement}: all memory of a CPU is the host's, and only a newer XLA
 *       takes the note out.
 *   <li>{@code unary_einsum}, which StableHLO defines as an {@code einsum} whose other operand is
 *       one.
 *   <li>Fusions of code that something else runs too, on which XLA ends the process: calls, which
 *       it fuses as it likes.
 *   <li>Bitwise reductions of integers among devices, and those of numbers of less than a byte.
 * </ul>
 */
final class CpuForm {
  private final BitwiseReductions reductions;

  /** How often each computation is run. */
  private final ImmutableMultiset<String> uses;

  private CpuForm(Module module) {
    reductions = new BitwiseReductions(module);
    ImmutableMultiset.Builder<String> all = ImmutableMultiset.builder();
    module.walk(operation -> all.addAll(Bodies.callees(operation)));
    uses = all.build();
  }

  /**
   * Returns {@code module} for CPUs; the same object when it has nothing of that.
   *
   * @throws DiagnosticException if it permutes slices in place, on which XLA ends the process
   */
  static Module of(Module module) {
    Module done = Synchronous.of(module);
    return Rewriter.rewrite(done, new CpuForm(done)::rewrite);
  }

  private @Nullable ImmutableList<Value> rewrite(Operation operation, OpBuilder builder) {
    if (operation.is(CollectivePermute.DEF) && operation.attributes().has("slice_sizes")) {
      throw DiagnosticException.error(
          "pjrt-permute",
          "XLA's compiler for CPUs ends the process on a permute that writes slices in place",
          operation.location());
    }
    ImmutableList<Value> local = local(operation, builder);
    return local != null ? local : reductions.rewrite(operation, builder);
  }

  private @Nullable ImmutableList<Value> local(Operation operation, OpBuilder builder) {
    if (operation.is(CustomCall.DEF)
        && "annotate_device_placement".equals(CustomCall.TARGET.find(operation))
        && operation.operands().size() == operation.results().size()) {
      return operation.operands();
    }
    if (operation.is(UnaryEinsum.DEF) && operation.operand(0).type() instanceof TensorType type) {
      Value one = builder.scalar(type.element(), 1);
      Attribute equation = Attribute.Str.of("," + UnaryEinsum.EQUATION.get(operation));
      return ImmutableList.of(
          builder.emit(
              Einsum.DEF,
              ImmutableList.of(one, operation.operand(0)),
              operation.result().type(),
              operation.attributes().with("einsum_config", equation)));
    }
    if (operation.is(Fusion.DEF)
        && Bodies.callees(operation).stream().anyMatch(name -> uses.count(name) > 1)) {
      Attribute callee = Attribute.Symbol.of(Bodies.callees(operation).get(0));
      return ImmutableList.of(
          builder.emit(
              BuiltinOps.CALL,
              operation.operands(),
              operation.result().type(),
              Attributes.of("to_apply", callee)));
    }
    return null;
  }
}
