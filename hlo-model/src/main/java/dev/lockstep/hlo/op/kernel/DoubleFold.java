package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Accumulators of f64, and of floats narrower than f32, which are rounded after every step. */
final class DoubleFold extends Fold {
  private record Doubles(double[] values) implements Source {}

  private final ReductionKind kind;
  private final TensorType type;
  private final double[] acc;

  DoubleFold(ReductionKind kind, Literal start) {
    this.kind = kind;
    this.type = start.type();
    this.acc = Wide.doubles(start);
  }

  @Override
  public Source source(ImmutableList<Literal> inputs) {
    return new Doubles(Wide.doubles(Wide.cast(inputs.get(0), type.element())));
  }

  @Override
  public void fold(int at, int atStep, Source in, int from, int fromStep, int count) {
    double[] x = ((Doubles) in).values;
    ElementType element = type.element();
    boolean exact = element == ElementType.F64;
    for (int k = 0; k < count; k++) {
      int to = at + k * atStep;
      double next = kind.apply(acc[to], x[from + k * fromStep]);
      acc[to] = exact ? next : Wide.round(element, next);
    }
  }

  @Override
  public ImmutableList<Literal> build() {
    return ImmutableList.of(Wide.ofDoubles(type, acc));
  }
}
