package dev.lockstep.lower.fx;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.lower.fx.graph.FxOptions;
import dev.lockstep.lower.fx.graph.GraphLowering;
import dev.lockstep.lower.fx.text.FxTexts;

/**
 * Reads torch FX graphs: what {@code print_readable} writes, the text of exported programs, and the
 * graphs in logs of {@code TORCH_LOGS}. Each becomes a StableHLO module whose calls of
 * torch.distributed are custom calls, as {@code lower-c10d} takes them.
 */
public final class FxReader {
  /** Diagnostic code: there is no graph, or not one. */
  public static final String COUNT = "fx-graphs";

  private FxReader() {}

  /**
   * Returns the graph that {@code source} holds.
   *
   * @param sink gets warnings
   * @throws DiagnosticException when the text is wrong or holds none or several graphs
   */
  public static Module read(Source source, FxOptions options, DiagnosticSink sink) {
    ImmutableList<FxTexts.Found> graphs = graphs(source);
    if (graphs.size() > 1) {
      Diagnostic error =
          Diagnostic.error(
              COUNT,
              "the text holds " + graphs.size() + " graphs, must be one",
              graphs.get(0).graph().location());
      for (FxTexts.Found found : graphs.subList(1, graphs.size())) {
        error = error.withNote("another graph", found.graph().location());
      }
      throw new DiagnosticException(error);
    }
    return GraphLowering.lower(graphs.get(0).graph(), options, sink);
  }

  /**
   * Returns all graphs that {@code source} holds, in order.
   *
   * @param sink gets warnings
   * @throws DiagnosticException when the text is wrong or holds no graph
   */
  public static ImmutableList<Module> readAll(
      Source source, FxOptions options, DiagnosticSink sink) {
    ImmutableList.Builder<Module> out = ImmutableList.builder();
    for (FxTexts.Found found : graphs(source)) {
      out.add(GraphLowering.lower(found.graph(), options, sink));
    }
    return out.build();
  }

  private static ImmutableList<FxTexts.Found> graphs(Source source) {
    ImmutableList<FxTexts.Found> graphs = FxTexts.read(source);
    if (graphs.isEmpty()) {
      throw DiagnosticException.error(COUNT, "the text holds no graph", new Location(source, 0, 0));
    }
    return graphs;
  }
}
