package dev.lockstep.tools.diff;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticRenderer;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Note;
import dev.lockstep.hlo.diag.Severity;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.RankWords;
import dev.lockstep.pass.region.diff.DiffReport;
import dev.lockstep.pass.region.diff.Difference;
import dev.lockstep.pass.region.diff.DifferenceKind;
import dev.lockstep.pass.region.fingerprint.RankClasses.RankClass;
import dev.lockstep.tools.JsonReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A comparison of ranks' programs as people and as programs read it. */
public final class DiffText {
  private static final int CLASSES_SHOWN = 6;
  private static final int VARYING_SHOWN = 8;
  private static final int VALUES_SHOWN = 8;

  private final RankPrograms programs;
  private final DiffReport report;
  private final boolean all;

  /**
   * Creates the text.
   *
   * @param all whether every difference is shown, not only the first of each class
   */
  public DiffText(RankPrograms programs, DiffReport report, boolean all) {
    this.programs = programs;
    this.report = report;
    this.all = all;
  }

  /** Returns the comparison for people. */
  public String text() {
    int classes = report.classes().classes().size();
    StringBuilder out = new StringBuilder();
    if (report.areEqual()) {
      int ranks = report.classes().size();
      return ranks == 1 ? "1 rank: nothing differs\n" : ranks + " ranks run the same program\n";
    }
    out.append(report.classes().size())
        .append(" ranks run ")
        .append(classes)
        .append(" different programs");
    out.append(report.literalsOnly() ? ", which differ in literals only\n" : "\n");
    RankClass reference = report.classes().classes().get(0);
    out.append("  ").append(ranks(reference)).append(": ").append(files(reference));
    out.append(", the reference\n");
    int shown = all ? classes : Math.min(classes, CLASSES_SHOWN);
    for (DiffReport.ClassDiff each : report.others().subList(0, shown - 1)) {
      out.append("  ").append(ranks(each.ranks())).append(": ").append(files(each.ranks()));
      out.append(", ").append(counts(each)).append('\n');
    }
    if (shown < classes) {
      out.append("  ... ").append(classes - shown).append(" more\n");
    }
    for (DiffReport.ClassDiff each : report.others().subList(0, shown - 1)) {
      differences(each, out);
    }
    varying(out);
    if (!report.suggestions().isEmpty()) {
      out.append("\nwhat to do\n");
      report.suggestions().forEach(line -> out.append("  - ").append(line).append('\n'));
    }
    return out.toString();
  }

  private static String ranks(RankClass each) {
    return RankWords.of(each.ranks());
  }

  private static String has(RankClass each) {
    return each.ranks().size() == 1 ? "has" : "have";
  }

  private String files(RankClass each) {
    List<String> files = new ArrayList<>();
    programs.programs(each.first()).forEach(program -> files.add(program.file()));
    return String.join(", ", files);
  }

  private static String counts(DiffReport.ClassDiff each) {
    List<String> out = new ArrayList<>();
    each.counts().forEach((kind, count) -> out.add(count + " " + words(kind, count)));
    return out.isEmpty() ? "no difference that can be shown" : String.join(", ", out);
  }

  private static String words(DifferenceKind kind, int count) {
    String word = kind.word();
    if (count == 1) {
      return kind == DifferenceKind.ORDER ? "op in another order" : word;
    }
    return switch (kind) {
      case COMPILE_OPTIONS, PROGRAMS, SYNTAX -> word;
      case ORDER -> "ops in another order";
      default -> word + "s";
    };
  }

  private void differences(DiffReport.ClassDiff each, StringBuilder out) {
    List<Difference> shown =
        all || each.differences().isEmpty() ? each.differences() : each.differences().subList(0, 1);
    for (Difference difference : shown) {
      out.append('\n').append(DiagnosticRenderer.render(diagnostic(each.ranks(), difference)));
      out.append('\n');
    }
  }

  /** Returns {@code difference} as a diagnostic with the places of both sides. */
  private Diagnostic diagnostic(RankClass ranks, Difference difference) {
    RankClass reference = report.classes().classes().get(0);
    String message =
        switch (difference.kind()) {
          case EXTRA_OP, EXTRA_COLLECTIVE ->
              String.format(
                  "%s %s %s, %s not",
                  ranks(ranks), has(ranks), difference.otherText(), ranks(reference));
          case MISSING_OP, MISSING_COLLECTIVE ->
              String.format(
                  "%s %s no %s here, but %s",
                  ranks(ranks), has(ranks), difference.referenceText(), ranks(reference));
          case ORDER ->
              String.format(
                  "%s comes %s on %s than on %s",
                  difference.what(), difference.otherText(), ranks(ranks), ranks(reference));
          default ->
              String.format(
                  "%s%s on %s, %s on %s",
                  difference.what().isEmpty() ? "" : difference.what() + " is ",
                  difference.otherText(),
                  ranks(ranks),
                  difference.referenceText(),
                  ranks(reference));
        };
    return new Diagnostic(
        Severity.NOTE,
        difference.kind().word().replace(' ', '-'),
        message,
        in(ranks, difference.otherLocation()),
        ImmutableList.of(
            new Note(ranks(reference) + " here", in(reference, difference.referenceLocation()))));
  }

  /** Returns {@code location} as a place in the lowest rank's own file. */
  private Location in(RankClass ranks, Location location) {
    for (RankPrograms.Program program : programs.programs(ranks.first())) {
      if (program.module().location().source() == location.source()) {
        return program.in(location);
      }
    }
    return location;
  }

  private void varying(StringBuilder out) {
    if (report.varying().isEmpty()) {
      return;
    }
    out.append("\nwhat differs in one place, by rank\n");
    int shown = all ? report.varying().size() : Math.min(VARYING_SHOWN, report.varying().size());
    for (DiffReport.Varying each : report.varying().subList(0, shown)) {
      Difference first = each.first();
      out.append("  ")
          .append(in(report.classes().classes().get(0), first.referenceLocation()))
          .append(": ")
          .append(first.kind().word())
          .append(first.what().isEmpty() ? "" : " " + first.what())
          .append(": ");
      List<String> values = new ArrayList<>();
      Map<String, List<Integer>> byValue = byValue(each);
      byValue.forEach((value, ranks) -> values.add(value + " on " + RankWords.of(ranks)));
      out.append(String.join(", ", values.subList(0, Math.min(VALUES_SHOWN, values.size()))));
      out.append(values.size() > VALUES_SHOWN ? ", ..." : "");
      out.append(each.formula().isEmpty() ? "" : "; looks like " + each.formula()).append('\n');
    }
    if (shown < report.varying().size()) {
      out.append("  ... ").append(report.varying().size() - shown).append(" more\n");
    }
  }

  /** Returns which ranks have which value, by the lowest rank. */
  private Map<String, List<Integer>> byValue(DiffReport.Varying varying) {
    @Nullable String[] byRank = new @Nullable String[programs.world()];
    for (int c = 0; c < varying.byClass().size(); c++) {
      for (int rank : report.classes().classes().get(c).ranks()) {
        byRank[rank] = varying.byClass().get(c);
      }
    }
    Map<String, List<Integer>> out = new LinkedHashMap<>();
    for (int rank = 0; rank < byRank.length; rank++) {
      String value = byRank[rank];
      if (value != null) {
        out.computeIfAbsent(value, unused -> new ArrayList<>()).add(rank);
      }
    }
    return out;
  }

  /** Puts the comparison into {@code json}. */
  public void describe(JsonReport json) {
    json.put("equal", report.areEqual());
    json.put("literals_only", report.literalsOnly());
    json.put("ranks", report.classes().size());
    List<Map<String, Object>> classes = new ArrayList<>();
    for (int c = 0; c < report.classes().classes().size(); c++) {
      RankClass each = report.classes().classes().get(c);
      Map<String, Object> out = ClassReport.of(each, programs);
      if (c > 0) {
        List<Map<String, Object>> differences = new ArrayList<>();
        for (Difference difference : report.others().get(c - 1).differences()) {
          differences.add(describe(each, difference));
        }
        out.put("differences", differences);
      }
      classes.add(out);
    }
    json.put("classes", classes);
    List<Map<String, Object>> varying = new ArrayList<>();
    for (DiffReport.Varying each : report.varying()) {
      Map<String, Object> out = new LinkedHashMap<>();
      out.put("kind", each.first().kind().word());
      out.put("what", each.first().what());
      out.put("place", each.first().referenceLocation().toString());
      out.put("by_class", each.byClass());
      out.put("formula", each.formula());
      varying.add(out);
    }
    json.put("varying", varying);
    json.put("suggestions", report.suggestions());
  }

  private Map<String, Object> describe(RankClass ranks, Difference difference) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("kind", difference.kind().word());
    out.put("what", difference.what());
    out.put("place", in(ranks, difference.otherLocation()).toString());
    out.put("has", difference.otherText());
    out.put(
        "reference_place",
        in(report.classes().classes().get(0), difference.referenceLocation()).toString());
    out.put("reference_has", difference.referenceText());
    out.put("message", diagnostic(ranks, difference).message());
    return out;
  }
}
