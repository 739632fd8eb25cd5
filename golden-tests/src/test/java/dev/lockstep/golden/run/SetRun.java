package dev.lockstep.golden.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenCase.Kind;
import dev.lockstep.golden.GoldenCase.Section;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A case whose input is one program a rank, each below a line {@code // -- rank 0}; below {@code //
 * -- ranks 1-3} stands the program of several. A line {@code // -- rank 0 again} begins the next
 * program that rank 0 runs. The output is written in the same way.
 *
 * <p>Sets of one program a rank are executed before and after, but that nothing says what torch's
 * calls in several programs mean before they are lowered.
 */
final class SetRun {
  private static final Pattern HEAD =
      Pattern.compile("// -- ranks? (\\d+)(?:-(\\d+))?( again)?", Pattern.MULTILINE);

  private final GoldenCase golden;
  private final GridDirective grid;
  private final List<Section> sections;
  private final List<String> faults;
  private final Map<String, Literal> kept = new HashMap<>();

  SetRun(GoldenCase golden, GridDirective grid, List<Section> sections, List<String> faults) {
    this.golden = golden;
    this.grid = grid;
    this.sections = sections;
    this.faults = faults;
  }

  /** Returns whether {@code golden} holds programs of ranks. */
  static boolean isSet(GoldenCase golden) {
    return HEAD.matcher(golden.input()).find();
  }

  void run() {
    ImmutableList<ImmutableList<Module>> before = read();
    String text = golden.directive(Directive.RUN);
    Pipeline pipeline = Pipeline.parse(text == null ? "" : text, AllPasses.registry());
    PassManager manager =
        PassManager.builder()
            .counts(grid.replicas(), grid.partitions())
            .verifyEach(Programs::verify)
            .values(kept::put)
            .build();
    ImmutableList<ImmutableList<Module>> after =
        manager.runSet(pipeline, before, new DiagnosticSink());
    sections.add(
        after.equals(before)
            ? new Section(Kind.UNCHANGED, "")
            : new Section(Kind.OUTPUT, print(after)));
    if (CaseRun.isIdempotent(pipeline) && kept.isEmpty()) {
      ImmutableList<ImmutableList<Module>> again =
          manager.runSet(pipeline, after, new DiagnosticSink());
      if (!again.equals(after)) {
        faults.add("a second run changes the output again, to:\n" + print(again));
      }
    }
    values(before, after);
  }

  private ImmutableList<ImmutableList<Module>> read() {
    Map<Integer, List<Module>> byRank = new LinkedHashMap<>();
    Matcher head = HEAD.matcher(golden.input());
    int at = head.find() ? head.start() : golden.input().length();
    while (at < golden.input().length()) {
      head.find(at);
      int begin = head.end();
      int first = Integer.parseInt(head.group(1));
      int last = head.group(2) == null ? first : Integer.parseInt(head.group(2));
      at = head.find(begin) ? head.start() : golden.input().length();
      // Blank lines before it give the text the line numbers of the case.
      String before = golden.input().substring(0, begin).replaceAll("[^\\n]", "");
      String text = before + golden.input().substring(begin, at);
      Module module = Programs.read(Source.of(golden.name(), text.getBytes(UTF_8)));
      DiagnosticSink sink = new DiagnosticSink();
      Programs.verify(module, sink);
      sink.throwIfErrors();
      for (int rank = first; rank <= last; rank++) {
        byRank.computeIfAbsent(rank, key -> new ArrayList<>()).add(module);
      }
    }
    ImmutableList.Builder<ImmutableList<Module>> out = ImmutableList.builder();
    byRank.values().forEach(programs -> out.add(ImmutableList.copyOf(programs)));
    return out.build();
  }

  private static String print(ImmutableList<ImmutableList<Module>> ranks) {
    StringBuilder out = new StringBuilder();
    int rank = 0;
    while (rank < ranks.size()) {
      int last = rank;
      while (last + 1 < ranks.size() && ranks.get(last + 1).equals(ranks.get(rank))) {
        last++;
      }
      for (int i = 0; i < ranks.get(rank).size(); i++) {
        out.append("// -- ").append(last > rank ? "ranks " : "rank ").append(rank);
        out.append(last > rank ? "-" + last : "").append(i > 0 ? " again" : "").append('\n');
        out.append(Programs.print(ranks.get(rank).get(i)).stripTrailing()).append('\n');
      }
      rank = last + 1;
    }
    return out.toString();
  }

  private void values(
      ImmutableList<ImmutableList<Module>> before, ImmutableList<ImmutableList<Module>> after) {
    if (golden.directive(Directive.NO_VALUES) != null
        || before.stream().anyMatch(programs -> programs.size() != 1)) {
      return;
    }
    try {
      Execution now = execute(after);
      if (!print(before).contains("c10d")) {
        String difference = execute(before).differenceFrom(now);
        if (difference != null) {
          faults.add("the output computes something else: " + difference);
        }
      }
      if (golden.section(Kind.VALUES) != null) {
        sections.add(new Section(Kind.VALUES, now.toText()));
      }
    } catch (DiagnosticException e) {
      faults.add("the programs cannot be executed (NO-VALUES says why not):\n" + e.getMessage());
    }
  }

  private Execution execute(ImmutableList<ImmutableList<Module>> ranks) {
    List<Module> modules = new ArrayList<>();
    ranks.forEach(programs -> modules.add(programs.get(0)));
    DeviceGrid devices = grid.grid() == null ? new DeviceGrid(ranks.size(), 1) : grid.grid();
    String seed = golden.directive(Directive.SEED);
    return Execution.ofRanks(
        modules,
        devices,
        seed == null ? 1 : Long.parseLong(seed),
        (index, device, type) -> kept.get("in" + index + ".dev" + device));
  }
}
