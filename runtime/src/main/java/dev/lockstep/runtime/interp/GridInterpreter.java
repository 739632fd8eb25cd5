package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import java.util.List;

/**
 * Runs a program on every device of a grid and gives what each computes.
 *
 * <p>One device moves at a time, always in the same order, so a run gives the same on every
 * machine. A device that comes to a collective waits until all members of its group have come; when
 * no device can move, {@link DiagnosticException} says who waits where and for whom. Nothing hangs.
 */
public final class GridInterpreter {
  private GridInterpreter() {}

  /**
   * Runs {@code program}.
   *
   * @param program one text, or one for each device of {@code grid}
   * @param grid the devices
   * @param arguments for each device, the arguments of its entry function in order, as the function
   *     takes them; {@link Flattening#pack} makes tuples of flat values
   * @return for each device what its entry function gives back, one tuple where HLO gives several;
   *     {@link Flattening#flatten} takes tuples apart
   * @throws DiagnosticException if the program cannot be run, with the place and the reason
   */
  public static ImmutableList<ImmutableList<Datum>> run(
      Program program,
      DeviceGrid grid,
      List<ImmutableList<Datum>> arguments,
      InterpreterOptions options) {
    return run(program, grid, arguments, options, new HostSide(options));
  }

  static ImmutableList<ImmutableList<Datum>> run(
      Program program,
      DeviceGrid grid,
      List<ImmutableList<Datum>> arguments,
      InterpreterOptions options,
      HostSide host) {
    checkArgument(
        program.isOneText() || program.size() == grid.size(),
        "%s programs for %s devices",
        program.size(),
        grid.size());
    checkArgument(
        arguments.size() == grid.size(),
        "arguments for %s of %s devices",
        arguments.size(),
        grid.size());
    return new Machine(program, grid, options, host).run(arguments);
  }
}
