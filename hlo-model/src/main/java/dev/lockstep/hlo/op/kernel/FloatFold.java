package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Accumulators of f32. */
final class FloatFold extends Fold {
  private record Floats(float[] values) implements Source {}

  private final ReductionKind kind;
  private final TensorType type;
  private final float[] acc;

  FloatFold(ReductionKind kind, Literal start) {
    this.kind = kind;
    this.type = start.type();
    this.acc = ((float[]) start.storage()).clone();
  }

  @Override
  public Source source(ImmutableList<Literal> inputs) {
    return new Floats((float[]) Wide.cast(inputs.get(0), ElementType.F32).storage());
  }

  @Override
  public void fold(int at, int atStep, Source in, int from, int fromStep, int count) {
    float[] x = ((Floats) in).values;
    if (kind == ReductionKind.ADD && atStep == 1 && fromStep == 1) {
      for (int k = 0; k < count; k++) {
        acc[at + k] += x[from + k];
      }
    } else if (kind == ReductionKind.ADD && atStep == 0) {
      float sum = acc[at];
      for (int k = 0; k < count; k++) {
        sum += x[from + k * fromStep];
      }
      acc[at] = sum;
    } else {
      for (int k = 0; k < count; k++) {
        int to = at + k * atStep;
        acc[to] = kind.apply(acc[to], x[from + k * fromStep]);
      }
    }
  }

  @Override
  public ImmutableList<Literal> build() {
    return ImmutableList.of(Literal.of(type, acc));
  }
}
