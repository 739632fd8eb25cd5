package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;

/** Accumulators whose reducer gives back the new element: updates that replace. */
final class CopyFold extends Fold {
  private record Copies(Literal literal) implements Source {}

  private final TensorType type;
  private final LiteralBuilder acc;

  CopyFold(Literal start) {
    this.type = start.type();
    this.acc = new LiteralBuilder(type);
    acc.copyRange(0, start, 0, start.count());
  }

  @Override
  public Source source(ImmutableList<Literal> inputs) {
    return new Copies(Wide.cast(inputs.get(0), type.element()));
  }

  @Override
  public void fold(int at, int atStep, Source in, int from, int fromStep, int count) {
    Literal literal = ((Copies) in).literal;
    if (atStep == 1 && fromStep == 1) {
      acc.copyRange(at, literal, from, count);
      return;
    }
    for (int k = 0; k < count; k++) {
      acc.copy(at + k * atStep, literal, from + k * fromStep);
    }
  }

  @Override
  public ImmutableList<Literal> build() {
    return ImmutableList.of(acc.build());
  }
}
