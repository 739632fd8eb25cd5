package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableList;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.diff.DiffReport;
import dev.lockstep.pass.region.diff.RankDiff;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.input.RankSet;
import dev.lockstep.tools.program.Jobs;
import dev.lockstep.tools.program.ProgramSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says why the programs of ranks differ. */
@Command(
    description = {
      "Say why the programs of ranks differ: classes of ranks, the first difference of each from",
      "what most ranks run, with both source lines, and what to do. Exit 0 when all are equal, 1",
      "when they differ."
    })
final class DiffVerb extends Verb {
  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "One program a rank, in the order of ranks: files, folders, patterns.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description = "The programs of all ranks instead: a pattern, a folder or FILE.json.")
  private @Nullable String ranks;

  @Option(names = "--all", description = "Show every difference, not only the first of each class.")
  private boolean all;

  @Mixin private CountOptions counts = new CountOptions();

  @Override
  protected int execute(Session session) throws IOException {
    RankPrograms programs = Jobs.of(read(session), counts.partitions());
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
    ImmutableList<InputFile> files = InputFiles.collect(words);
    if (files.size() < 2) {
      throw new UsageException("name two programs or more, or a set of them with --ranks");
    }
    ImmutableList.Builder<ImmutableList<InputFile>> each = ImmutableList.builder();
    files.forEach(file -> each.add(ImmutableList.of(file)));
    return ProgramSet.read(session, new RankSet(each.build()));
  }
}
