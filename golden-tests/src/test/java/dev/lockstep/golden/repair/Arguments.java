package dev.lockstep.golden.repair;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.golden.run.Execution;
import dev.lockstep.golden.run.GoldenInputs;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.merge.AddedInput;
import dev.lockstep.pass.region.repair.DivergenceRepair;
import dev.lockstep.pass.region.shards.PaddedTensor;
import org.jspecify.annotations.Nullable;

/** The arguments of a repaired program that the originals take, and its results cut to theirs. */
record Arguments(DivergenceRepair.Result repair, ProgramClasses classes, long seed) {

  /** Returns the argument, or null for the one that the original takes. */
  @Nullable Literal value(int index, int device, TensorType type) {
    for (AddedInput input : repair.inputs()) {
      if (input.index() == index) {
        Literal literal = input.byClass().get(classes.of(device));
        assertThat(literal.type().isSameShape(type)).isTrue();
        return literal;
      }
    }
    PaddedTensor padded = padded(true, index);
    if (padded == null) {
      return null;
    }
    ImmutableLongArray own = padded.byClass().get(classes.of(device));
    Literal given = GoldenInputs.of(TensorType.of(type.element(), own), seed, index, device);
    return embedded(given, type, garbage(type));
  }

  private @Nullable PaddedTensor padded(boolean isArgument, int index) {
    for (PaddedTensor tensor : repair.padded()) {
      if (tensor.isArgument() == isArgument && tensor.index() == index) {
        return tensor;
      }
    }
    return null;
  }

  /** What must not be seen in any result. */
  private static Literal garbage(TensorType type) {
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < type.count(); i++) {
      if (type.element().isFloat()) {
        out.setDouble(i, i % 2 == 0 ? Double.NaN : Double.POSITIVE_INFINITY);
      } else {
        out.setLong(i, 77 + i);
      }
    }
    return out.build();
  }

  private static Literal embedded(Literal small, TensorType type, Literal rest) {
    LiteralBuilder out = new LiteralBuilder(type);
    out.copyRange(0, rest, 0, rest.count());
    for (int i = 0; i < small.count(); i++) {
      out.copy(moved(i, small.dims(), type.dims()), small, i);
    }
    return out.build();
  }

  /** Returns the place in {@code to} of element {@code i} of {@code from}. */
  private static int moved(int i, ImmutableLongArray from, ImmutableLongArray to) {
    long rest = i;
    long at = 0;
    long stride = 1;
    for (int d = from.length() - 1; d >= 0; d--) {
      at += rest % from.get(d) * stride;
      rest /= from.get(d);
      stride *= to.get(d);
    }
    return Math.toIntExact(at);
  }

  /** Returns the results without what padding added. */
  Execution trimmed(Execution execution) {
    ImmutableList.Builder<ImmutableList<Literal>> out = ImmutableList.builder();
    for (int device = 0; device < execution.results().size(); device++) {
      ImmutableList<Literal> results = execution.results().get(device);
      ImmutableList.Builder<Literal> trimmed = ImmutableList.builder();
      for (int i = 0; i < results.size(); i++) {
        PaddedTensor padded = padded(false, i);
        trimmed.add(
            padded == null
                ? results.get(i)
                : trimmed(results.get(i), padded.byClass().get(classes.of(device))));
      }
      out.add(trimmed.build());
    }
    return new Execution(out.build());
  }

  private static Literal trimmed(Literal large, ImmutableLongArray dims) {
    LiteralBuilder out = new LiteralBuilder(TensorType.of(large.element(), dims));
    Literal dense = large.dense();
    for (int i = 0; i < out.type().count(); i++) {
      out.copy(i, dense, moved(i, dims, large.dims()));
    }
    return out.build();
  }
}
