package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Accumulators of integers and i1, which wrap after every step. */
final class LongFold extends Fold {
  private record Longs(long[] values) implements Source {}

  private final ReductionKind kind;
  private final TensorType type;
  private final long[] acc;

  LongFold(ReductionKind kind, Literal start) {
    this.kind = kind;
    this.type = start.type();
    this.acc = Wide.longs(start);
  }

  @Override
  public Source source(ImmutableList<Literal> inputs) {
    return new Longs(Wide.longs(Wide.cast(inputs.get(0), type.element())));
  }

  @Override
  public void fold(int at, int atStep, Source in, int from, int fromStep, int count) {
    long[] x = ((Longs) in).values;
    ElementType element = type.element();
    boolean unsigned = element.isUnsigned();
    for (int k = 0; k < count; k++) {
      int to = at + k * atStep;
      acc[to] = Wide.wrap(element, kind.apply(acc[to], x[from + k * fromStep], unsigned));
    }
  }

  @Override
  public ImmutableList<Literal> build() {
    return ImmutableList.of(Wide.ofLongs(type, acc));
  }
}
