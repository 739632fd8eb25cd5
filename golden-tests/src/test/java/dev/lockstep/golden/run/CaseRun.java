package dev.lockstep.golden.run;

import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenCase.Kind;
import dev.lockstep.golden.GoldenCase.Section;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a case: what Lockstep says now, and what must never be blessed.
 *
 * <p>In order: read, verify, print and read back; run the pipeline with verification after every
 * pass; execute before and after on seeded arguments and compare; run the pipeline again on its
 * output when its passes claim to be idempotent.
 */
final class CaseRun {
  private final GoldenCase golden;
  private final String suite;
  private final GridDirective grid;
  private final List<Section> sections = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  private CaseRun(GoldenCase golden, String suite) {
    this.golden = golden;
    this.suite = suite;
    this.grid = GridDirective.of(golden);
  }

  /** Runs {@code golden}, which stands in a file of {@code suite}. */
  static CaseRun of(GoldenCase golden, String suite) {
    CaseRun run = new CaseRun(golden, suite);
    try {
      run.run();
    } catch (DiagnosticException e) {
      run.diagnostics(e.diagnostics());
    } catch (CompilerBug e) {
      run.faults.add(String.valueOf(e.getMessage()));
    }
    return run;
  }

  /** Returns what the sections of the case must say. */
  List<Section> sections() {
    return sections;
  }

  /** Returns what is wrong whatever the sections say. */
  List<String> faults() {
    return faults;
  }

  private void run() {
    if (suite.equals("sets") || SetRun.isSet(golden)) {
      new SetRun(golden, grid, sections, faults).run();
      return;
    }
    Module before = Programs.read(Source.of(golden.name(), golden.input()));
    DiagnosticSink sink = new DiagnosticSink();
    Programs.verify(before, sink);
    sink.throwIfErrors();
    checkPrints(before);
    String text = golden.directive(Directive.RUN);
    if (text == null) {
      withoutPipeline(before);
    } else {
      Pipeline pipeline = Pipeline.parse(text, AllPasses.registry());
      if (!pipeline.toString().equals(text)) {
        faults.add("RUN says '" + text + "' but reads as '" + pipeline + "'");
      }
      withPipeline(before, pipeline, sink);
    }
    if (!sink.diagnostics().isEmpty()) {
      diagnostics(sink.diagnostics());
    }
  }

  private void withoutPipeline(Module module) {
    if (suite.equals("interpret") || golden.section(Kind.VALUES) != null) {
      sections.add(new Section(Kind.VALUES, execute(module).toText()));
      return;
    }
    output(module, Programs.print(module).equals(golden.input()));
  }

  private void withPipeline(Module before, Pipeline pipeline, DiagnosticSink sink) {
    PassManager manager =
        PassManager.builder()
            .counts(grid.replicas(), grid.partitions())
            .verifyEach(Programs::verify)
            .build();
    Module after = manager.run(pipeline, before, sink);
    output(after, after == before);
    if (after != before) {
      checkPrints(after);
      if (isIdempotent(pipeline)) {
        Module again = manager.run(pipeline, after, new DiagnosticSink());
        if (again != after) {
          faults.add("a second run changes the output again, to:\n" + Programs.print(again));
        }
      }
    }
    values(before, after);
  }

  private void output(Module module, boolean unchanged) {
    sections.add(
        unchanged
            ? new Section(Kind.UNCHANGED, "")
            : new Section(Kind.OUTPUT, Programs.print(module).stripTrailing() + "\n"));
  }

  private void values(Module before, Module after) {
    boolean wanted = golden.section(Kind.VALUES) != null;
    if (golden.directive(Directive.NO_VALUES) != null || after == before && !wanted) {
      return;
    }
    try {
      Execution then = execute(before);
      String difference = after == before ? null : then.differenceFrom(execute(after));
      if (difference != null) {
        faults.add("the output computes something else: " + difference);
      }
      if (wanted) {
        sections.add(new Section(Kind.VALUES, then.toText()));
      }
    } catch (DiagnosticException e) {
      faults.add("the program cannot be executed (NO-VALUES says why not):\n" + e.getMessage());
    }
  }

  private Execution execute(Module module) {
    String seed = golden.directive(Directive.SEED);
    DeviceGrid devices = grid.gridFor(module);
    return Execution.of(module, devices, seed == null ? 1 : Long.parseLong(seed));
  }

  private void checkPrints(Module module) {
    String printed = Programs.print(module);
    String difference = printDifference(printed);
    if (difference != null) {
      faults.add(difference);
    }
  }

  private static @Nullable String printDifference(String printed) {
    try {
      Module read = Programs.read(Source.of("printed", printed));
      DiagnosticSink sink = new DiagnosticSink();
      Programs.verify(read, sink);
      sink.throwIfErrors();
      String again = Programs.print(read);
      return again.equals(printed)
          ? null
          : "printing, reading and printing differ:\n" + printed + "\nand\n" + again;
    } catch (DiagnosticException e) {
      return "what was printed does not read back:\n" + e.getMessage() + "\nin\n" + printed;
    }
  }

  private void diagnostics(List<Diagnostic> diagnostics) {
    StringBuilder text = new StringBuilder();
    for (Diagnostic diagnostic : diagnostics) {
      if (!diagnostic.location().isKnown()) {
        faults.add("a diagnostic points nowhere: " + diagnostic);
      }
      text.append(diagnostic).append('\n');
    }
    sections.add(new Section(Kind.DIAGNOSTICS, text.toString()));
  }

  static boolean isIdempotent(Pipeline pipeline) {
    if (pipeline.steps().size() != 1) {
      return false;
    }
    Pipeline.Step step = pipeline.steps().get(0);
    return step instanceof Pipeline.Single single && single.pass().info().idempotent();
  }
}
