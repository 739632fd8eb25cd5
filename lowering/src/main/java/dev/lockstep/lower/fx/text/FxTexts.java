package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;

/** Reads the graphs of a text. */
public final class FxTexts {
  /**
   * A graph and what the text said of it.
   *
   * @param rank the rank that logged it, or -1
   * @param compilation which of torch's compilations it belongs to: {@code 0/0}, or empty
   * @param stage what torch logged it as: {@code graph_code}, {@code aot_graphs}, {@code
   *     post_grad_graphs}, or empty
   * @param title what stood between {@code =====} above it: {@code Forward graph 0}, or empty
   */
  public record Found(int rank, String compilation, String stage, String title, FxGraph graph) {}

  private FxTexts() {}

  /**
   * Returns the graphs that {@code source} holds, in order; linear in the length of the text.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException when one of them is wrong
   */
  public static ImmutableList<Found> read(Source source) {
    ImmutableList.Builder<Found> out = ImmutableList.builder();
    for (GraphLines.Section section : GraphLines.find(source)) {
      for (FxGraph graph : graphs(source, section)) {
        out.add(
            new Found(
                section.origin().rank(),
                section.origin().compilation(),
                section.origin().stage(),
                section.title(),
                graph));
      }
    }
    return out.build();
  }

  private static ImmutableList<FxGraph> graphs(Source source, GraphLines.Section section) {
    if (section.form() != GraphLines.Form.PYTHON) {
      return ImmutableList.of(NodeLines.read(source, section));
    }
    FxText parser = parser(source, section);
    parser.text();
    return parser.graphs();
  }

  /** Returns a parser of the lines of {@code section}. */
  static FxText parser(Source source, GraphLines.Section section) {
    FxText parser = new FxText(new FxTokens(new FxLexer(source, section)));
    parser.setBuildParseTree(false);
    parser.removeErrorListeners();
    parser.setErrorHandler(new FxErrors(source));
    parser.readFrom(source);
    return parser;
  }
}
