package dev.lockstep.golden.run;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenFile;
import dev.lockstep.golden.GoldenFiles;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.nio.file.Path;

/**
 * A program that a golden case executes, after its pipeline.
 *
 * @param name {@code suite/file/case}
 * @param module the program
 * @param grid the devices that it runs on
 */
public record GoldenProgram(String name, Module module, DeviceGrid grid) {
  /** Returns the programs of the cases in {@code suites} that one text on all devices makes. */
  public static ImmutableList<GoldenProgram> all(String... suites) {
    ImmutableList.Builder<GoldenProgram> out = ImmutableList.builder();
    for (String suite : suites) {
      for (Path path : GoldenFiles.suite(suite)) {
        for (GoldenCase golden : GoldenFile.read(path).cases()) {
          if (!SetRun.isSet(golden) && golden.directive(Directive.NO_VALUES) == null) {
            try {
              out.add(of(GoldenFiles.name(path) + "/" + golden.name(), golden));
            } catch (DiagnosticException e) {
              // Cases of errors.
            }
          }
        }
      }
    }
    return out.build();
  }

  private static GoldenProgram of(String name, GoldenCase golden) {
    GridDirective directive = GridDirective.of(golden);
    Module before = Programs.read(Source.of(name, golden.input()));
    String pipeline = golden.directive(Directive.RUN);
    Module module =
        pipeline == null
            ? before
            : PassManager.builder()
                .counts(directive.replicas(), directive.partitions())
                .build()
                .run(Pipeline.parse(pipeline, AllPasses.registry()), before, new DiagnosticSink());
    return new GoldenProgram(name, module, directive.gridFor(module));
  }
}
