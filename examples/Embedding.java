import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.verify.Verifier;
import dev.lockstep.lower.LowerC10dPass;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.PassRegistry;
import dev.lockstep.pass.Passes;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Lockstep as a library: reads a program, verifies it, runs a pipeline on it, and executes it. */
final class Embedding {
  private Embedding() {}

  public static void main(String[] files) throws IOException {
    try {
      for (String file : files) {
        show(file);
      }
    } catch (DiagnosticException wrong) {
      // What the command line would print: places, source lines, what to do.
      System.err.println(wrong.getMessage());
      System.exit(1);
    }
  }

  private static void show(String file) throws IOException {
    DiagnosticSink sink = new DiagnosticSink();
    Module module = Texts.read(Source.of(file, Files.readAllBytes(Path.of(file))), sink);
    Verifier.verify(module, sink);
    sink.throwIfErrors();

    PassRegistry passes = PassRegistry.of(Passes.ALL).with(List.of(LowerC10dPass.INSTANCE));
    Pipeline pipeline = Pipeline.parse("lower-c10d,canonicalize,cse,dce", passes);
    Module lowered = PassManager.builder().build().run(pipeline, module, sink);
    System.out.println(Texts.print(lowered).lines().count() + " lines after " + pipeline);

    DeviceGrid grid = new DeviceGrid(lowered.replicas().orElse(1), lowered.partitions().orElse(1));
    Program program = Program.of(lowered);
    ImmutableList<ImmutableList<Datum>> results =
        GridInterpreter.run(
            program, grid, Flattening.random(program, grid, 1), InterpreterOptions.DEFAULT);
    for (int device = 0; device < grid.size(); device++) {
      // HLO gives several results as one tuple, StableHLO one by one.
      System.out.println(
          "device " + device + ": " + Flattening.flatten(results.get(device)).get(0));
    }
  }
}
