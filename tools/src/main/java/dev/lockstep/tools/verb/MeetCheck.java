package dev.lockstep.tools.verb;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.RankWords;
import dev.lockstep.pass.region.fingerprint.RankClasses;
import dev.lockstep.pass.region.match.Failure;
import dev.lockstep.pass.region.match.MatchOptions;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.RankMatcher;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.diff.ClassReport;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.program.Jobs;
import dev.lockstep.tools.program.ProgramSet;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code verify --ranks}: proves that the ranks of a job meet, or says where they part. */
final class MeetCheck {
  private static final int CLASSES_SHOWN = 8;

  private final Session session;
  private final CountOptions counts;
  private final boolean rendezvous;

  MeetCheck(Session session, CountOptions counts, boolean rendezvous) {
    this.session = session;
    this.counts = counts;
    this.rendezvous = rendezvous;
  }

  /** Checks what {@code word} names; returns the exit code. */
  int run(String word, @Nullable Path output) throws IOException {
    MatchOptions options = new MatchOptions(rendezvous, false);
    Path one = oneFile(word);
    RankPrograms programs;
    MatchReport report;
    if (one != null) {
      programs = oneText(one);
      session.doing("matching the devices of " + one);
      report = RankMatcher.matchOneText(programs, options);
    } else {
      programs = Jobs.of(ProgramSet.read(session, word), counts.partitions());
      session.doing("matching the programs of " + programs.world() + " ranks");
      report = RankMatcher.match(programs, options);
    }
    Failure failure = report.failure();
    if (failure != null) {
      session.print(failure.diagnostic());
    }
    report.warnings().forEach(session::print);
    describe(programs, report, one != null);
    if (!session.isJson() || output != null) {
      session.writeResult(output, "text", text(programs, report, one != null));
    }
    return switch (report.verdict()) {
      case MEET -> ExitCode.OK;
      case DO_NOT_MEET -> ExitCode.FAILED;
      case CANNOT_TELL -> ExitCode.UNKNOWN;
    };
  }

  /** Returns the one file that {@code word} names, or null when it names a set. */
  private @Nullable Path oneFile(String word) {
    try {
      Path path = Path.of(word);
      boolean program = !word.endsWith(".json") && Files.isRegularFile(path);
      return program && !Programs.holdsRanks(InputFile.of(path).read(session)) ? path : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private RankPrograms oneText(Path file) {
    Module module = Programs.readVerified(session, InputFile.of(file).read(session));
    boolean said =
        module.replicas().isPresent()
            || module.partitions().isPresent()
            || counts.replicas().isPresent()
            || counts.partitions().isPresent();
    if (!said) {
      throw new UsageException(
          file
              + " does not say how many devices run it; give --replicas R, --partitions P, or the"
              + " programs of all ranks");
    }
    return RankPrograms.ofOne(
        module,
        CountOptions.grid(
            module.replicas().orElse(counts.replicas().orElse(1)),
            module.partitions().orElse(counts.partitions().orElse(1))));
  }

  private String text(RankPrograms programs, MatchReport report, boolean oneText) {
    StringBuilder out = new StringBuilder(headline(report)).append('\n');
    List<RankClasses.RankClass> classes = report.classes().classes();
    for (RankClasses.RankClass each :
        classes.subList(0, Math.min(CLASSES_SHOWN, oneText ? 0 : classes.size()))) {
      out.append("  ")
          .append(RankWords.of(each.ranks()))
          .append(each.ranks().size() == 1 ? " runs " : " run ");
      List<String> files = new ArrayList<>();
      programs.programs(each.first()).forEach(program -> files.add(program.file()));
      out.append(String.join(", ", files)).append('\n');
    }
    if (classes.size() > CLASSES_SHOWN) {
      out.append("  ... ").append(classes.size()).append(" classes\n");
    }
    if (report.licensesProgramOrder()) {
      out.append("program order (skinny) is safe: every rank may run its collectives one by one\n");
      out.append("whole programs (fat) are ").append(fat(report)).append('\n');
    }
    return out.toString();
  }

  private static String fat(MatchReport report) {
    return report.licensesWholePrograms()
        ? "safe: all ranks run the same program with the same options"
        : "not safe: ranks run "
            + report.classes().classes().size()
            + " different programs, and XLA orders independent collectives of each as it likes";
  }

  private static String headline(MatchReport report) {
    String ranks = report.ranks() + (report.ranks() == 1 ? " rank" : " ranks");
    return switch (report.verdict()) {
      case MEET ->
          String.format(
              "%s meet: %s, %s, %s",
              ranks,
              count(report.meetings(), "collective"),
              count(report.groups(), "group"),
              count(report.messages(), "message"));
      case DO_NOT_MEET -> ranks + " do not meet: " + why(report);
      case CANNOT_TELL -> "cannot tell whether " + ranks + " meet";
    };
  }

  private static String why(MatchReport report) {
    Failure failure = requireNonNull(report.failure());
    return switch (failure.kind()) {
      case GARBAGE -> "they pair unlike calls and compute garbage";
      case NO_GROUP -> "a collective has no group for a rank";
      case STALL, UNDECIDED, TOO_LONG -> "they stall";
    };
  }

  private static String count(int number, String word) {
    return number + " " + word + (number == 1 ? "" : "s");
  }

  private void describe(RankPrograms programs, MatchReport report, boolean oneText) {
    session.report().put("verdict", word(report.verdict().name()));
    Failure failure = report.failure();
    if (failure != null) {
      session.report().put("kind", word(failure.kind().name()));
      session.report().put("cycle", failure.cycle());
    }
    session.report().put("ranks", report.ranks());
    session.report().put("one_text", oneText);
    session.report().put("collectives", report.meetings());
    session.report().put("groups", report.groups());
    session.report().put("messages", report.messages());
    List<Map<String, Object>> classes = new ArrayList<>();
    for (RankClasses.RankClass each : report.classes().classes()) {
      classes.add(ClassReport.of(each, programs));
    }
    session.report().put("classes", classes);
    Map<String, Object> licence = new LinkedHashMap<>();
    licence.put("program_order", report.licensesProgramOrder());
    licence.put("whole_programs", report.licensesWholePrograms());
    session.report().put("licence", licence);
  }

  private static String word(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
