package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.text.Texts;
import java.util.ArrayList;
import java.util.List;

/** Runs texts whose tensors all hold the number of the device plus one. */
final class Grids {
  private Grids() {}

  static Module read(String name, String text) {
    return Texts.read(Source.of(name, text));
  }

  static ImmutableList<ImmutableList<Datum>> run(
      Program program, int replicas, int partitions, InterpreterOptions options) {
    DeviceGrid grid = new DeviceGrid(replicas, partitions);
    List<ImmutableList<Datum>> arguments = new ArrayList<>();
    for (int device = 0; device < grid.size(); device++) {
      arguments.add(
          Flattening.pack(
              program.entry(device),
              device,
              (index, where, type) -> Literal.splatOf(type, where + 1L)));
    }
    return GridInterpreter.run(program, grid, arguments, options);
  }

  /** Returns the first element of the first result on each device. */
  static List<Double> firsts(Program program, int replicas, int partitions) {
    return run(program, replicas, partitions, InterpreterOptions.DEFAULT).stream()
        .map(results -> Flattening.flatten(results).get(0).getDouble(0))
        .toList();
  }

  /** Returns all elements of the first result on device 0. */
  static List<Double> elements(Program program, int replicas, int partitions) {
    Literal first =
        Flattening.flatten(run(program, replicas, partitions, InterpreterOptions.DEFAULT).get(0))
            .get(0);
    List<Double> out = new ArrayList<>();
    for (int i = 0; i < first.count(); i++) {
      out.add(first.getDouble(i));
    }
    return out;
  }

  /** Returns the report of a run that fails. */
  static String failure(Program program, int replicas, int partitions, InterpreterOptions options) {
    try {
      run(program, replicas, partitions, options);
    } catch (DiagnosticException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("it ran");
  }
}
