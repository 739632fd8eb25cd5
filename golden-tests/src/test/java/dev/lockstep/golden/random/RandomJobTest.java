package dev.lockstep.golden.random;

import static org.assertj.core.api.Assertions.fail;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.random.RandomJob.Job;
import dev.lockstep.golden.run.RankThreads;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.MatchOptions;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.RankMatcher;
import dev.lockstep.pass.region.match.Verdict;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.tools.program.Programs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The interpreter, which reports stalls and pairings of unlike calls, agrees with the verdict on
 * random jobs; "cannot tell" is said only where a condition decides that no text does. {@code
 * -Drandom.count=N} tries N jobs times {@value #FACTOR} (the profile {@code long} many).
 */
final class RandomJobTest {
  private static final int FACTOR = 20;
  private static final int TRIES = 4;

  /** One job in so many also runs with each device apart. */
  private static final int APART = 4;

  static LongStream seeds() {
    long first = Long.getLong("random.seed", 0);
    return LongStream.range(first, first + Long.getLong("random.count", 25));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void setsOfPrograms_verdictIsWhatHappens(long seed) {
    for (long each = seed * FACTOR; each < (seed + 1) * FACTOR; each++) {
      Job job = RandomJob.ofRanks(each);
      List<Module> modules = new ArrayList<>();
      for (int rank = 0; rank < job.world(); rank++) {
        modules.add(module(job, job.ranks().get(rank), rank));
      }
      RankPrograms programs = RankPrograms.ofModules(modules);
      MatchReport report = RankMatcher.match(programs, MatchOptions.DEFAULT);
      compare(each, job, modules, report, Program.ofRanks(modules));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void oneText_verdictIsWhatHappens(long seed) {
    for (long each = seed * FACTOR; each < (seed + 1) * FACTOR; each++) {
      Job job = RandomJob.ofOneText(each);
      Module module = module(job, job.ranks().get(0), JobText.ALL);
      RankPrograms programs = RankPrograms.ofOne(module, new DeviceGrid(job.world(), 1));
      MatchReport report = RankMatcher.matchOneText(programs, MatchOptions.DEFAULT);
      compare(each, job, ImmutableList.of(module), report, Program.of(module));
    }
  }

  private static Module module(Job job, List<JobNode> nodes, int rank) {
    String text = JobText.of(nodes, rank, job.world(), job.isOpen());
    return Programs.read(Source.of("rank" + rank + ".mlir", text));
  }

  private static void compare(
      long seed, Job job, List<Module> modules, MatchReport report, Program program) {
    if (report.verdict() == Verdict.CANNOT_TELL) {
      if (!job.isOpen()) {
        complain(seed, "cannot tell, although the texts decide everything", modules, report, null);
      }
      if (!job.decidesByRank() && job.changed() == 0) {
        complain(seed, "cannot tell, although ranks decide alike", modules, report, null);
      }
      return;
    }
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < (job.isOpen() ? TRIES : 1); i++) {
      List<ImmutableList<Datum>> arguments = new ArrayList<>();
      for (int rank = 0; rank < job.world(); rank++) {
        arguments.add(ImmutableList.of(Literal.scalar(ElementType.I32, (long) random.nextInt(3))));
      }
      DiagnosticException stopped = stopped(program, arguments);
      if (i == 0 && seed % APART == 0) {
        checkApart(seed, modules, report, program, arguments);
      }
      if (report.verdict() == Verdict.MEET && stopped != null) {
        complain(seed, "meet, but the interpreter stops", modules, report, stopped);
      }
      if (report.verdict() == Verdict.DO_NOT_MEET && stopped == null) {
        complain(seed, "do not meet, but the interpreter ends", modules, report, null);
      }
    }
  }

  private static @Nullable DiagnosticException stopped(
      Program program, List<ImmutableList<Datum>> arguments) {
    try {
      GridInterpreter.run(
          program, new DeviceGrid(arguments.size(), 1), arguments, InterpreterOptions.DEFAULT);
      return null;
    } catch (DiagnosticException e) {
      return e;
    }
  }

  /**
   * Devices that are apart end, or are told that they cannot, like those in one process that run a
   * set of programs: nobody knows that his text is that of all others.
   */
  private static void checkApart(
      long seed,
      List<Module> modules,
      MatchReport report,
      Program program,
      List<ImmutableList<Datum>> arguments) {
    Program set =
        program.isOneText()
            ? Program.ofRanks(Collections.nCopies(arguments.size(), modules.get(0)))
            : program;
    DiagnosticException stopped = stopped(set, arguments);
    DiagnosticException apart = null;
    try {
      RankThreads.run(
          program, new DeviceGrid(arguments.size(), 1), arguments, InterpreterOptions.DEFAULT);
    } catch (DiagnosticException e) {
      apart = e;
    }
    boolean undecided =
        apart != null && String.valueOf(apart.getMessage()).contains("does not say with whom");
    if (!undecided && (apart == null) != (stopped == null)) {
      complain(seed, "devices that are apart do otherwise: " + apart, modules, report, stopped);
    }
  }

  private static void complain(
      long seed,
      String what,
      List<Module> modules,
      MatchReport report,
      @Nullable DiagnosticException stopped) {
    StringBuilder out = new StringBuilder("seed " + seed + ": " + what + "\n");
    if (report.failure() != null) {
      out.append(report.failure().diagnostic()).append('\n');
    }
    if (stopped != null) {
      out.append(stopped.getMessage()).append('\n');
    }
    modules.forEach(module -> out.append(Programs.print(module)));
    fail(out.toString());
  }
}
