package dev.lockstep.golden.run;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.reference.C10dReference;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every device of a grid computes.
 *
 * @param results for each device its results, tuples taken apart
 */
public record Execution(ImmutableList<ImmutableList<Literal>> results) {

  /**
   * Runs {@code module} on seeded arguments. One that still holds torch.distributed calls runs on
   * the reference interpreter, which knows what torch means by them.
   */
  public static Execution of(Module module, DeviceGrid grid, long seed) {
    Program program = Program.of(module);
    List<ImmutableList<Datum>> arguments = arguments(program, grid, seed, NONE_GIVEN);
    return of(
        C10dReference.isNeeded(module)
            ? C10dReference.run(module, grid, arguments)
            : GridInterpreter.run(program, grid, arguments, InterpreterOptions.DEFAULT));
  }

  private static List<ImmutableList<Datum>> arguments(
      Program program, DeviceGrid grid, long seed, GivenArguments given) {
    return Flattening.supplied(
        program,
        grid,
        (index, device, type) -> {
          Literal literal = given.value(index, device, type);
          return literal != null ? literal : GoldenInputs.of(type, seed, index, device);
        });
  }

  /** Returns what devices gave. */
  static Execution of(List<ImmutableList<Datum>> results) {
    ImmutableList.Builder<ImmutableList<Literal>> out = ImmutableList.builder();
    for (ImmutableList<Datum> device : results) {
      out.add(Flattening.flatten(device));
    }
    return new Execution(out.build());
  }

  /** Gives arguments that are not seeded ones. */
  public interface GivenArguments {
    /** Returns the argument, or null for a seeded one. */
    @Nullable Literal value(int index, int device, TensorType type);
  }

  /** All arguments are seeded. */
  public static final GivenArguments NONE_GIVEN = (index, device, type) -> null;

  /** Runs the programs of ranks; device d runs {@code ranks.get(d)}. */
  public static Execution ofRanks(
      List<Module> ranks, DeviceGrid grid, long seed, GivenArguments given) {
    Program program = Program.ofRanks(ranks);
    return of(
        GridInterpreter.run(
            program, grid, arguments(program, grid, seed, given), InterpreterOptions.DEFAULT));
  }

  /**
   * Returns where {@code other} differs, or null when nothing does. Bits must be equal, but that
   * any NaN equals any NaN.
   */
  public @Nullable String differenceFrom(Execution other) {
    for (int device = 0; device < results.size(); device++) {
      ImmutableList<Literal> mine = results.get(device);
      ImmutableList<Literal> theirs = other.results.get(device);
      if (mine.size() != theirs.size()) {
        return "device " + device + " gives " + mine.size() + " and " + theirs.size() + " results";
      }
      for (int i = 0; i < mine.size(); i++) {
        String difference = difference(mine.get(i), theirs.get(i));
        if (difference != null) {
          return "device " + device + ", result " + i + ": " + difference;
        }
      }
    }
    return null;
  }

  private static @Nullable String difference(Literal a, Literal b) {
    if (!a.type().equals(b.type())) {
      return a.type() + " and " + b.type();
    }
    for (int i = 0; i < a.count(); i++) {
      boolean bothNaN =
          a.element().isFloat() && Double.isNaN(a.getDouble(i)) && Double.isNaN(b.getDouble(i));
      if (!bothNaN && !a.sameBits(i, b, i)) {
        return "element " + i + " differs: " + a + " and " + b;
      }
    }
    return null;
  }

  /** Returns the text of a {@code values} section. */
  public String toText() {
    StringBuilder out = new StringBuilder();
    for (int device = 0; device < results.size(); device++) {
      for (int i = 0; i < results.get(device).size(); i++) {
        out.append("out").append(i).append(".dev").append(device).append(": ");
        out.append(results.get(device).get(i).dense()).append('\n');
      }
    }
    return out.toString();
  }
}
