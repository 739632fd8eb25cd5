package dev.lockstep.tools.verb;

import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.diff.DiffReport;
import dev.lockstep.pass.region.diff.RankDiff;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.diff.DiffText;
import dev.lockstep.tools.input.RankSet;
import dev.lockstep.tools.program.Jobs;
import dev.lockstep.tools.program.ProgramSet;
import dev.lockstep.tools.repair.SetRepair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why the programs of ranks differ. */
@Command(
    description = {
      "Say why the programs of ranks differ, or repair them.",
      "Names the classes of ranks, the first difference of each from what most ranks run, with both"
          + " source lines, and what to do. Exit 0 when all are equal, 1 when they differ. With"
          + " --repair, makes them one text where they differ in data only."
    })
final class DiffVerb extends Verb {
  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "One program a rank: files, folders, patterns; names say the ranks, else their order.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description = "The programs of all ranks instead: a pattern, a folder or FILE.json.")
  private @Nullable String ranks;

  @Option(names = "--all", description = "Show every difference, not only the first of each class.")
  private boolean all;

  @Option(
      names = "--repair",
      description = "Instead write programs with one text for all ranks to the folder after -o.")
  private boolean repair;

  @Option(
      names = "--literals",
      paramLabel = "FORM",
      description = "What --repair makes of literals that differ: auto, table or input.")
  private String literals = "auto";

  @Option(
      names = "--table-limit",
      paramLabel = "BYTES",
      description = "Bytes up to which --literals auto makes a table (1048576).")
  private long tableLimit = RepairOptions.DEFAULT_TABLE_LIMIT;

  @Mixin private CountOptions counts = new CountOptions();

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    RepairOptions options = options();
    if (repair) {
      refuse("does not go with --repair", "--all");
    } else {
      refuse("needs --repair", "--literals", "--table-limit");
    }
    return repair ? repair(session, options) : compare(session);
  }

  private int repair(Session session, RepairOptions options) throws IOException {
    Path folder = output();
    if (folder == null) {
      throw new UsageException("--repair needs -o and a folder for the programs");
    }
    if (Files.isRegularFile(folder)) {
      throw new UsageException("-o " + folder + " is a file; --repair needs a folder");
    }
    ProgramSet set = read(session);
    DeviceGrid grid = Jobs.of(set, counts.partitions()).grid();
    counts.checkReplicas(grid.replicas());
    return new SetRepair(session, grid, options).run(set, folder);
  }

  private RepairOptions options() {
    if (tableLimit < 0) {
      throw new UsageException("--table-limit is " + tableLimit + ", must be at least 0");
    }
    for (RepairOptions.Literals form : RepairOptions.Literals.values()) {
      if (form.name().toLowerCase(Locale.ROOT).equals(literals)) {
        return new RepairOptions(form, tableLimit);
      }
    }
    throw new UsageException("--literals is " + literals + ", must be auto, table or input");
  }

  private int compare(Session session) throws IOException {
    RankPrograms programs = Jobs.of(read(session), counts.partitions());
    counts.checkReplicas(programs.grid().replicas());
    session.doing("comparing the programs of " + programs.world() + " ranks");
    DiffReport report = RankDiff.of(programs);
    DiffText text = new DiffText(programs, report, all);
    text.describe(session.report());
    if (!session.isJson() || output() != null) {
      session.writeResult(output(), "text", text.text());
    }
    return report.areEqual() ? ExitCode.OK : ExitCode.FAILED;
  }

  private ProgramSet read(Session session) {
    if (ranks != null) {
      if (!words.isEmpty()) {
        throw new UsageException("--ranks names the files; give no other");
      }
      return ProgramSet.read(session, ranks);
    }
    if (words.isEmpty()) {
      throw new UsageException("name the programs of all ranks, or a set of them with --ranks");
    }
    RankSet set = RankSet.of(words);
    if (set.size() < 2) {
      throw new UsageException("name two programs or more, or a set of them with --ranks");
    }
    return ProgramSet.read(session, set);
  }
}
