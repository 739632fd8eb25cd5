package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.Semantics.BodyRunner;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/**
 * Accumulators that a reducer folds elements into, {@code acc[at] = reducer(acc[at], in[from])},
 * one tensor for each of the reducer's inputs, all of one shape.
 *
 * <p>Reducers of a {@link ReductionKind} run as loops over arrays, all others run through their
 * body. Both give the same bits: every step rounds to the element type, as the reducer says, and
 * the callers state the order of the steps.
 */
public abstract class Fold {
  /** Inputs in the form that the accumulators work on; made by {@link #source}. */
  public interface Source {}

  /**
   * Returns accumulators.
   *
   * @param bodies runs the reducer, body {@code index}
   * @param index which body is the reducer
   * @param starts what the accumulators hold at first; their types are those of the results
   */
  public static Fold of(BodyRunner bodies, int index, ImmutableList<Literal> starts) {
    Block body = bodies.body(index);
    ReductionKind kind = ReductionKind.of(body);
    if (starts.size() == 1 && kind != null && kind.supports(starts.get(0).element())) {
      return of(kind, starts.get(0));
    }
    int parameters = Function.parametersOf(body).size();
    if (starts.size() == 1
        && parameters == 2
        && body.returned().equals(Function.parametersOf(body).subList(1, 2))) {
      return new CopyFold(starts.get(0));
    }
    checkArgument(
        parameters == 2 * starts.size(),
        "the reducer has %s parameters, needed are %s",
        parameters,
        2 * starts.size());
    return new BodyFold(bodies, index, starts);
  }

  /** Returns an accumulator of a known kind, which must support the type. */
  public static Fold of(ReductionKind kind, Literal start) {
    return switch (start.element().kind()) {
      case FLOAT ->
          start.element() == ElementType.F32
              ? new FloatFold(kind, start)
              : new DoubleFold(kind, start);
      case COMPLEX -> new ComplexFold(kind, start);
      case BOOL, SIGNED, UNSIGNED -> new LongFold(kind, start);
    };
  }

  /** Returns {@code inputs}, one a start, ready to be folded in. */
  public abstract Source source(ImmutableList<Literal> inputs);

  /**
   * Folds {@code count} elements in: step k folds {@code in[from + k * fromStep]} into {@code
   * acc[at + k * atStep]}.
   */
  public abstract void fold(int at, int atStep, Source in, int from, int fromStep, int count);

  /** Folds one element in. */
  public final void fold(int at, Source in, int from) {
    fold(at, 1, in, from, 1, 1);
  }

  /** Returns what the accumulators hold; they must not be used afterwards. */
  public abstract ImmutableList<Literal> build();

  /** Returns a start of type {@code type} full of the scalar {@code init}. */
  public static Literal start(TensorType type, Literal init) {
    Literal scalar = Wide.cast(init, type.element());
    return Literal.splat(type, scalar.reshaped(TensorType.of(type.element())).storage());
  }
}
