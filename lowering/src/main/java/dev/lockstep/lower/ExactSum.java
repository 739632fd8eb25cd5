package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import java.util.function.BiFunction;

/**
 * Moves values with a reduction: all ranks but one of a group put zeros in, so the sum is what that
 * one put in, bit for bit.
 *
 * <p>Floats are summed as unsigned integers of their bits: a float sum would turn -0.0 into 0.0 and
 * could change the payload of a NaN. All other terms are zero, so nothing carries. Bools are joined
 * by {@code or}; complex numbers go as their real and imaginary parts. A rank's own values are left
 * out by select, never by multiplying with zero, since 0 * NaN is NaN.
 */
final class ExactSum {
  private final Emitter emit;
  private final RankValues ranks;
  private final GridCollectives collectives;

  ExactSum(Emitter emit, RankValues ranks, GridCollectives collectives) {
    this.emit = emit;
    this.ranks = ranks;
    this.collectives = collectives;
  }

  /** Returns on every rank what the rank of its group that is in {@code sources} holds. */
  Value allReduce(Value value, boolean[] sources, ImmutableList<ImmutableIntArray> groups) {
    return move(
        value,
        sources,
        (part, kind) -> collectives.allReduce(ImmutableList.of(part), kind, groups).get(0));
  }

  /** Returns on every rank its share of the rows that the rank in {@code sources} holds. */
  Value reduceScatter(Value value, boolean[] sources, ImmutableList<ImmutableIntArray> groups) {
    return move(value, sources, (part, kind) -> collectives.reduceScatter(part, kind, groups));
  }

  private Value move(
      Value value, boolean[] sources, BiFunction<Value, ReductionKind, Value> reduction) {
    ElementType element = Emitter.type(value).element();
    if (element.isComplex()) {
      Value real = move(emit.real(value), sources, reduction);
      Value imag = move(emit.imag(value), sources, reduction);
      return emit.complex(real, imag);
    }
    if (element.isFloat() && element.bits() == 6) {
      // No integer has six bits; float32 holds every such value, none of which is NaN.
      return emit.convert(move(emit.convert(value, ElementType.F32), sources, reduction), element);
    }
    Value bits = element.isFloat() ? emit.bitcast(value, bitsOf(element)) : value;
    Value masked = ranks.choose(sources, bits, emit.zeros(Emitter.type(bits)));
    return emit.bitcast(
        reduction.apply(masked, element.isBool() ? ReductionKind.OR : ReductionKind.ADD), element);
  }

  private static ElementType bitsOf(ElementType element) {
    return switch (element.bits()) {
      case 4 -> ElementType.UI4;
      case 8 -> ElementType.UI8;
      case 16 -> ElementType.UI16;
      case 32 -> ElementType.UI32;
      default -> ElementType.UI64;
    };
  }
}
