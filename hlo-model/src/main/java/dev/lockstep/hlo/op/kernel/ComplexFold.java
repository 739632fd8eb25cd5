package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Accumulators of complex numbers; parts are rounded after every step. */
final class ComplexFold extends Fold {
  private record Pairs(double[] values) implements Source {}

  private final ReductionKind kind;
  private final TensorType type;
  private final double[] acc;

  ComplexFold(ReductionKind kind, Literal start) {
    this.kind = kind;
    this.type = start.type();
    this.acc = Wide.pairs(start);
  }

  @Override
  public Source source(ImmutableList<Literal> inputs) {
    return new Pairs(Wide.pairs(Wide.cast(inputs.get(0), type.element())));
  }

  @Override
  public void fold(int at, int atStep, Source in, int from, int fromStep, int count) {
    double[] values = ((Pairs) in).values;
    ElementType element = type.element();
    for (int k = 0; k < count; k++) {
      int to = 2 * (at + k * atStep);
      int of = 2 * (from + k * fromStep);
      double re = acc[to];
      double im = acc[to + 1];
      double x = values[of];
      double y = values[of + 1];
      if (kind == ReductionKind.ADD) {
        acc[to] = Wide.round(element, re + x);
        acc[to + 1] = Wide.round(element, im + y);
      } else {
        acc[to] = Wide.round(element, re * x - im * y);
        acc[to + 1] = Wide.round(element, re * y + im * x);
      }
    }
  }

  @Override
  public ImmutableList<Literal> build() {
    return ImmutableList.of(Wide.ofPairs(type, acc));
  }
}
