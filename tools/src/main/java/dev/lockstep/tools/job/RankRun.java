package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.program.ModulePrograms;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.RankWords;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.interp.RankInterpreter;
import dev.lockstep.runtime.transport.Dispatcher;
import dev.lockstep.runtime.transport.TransportException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.handshake.VerdictText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One rank of a job: asks for verdicts, cuts its programs as they say, and runs them. */
final class RankRun {
  /** The exchange in which ranks that never ask show each other their programs. */
  private static final long UNASKED = -1;

  /** Gives the arguments of all programs by one numbering. */
  interface Arguments {
    Literal value(int index, int device, TensorType type);

    /** Returns this rank's parts of the arguments of a program over arrays that devices share. */
    ImmutableList<Datum> parts(dev.lockstep.runtime.interp.Program program, int first);
  }

  /** What came of it. */
  record Outcome(int exit, ImmutableList<Literal> results, ImmutableList<Verdict> verdicts) {}

  private final Session session;
  private final RankJob job;
  private final ImmutableList<JobProgram> programs;
  private final DeviceGrid grid;
  private final int rank;
  private final Arguments arguments;
  private final ProgramExchange exchange;
  private final RankInterpreter interpreter;
  private final PlanChoice choice;
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<Literal> results = new ArrayList<>();
  private final Map<List<Object>, Chosen> chosen = new HashMap<>();
  private int taken;

  RankRun(
      Session session,
      RankJob job,
      ImmutableList<JobProgram> programs,
      DeviceGrid grid,
      Arguments arguments,
      ProgramExchange.Reader reader,
      InterpreterOptions options) {
    this.session = session;
    this.job = job;
    this.programs = programs;
    this.grid = grid;
    this.rank = job.rank();
    this.arguments = arguments;
    Dispatcher dispatcher = new Dispatcher(job.transport());
    this.exchange = new ProgramExchange(dispatcher, job.hidesPrograms(), reader);
    this.interpreter = new RankInterpreter(grid, dispatcher, options);
    this.choice = new PlanChoice(grid, rank, options.rendezvous());
  }

  /**
   * Runs all programs.
   *
   * @throws DiagnosticException if one cannot be run, or the other ranks do not come
   */
  Outcome run() {
    try {
      int exit = job.stage() == Stage.OFF ? unasked() : asking();
      if (exit == ExitCode.OK) {
        interpreter.finish();
      }
      return new Outcome(exit, ImmutableList.copyOf(results), ImmutableList.copyOf(verdicts));
    } catch (TransportException e) {
      throw DiagnosticException.error(
          RankInterpreter.PEER_LOST, String.valueOf(e.getMessage()), Location.UNKNOWN);
    }
  }

  private int unasked() {
    ImmutableIntArray.Builder all = ImmutableIntArray.builder();
    for (int each = 0; each < grid.size(); each++) {
      all.add(each);
    }
    ProgramExchange.Shown shown = exchange.gather(UNASKED, all.build(), programs);
    tellHidden(shown, "each rank lowers its calls by its own program alone");
    ImmutableList.Builder<ImmutableList<JobProgram>> ranks = ImmutableList.builder();
    for (int each = 0; each < grid.size(); each++) {
      ranks.add(shown.programs().getOrDefault(each, ImmutableList.of()));
    }
    session.doing("running without a handshake");
    if (programs.stream().anyMatch(JobProgram::isOverSharedArrays)) {
      for (JobProgram program : programs) {
        execute(choice.unaskedShared(program, ranks.build()), argumentTypes(program));
      }
      return ExitCode.OK;
    }
    Chosen whole =
        shown.hiding().isEmpty() ? choice.unasked(ranks.build()) : choice.unaskedAlone(programs);
    ImmutableList.Builder<TensorType> types = ImmutableList.builder();
    programs.forEach(program -> types.addAll(argumentTypes(program)));
    execute(whole, types.build());
    return ExitCode.OK;
  }

  private int asking() {
    List<Program> summaries = new ArrayList<>();
    for (JobProgram program : programs) {
      summaries.add(ModulePrograms.of(program.module(), grid, rank, program.file()));
    }
    List<CompletableFuture<Verdict>> futures = new ArrayList<>();
    for (int i = 0; i < programs.size(); i++) {
      // At dispatch the next verdict is asked for before this program runs, and is there when it
      // is needed.
      int until = Math.min(programs.size(), i + (job.stage() == Stage.DISPATCH ? 2 : 1));
      while (futures.size() < until) {
        futures.add(job.ask(summaries.get(futures.size())));
      }
      session.doing("asking about " + programs.get(i).file());
      Verdict verdict = futures.get(i).join();
      verdicts.add(verdict);
      String which = programs.size() == 1 ? "" : " on program " + i;
      session.say("verdict" + which + ": " + describe(verdict));
      if (!verdict.kind().runs()) {
        explain(programs.get(i), summaries.get(i), verdict);
        if (verdict.kind() == VerdictKind.REJECTED
            || verdict.kind() == VerdictKind.NO_COORDINATOR) {
          // The others do not know.
          job.fail(describe(verdict));
        }
        return VerdictText.exitCode(verdict.kind());
      }
      Chosen what = chosen(programs.get(i), summaries.get(i), verdict);
      session.say(what.words());
      session.doing("running " + programs.get(i).file());
      execute(what, argumentTypes(programs.get(i)));
    }
    return ExitCode.OK;
  }

  private static String describe(Verdict verdict) {
    return VerdictText.word(verdict.kind()) + ": " + verdict.text();
  }

  private Chosen chosen(JobProgram program, Program summary, Verdict verdict) {
    List<Object> key = List.of(program.module(), verdict);
    Chosen known = chosen.get(key);
    if (known == null) {
      session.doing("planning " + program.file());
      known =
          showsPrograms(verdict)
              ? together(program, summary, verdict)
              : choice.alone(program.module(), verdict);
      chosen.put(key, known);
    }
    return known;
  }

  /**
   * Whether all who got this verdict show each other their programs: they differ, and are alike.
   */
  private static boolean showsPrograms(Verdict verdict) {
    boolean differ =
        switch (verdict.kind()) {
          case PARTIAL, REPAIR -> true;
          case SKINNY -> verdict.reason() == Reason.PROGRAMS_DIFFER;
          case MISMATCH -> verdict.reason() == Reason.UNLIKE_COLLECTIVES;
          default -> false;
        };
    return differ && verdict.classes().size() > 1;
  }

  private Chosen together(JobProgram program, Program summary, Verdict verdict) {
    RankPrograms all = gather(program, summary, verdict, "every collective is cut apart");
    if (all == null) {
      return choice.alone(program.module(), verdict);
    }
    job.explain(session, all, members(summary), verdict);
    return choice.together(all, verdict);
  }

  private void explain(JobProgram program, Program summary, Verdict verdict) {
    if (showsPrograms(verdict)) {
      RankPrograms all = gather(program, summary, verdict, "nobody is told where they differ");
      if (all != null) {
        job.explain(session, all, members(summary), verdict);
      }
    }
  }

  /**
   * Returns the programs of the round, in which ranks outside of it have none; null where ranks
   * hide theirs.
   *
   * @param otherwise what becomes of that, for people
   */
  private @Nullable RankPrograms gather(
      JobProgram program, Program summary, Verdict verdict, String otherwise) {
    ImmutableIntArray.Builder members = ImmutableIntArray.builder();
    members(summary).forEach(members::add);
    ProgramExchange.Shown shown =
        exchange.gather(verdict.round(), members.build(), ImmutableList.of(program));
    if (tellHidden(shown, otherwise)) {
      return null;
    }
    List<ImmutableList<RankPrograms.Program>> out = new ArrayList<>();
    for (int each = 0; each < grid.size(); each++) {
      out.add(
          shown.programs().getOrDefault(each, ImmutableList.of()).stream()
              .map(one -> new RankPrograms.Program(one.file(), one.module()))
              .collect(ImmutableList.toImmutableList()));
    }
    return RankPrograms.of(out, OptionalInt.of(grid.partitions()));
  }

  /** Returns who is in the rounds of a program. */
  private static ImmutableSet<Integer> members(Program summary) {
    ImmutableSet.Builder<Integer> out = ImmutableSet.builder();
    summary.groups().get(0).ranks().forEach(out::add);
    return out.build();
  }

  /** Says who hides programs that others would need; returns whether anybody does. */
  private boolean tellHidden(ProgramExchange.Shown shown, String otherwise) {
    if (shown.hiding().isEmpty()) {
      return false;
    }
    session.say(
        "note: "
            + RankWords.of(shown.hiding())
            + " hide"
            + RankWords.verbEnding(shown.hiding().size())
            + " programs (--hide-programs), and others run something else: "
            + otherwise);
    return true;
  }

  private static ImmutableList<TensorType> argumentTypes(JobProgram program) {
    return program.module().entryFunction().map(Flattening::arguments).orElse(ImmutableList.of());
  }

  private void execute(Chosen what, ImmutableList<TensorType> types) {
    if (what.program().isOverSharedArrays()) {
      ImmutableList<Datum> parts = arguments.parts(what.program(), taken);
      taken += types.size();
      results.addAll(Flattening.flatten(interpreter.run(what.program(), parts)));
      return;
    }
    ImmutableList.Builder<Literal> values = ImmutableList.builder();
    for (TensorType type : types) {
      values.add(arguments.value(taken++, rank, type));
    }
    results.addAll(
        Flattening.flatten(interpreter.run(what.program(), what.pack(rank, values.build()))));
  }
}
