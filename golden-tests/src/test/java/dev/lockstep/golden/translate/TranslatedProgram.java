package dev.lockstep.golden.translate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.run.GoldenProgram;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Results;
import java.util.List;

/**
 * A golden case that runs, and what it gives.
 *
 * @param golden the case
 * @param results what its devices compute
 */
record TranslatedProgram(GoldenProgram golden, Results results) {
  /** Returns all cases that run. */
  static ImmutableList<TranslatedProgram> all() {
    ImmutableList.Builder<TranslatedProgram> out = ImmutableList.builder();
    for (GoldenProgram golden : GoldenProgram.all("interpret", "lowering", "passes")) {
      try {
        out.add(new TranslatedProgram(golden, run(golden.module(), golden.grid())));
      } catch (DiagnosticException e) {
        // Cases of errors when run.
      }
    }
    return out.build();
  }

  /** Returns the syntax that the case is not in. */
  Syntax other() {
    return golden.module().syntax() == Syntax.HLO ? Syntax.STABLEHLO : Syntax.HLO;
  }

  /** Returns what differs when {@code text} runs instead, or an empty list. */
  ImmutableList<String> differences(String text) {
    Module module = Programs.read(Source.of(golden.name(), text));
    DiagnosticSink sink = new DiagnosticSink();
    Programs.verify(module, sink);
    sink.throwIfErrors();
    return run(module, golden.grid()).compareWith(results, 0.0, 0.0).differences();
  }

  /** Returns {@code module} as text. */
  static String text(Module module) {
    return Texts.print(module);
  }

  private static Results run(Module module, DeviceGrid grid) {
    Program program = Program.of(module);
    List<ImmutableList<Datum>> arguments = Flattening.random(program, grid, 1);
    return Results.of(
        GridInterpreter.run(program, grid, arguments, InterpreterOptions.DEFAULT),
        EntryLayout.of(program, grid));
  }
}
