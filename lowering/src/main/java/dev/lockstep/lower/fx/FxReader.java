package dev.lockstep.lower.fx;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.lower.fx.graph.FxOptions;
import dev.lockstep.lower.fx.graph.GraphLowering;
import dev.lockstep.lower.fx.text.FxTexts;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads torch FX graphs: what {@code print_readable} writes, the text of exported programs, and the
 * graphs in logs of {@code TORCH_LOGS}. Each becomes a StableHLO module whose calls of
 * torch.distributed are custom calls, as {@code lower-c10d} takes them.
 *
 * <p>A log may show one graph several times, on its way through torch's compiler. Only the last
 * stage that it shows counts: after post-grad passes, else as AOTAutograd made it (joint graphs
 * only where nothing else is), else as Dynamo captured it.
 */
public final class FxReader {
  /** Diagnostic code: there is no graph, or not one. */
  public static final String COUNT = "fx-graphs";

  private final Source source;
  private final ImmutableList<FxTexts.Found> graphs;

  private FxReader(Source source, ImmutableList<FxTexts.Found> graphs) {
    this.source = source;
    this.graphs = graphs;
  }

  /**
   * Finds the graphs in {@code source}.
   *
   * @throws DiagnosticException when the text is wrong or holds no graph
   */
  public static FxReader of(Source source) {
    ImmutableList<FxTexts.Found> graphs = lastStage(FxTexts.read(source));
    if (graphs.isEmpty()) {
      throw DiagnosticException.error(COUNT, "the text holds no graph", new Location(source, 0, 0));
    }
    return new FxReader(source, graphs);
  }

  /** Keeps the graphs of the last stage that each compilation of each rank shows. */
  private static ImmutableList<FxTexts.Found> lastStage(ImmutableList<FxTexts.Found> all) {
    Map<String, Integer> last = new HashMap<>();
    for (FxTexts.Found found : all) {
      last.merge(compilation(found), stageOf(found), Math::max);
    }
    return all.stream()
        .filter(found -> stageOf(found) == last.getOrDefault(compilation(found), 0))
        .collect(ImmutableList.toImmutableList());
  }

  private static String compilation(FxTexts.Found found) {
    return found.rank() + " " + found.compilation();
  }

  /** Returns how far on its way through the compiler a graph was; 0 where the text says nothing. */
  private static int stageOf(FxTexts.Found found) {
    String title = found.title().toLowerCase(Locale.ROOT);
    if (title.contains("post grad") || found.stage().contains("post_grad")) {
      return 4;
    }
    if (title.matches("(?:forward|backward) graph.*")) {
      return 3;
    }
    if (title.startsWith("joint") || found.stage().contains("aot")) {
      return 2;
    }
    return found.stage().contains("graph_code") || title.contains("__compiled_fn") ? 1 : 0;
  }

  /** Returns the ranks that a log names, in order; empty where none is named. */
  public ImmutableSet<Integer> ranks() {
    return graphs.stream()
        .map(FxTexts.Found::rank)
        .filter(rank -> rank >= 0)
        .sorted()
        .collect(ImmutableSet.toImmutableSet());
  }

  /**
   * Returns all graphs, in order.
   *
   * @param sink gets warnings
   * @throws DiagnosticException when one is wrong or holds what is not read
   */
  public ImmutableList<Module> all(FxOptions options, DiagnosticSink sink) {
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (FxTexts.Found found : graphs) {
      out.add(GraphLowering.lower(found.graph(), options, sink));
    }
    return out.build();
  }

  /**
   * Returns the graphs of one rank, in order.
   *
   * @param sink gets warnings
   * @throws DiagnosticException when one is wrong or holds what is not read
   */
  public ImmutableList<Module> ofRank(int rank, FxOptions options, DiagnosticSink sink) {
    ImmutableList<FxTexts.Found> own =
        graphs.stream()
            .filter(found -> found.rank() == rank)
            .collect(ImmutableList.toImmutableList());
    return new FxReader(source, own).all(options, sink);
  }

  /**
   * Returns the graph that {@code source} holds.
   *
   * @param sink gets warnings
   * @throws DiagnosticException when the text is wrong or holds none or several graphs
   */
  public static Module read(Source source, FxOptions options, DiagnosticSink sink) {
    ImmutableList<FxTexts.Found> graphs = of(source).graphs;
    if (graphs.size() > 1) {
      Diagnostic error =
          Diagnostic.error(
              COUNT,
              "the text holds " + graphs.size() + " graphs, must be one; --ranks takes several",
              graphs.get(0).graph().location());
      for (FxTexts.Found found : graphs.subList(1, graphs.size())) {
        error = error.withNote("another graph", found.graph().location());
      }
      throw new DiagnosticException(error);
    }
    return GraphLowering.lower(graphs.get(0).graph(), options, sink);
  }
}
