package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics.BodyRunner;

/** Accumulators that run the reducer for every element; the reducer gets all accumulators first. */
final class BodyFold extends Fold {
  private record Literals(ImmutableList<Literal> values) implements Source {}

  private final BodyRunner bodies;
  private final int index;
  private final ImmutableList<Literal> starts;
  private final Literal[][] acc;

  BodyFold(BodyRunner bodies, int index, ImmutableList<Literal> starts) {
    this.bodies = bodies;
    this.index = index;
    this.starts = starts;
    this.acc = new Literal[starts.size()][];
    for (int n = 0; n < acc.length; n++) {
      Literal start = starts.get(n);
      acc[n] = new Literal[start.count()];
      Literal one = start.isSplat() && start.count() > 0 ? Wide.scalarAt(start, 0) : null;
      for (int i = 0; i < acc[n].length; i++) {
        acc[n][i] = one != null ? one : Wide.scalarAt(start, i);
      }
    }
  }

  @Override
  public Source source(ImmutableList<Literal> inputs) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int n = 0; n < acc.length; n++) {
      out.add(Wide.cast(inputs.get(n), starts.get(n).element()));
    }
    return new Literals(out.build());
  }

  @Override
  public void fold(int at, int atStep, Source in, int from, int fromStep, int count) {
    ImmutableList<Literal> inputs = ((Literals) in).values;
    for (int k = 0; k < count; k++) {
      int to = at + k * atStep;
      ImmutableList.Builder<Datum> arguments =
          ImmutableList.builderWithExpectedSize(2 * acc.length);
      for (Literal[] values : acc) {
        arguments.add(values[to]);
      }
      for (int n = 0; n < acc.length; n++) {
        arguments.add(Wide.scalarAt(inputs.get(n), from + k * fromStep));
      }
      ImmutableList<Datum> results = Results.flat(bodies.run(index, arguments.build()));
      for (int n = 0; n < acc.length; n++) {
        acc[n][to] = (Literal) results.get(n);
      }
    }
  }

  @Override
  public ImmutableList<Literal> build() {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int n = 0; n < acc.length; n++) {
      LiteralBuilder values = new LiteralBuilder(starts.get(n).type());
      for (int i = 0; i < acc[n].length; i++) {
        values.copy(i, acc[n][i], 0);
      }
      out.add(values.build());
    }
    return out.build();
  }
}
