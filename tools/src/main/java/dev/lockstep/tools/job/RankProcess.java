package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.interp.RankInterpreter;
import dev.lockstep.runtime.values.RandomValues;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.handshake.VerdictText;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.input.RankSet;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** {@code run --stage} as one rank: reads its programs, joins the job and runs them. */
public final class RankProcess {
  private final Session session;
  private final JobRequest request;
  private final int world;
  private final int rank;

  private RankProcess(Session session, JobRequest request, int world, int rank) {
    this.session = session;
    this.request = request;
    this.world = world;
    this.rank = rank;
  }

  /** Runs one rank. */
  public static JobResult run(Session session, JobRequest request) throws IOException {
    int world = request.flags().world();
    int rank = request.flags().rank();
    if (rank < 0 || rank >= world) {
      throw new UsageException("rank " + rank + " is not one of " + world);
    }
    return new RankProcess(session, request, world, rank).run();
  }

  private JobResult run() throws IOException {
    session.fx().expectRanks(world);
    ImmutableList<JobProgram> programs = read();
    session.fx().useTableOf(programs.get(0).source());
    DeviceGrid grid = grid(programs);
    RankRun.Arguments arguments = arguments(grid);
    InterpreterOptions options =
        InterpreterOptions.DEFAULT
            .withRendezvous(request.rendezvous())
            .withPrinter(session::say)
            .withWarnings(session::print);
    RankRun.Outcome outcome;
    try (RankJob job = RankJob.join(session, request.flags(), request.stage(), world)) {
      try {
        outcome =
            new RankRun(session, job, programs, grid, arguments, this::program, options).run();
      } catch (DiagnosticException e) {
        if (isPeers(e)) {
          e.diagnostics().forEach(session::print);
          return new JobResult(ExitCode.PEER, null);
        }
        job.fail(brief(e.diagnostics().get(0)));
        throw e;
      } catch (RuntimeException | Error e) {
        job.fail(String.valueOf(e.getMessage()));
        throw e;
      }
    }
    List<Object> verdicts = new ArrayList<>();
    outcome.verdicts().forEach(verdict -> verdicts.add(VerdictText.describe(verdict)));
    session.report().put("verdicts", verdicts);
    if (outcome.exit() != ExitCode.OK) {
      return new JobResult(outcome.exit(), null);
    }
    if (request.report() != null) {
      RankReport.write(session, request.report(), outcome.results());
    }
    return new JobResult(ExitCode.OK, results(rank, world, outcome.results()));
  }

  private static boolean isPeers(DiagnosticException e) {
    return e.diagnostics().stream()
        .anyMatch(diagnostic -> diagnostic.code().equals(RankInterpreter.PEER_LOST));
  }

  private static String brief(Diagnostic diagnostic) {
    String place = diagnostic.location().isKnown() ? diagnostic.location() + ": " : "";
    return place + diagnostic.message();
  }

  /** Returns results of which all ranks but one have none. */
  private static Results results(int rank, int world, ImmutableList<Literal> values) {
    List<ImmutableList<Literal>> all = new ArrayList<>();
    for (int each = 0; each < world; each++) {
      all.add(each == rank ? values : ImmutableList.of());
    }
    return Results.of(all, EntryLayout.own());
  }

  private ImmutableList<JobProgram> read() {
    ImmutableList<InputFile> files;
    if (request.ranks() == null) {
      files = InputFiles.inOrder(request.words());
    } else {
      RankSet set = RankSet.of(request.ranks());
      if (set.ranks().size() == 1 && world > 1) {
        return ofLog(set.ranks().get(0).get(0));
      }
      if (set.ranks().size() != world) {
        throw new UsageException(
            "there are programs of " + set.ranks().size() + " ranks, the job has " + world);
      }
      files = set.ranks().get(rank);
    }
    ImmutableList.Builder<JobProgram> out = ImmutableList.builder();
    for (InputFile file : files) {
      Source source = file.read(session);
      ImmutableList<Module> modules = Programs.readAllVerified(session, source);
      for (int i = 0; i < modules.size(); i++) {
        out.add(new JobProgram(file.name(), source, i, modules.get(i)));
      }
    }
    return out.build();
  }

  /** Reads this rank's programs of a log that all ranks wrote; programs are numbered through. */
  private ImmutableList<JobProgram> ofLog(InputFile file) {
    Source source = file.read(session);
    ImmutableList<ImmutableList<Module>> all = Programs.readRanksVerified(session, source);
    if (all.size() != world) {
      throw new UsageException(
          file.name() + " holds the programs of " + all.size() + " ranks, the job has " + world);
    }
    ImmutableList.Builder<JobProgram> out = ImmutableList.builder();
    int index = 0;
    for (int each = 0; each < world; each++) {
      for (Module module : all.get(each)) {
        if (each == rank) {
          out.add(new JobProgram(file.name(), source, index, module));
        }
        index++;
      }
    }
    return out.build();
  }

  /** Reads a program of another rank. */
  private Module program(Source source, int index) {
    List<Module> all = new ArrayList<>();
    if (Programs.holdsRanks(source)) {
      Programs.readRanksVerified(session, source).forEach(all::addAll);
    } else {
      all.addAll(Programs.readAllVerified(session, source));
    }
    if (index < 0 || index >= all.size()) {
      throw new IllegalArgumentException(source.name() + " has no program " + index);
    }
    return all.get(index);
  }

  private DeviceGrid grid(ImmutableList<JobProgram> programs) {
    int partitions = partitions(programs.get(0));
    if (world % partitions != 0) {
      throw new UsageException(
          world + " ranks cannot be divided into " + partitions + " partitions");
    }
    return new DeviceGrid(world / partitions, partitions);
  }

  private int partitions(JobProgram first) {
    OptionalInt said = first.module().partitions();
    if (said.isEmpty()) {
      said = request.partitions();
    }
    if (said.isEmpty() && first.isOverSharedArrays()) {
      said = Program.of(first.module()).shardedPartitions();
    }
    return said.orElse(1);
  }

  private RankRun.Arguments arguments(DeviceGrid grid) throws IOException {
    if (request.input() != null) {
      session.doing("reading " + request.input());
      ValueFile file = ValueFile.read(request.input());
      return new RankRun.Arguments() {
        @Override
        public Literal value(int index, int device, TensorType type) {
          return file.argument(index, device, type);
        }

        @Override
        public ImmutableList<Datum> parts(Program program, int first) {
          return Flattening.readOf(program, grid, rank, first, file);
        }
      };
    }
    Long seed = request.seed();
    return new RankRun.Arguments() {
      @Override
      public Literal value(int index, int device, TensorType type) {
        if (seed == null) {
          throw new UsageException(
              "the program takes arguments; give --input FILE or --random SEED");
        }
        return RandomValues.of(type, seed, index, device);
      }

      @Override
      public ImmutableList<Datum> parts(Program program, int first) {
        return Flattening.suppliedOf(program, grid, rank, first, this::value);
      }
    };
  }
}
