package dev.lockstep.tools.handshake;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.program.ModulePrograms;
import dev.lockstep.handshake.simulate.Faults;
import dev.lockstep.handshake.simulate.Outcome;
import dev.lockstep.handshake.simulate.Script;
import dev.lockstep.handshake.simulate.Simulation;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.program.Jobs;
import dev.lockstep.tools.program.ProgramSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** {@code handshake simulate}: a whole job in one process, on simulated time. */
public final class Simulating {
  private Simulating() {}

  /**
   * Runs the job of a set of programs.
   *
   * @param faulty whether connections break, messages come twice and the coordinator is lost
   */
  public static int run(
      Session session,
      HandshakeFlags flags,
      String set,
      long seed,
      boolean faulty,
      @Nullable Path output)
      throws IOException {
    RankPrograms programs = Jobs.of(ProgramSet.read(session, set), OptionalInt.empty());
    ImmutableList.Builder<ImmutableList<Script.Step>> ranks = ImmutableList.builder();
    for (int rank = 0; rank < programs.world(); rank++) {
      ImmutableList.Builder<Script.Step> steps = ImmutableList.builder();
      for (RankPrograms.Program program : programs.programs(rank)) {
        steps.add(
            new Script.Step(
                ModulePrograms.of(program.module(), programs.grid(), rank, program.file()),
                false,
                10_000_000,
                true));
      }
      ranks.add(steps.build());
    }
    Faults faults = faulty ? new Faults(20_000_000, 50, 20, 0, 0, 1) : Faults.NONE;
    Outcome outcome = Simulation.runLogged(new Script(flags.stage(), ranks.build()), faults, seed);
    List<Map<String, Object>> described = new ArrayList<>();
    int code = ExitCode.OK;
    for (Outcome.Given given : outcome.verdicts()) {
      Map<String, Object> one = VerdictText.describe(given.verdict());
      one.put("rank", given.rank());
      one.put("file", given.program().name());
      described.add(one);
      code = Math.max(code, VerdictText.exitCode(given.verdict().kind()));
    }
    session.report().put("verdicts", described);
    if (!session.isJson() || output != null) {
      session.writeResult(output, "text", String.join("\n", outcome.lines()) + "\n");
    }
    return code;
  }
}
