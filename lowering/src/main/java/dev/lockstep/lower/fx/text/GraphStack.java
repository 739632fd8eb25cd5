package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The graphs that are open while a text is read; columns say which is inside which. */
final class GraphStack {
  private static final String FORWARD = "forward";

  private final Deque<Open> open = new ArrayDeque<>();
  private final List<FxGraph> done = new ArrayList<>();

  private static final class Open {
    final int column;
    String name = FORWARD;
    Location location;
    boolean hasFunction;
    boolean hasResult;
    @Nullable Expr result;
    Location returns;
    final List<FxGraph.Parameter> parameters = new ArrayList<>();
    final List<FxGraph.Statement> statements = new ArrayList<>();

    Open(int column, Location location) {
      this.column = column;
      this.location = location;
      this.returns = location;
    }
  }

  /** Opens a class; those that stand as far right or further are complete. */
  void open(int column, Location location) {
    closeFrom(column);
    open.push(new Open(column, location));
  }

  void name(String name, Location location) {
    Open graph = open.element();
    graph.name = name;
    graph.location = location;
  }

  /** Opens a function: that of the open class, or one without a class. */
  void function(int column, Location location) {
    closeFrom(column);
    Open graph = open.peek();
    if (graph == null) {
      graph = new Open(column, location);
      open.push(graph);
    }
    if (graph.hasFunction) {
      throw DiagnosticException.error("syntax", "the graph has a second function", location);
    }
    graph.hasFunction = true;
  }

  private void closeFrom(int column) {
    while (!open.isEmpty() && open.element().column >= column) {
      close();
    }
  }

  private void close() {
    Open graph = open.pop();
    if (!graph.hasResult) {
      throw DiagnosticException.error(
          "syntax", "the graph '" + graph.name + "' ends without a return", graph.location);
    }
    FxGraph complete =
        new FxGraph(
            graph.name,
            graph.location,
            ImmutableList.copyOf(graph.parameters),
            ImmutableList.copyOf(graph.statements),
            graph.result,
            graph.returns);
    // Classes inside others are not run: nothing that is lowered calls them.
    if (open.isEmpty()) {
      done.add(complete);
    }
  }

  void parameter(String name, Location location) {
    Open graph = open.element();
    if (!name.equals("self") || !graph.parameters.isEmpty()) {
      graph.parameters.add(new FxGraph.Parameter(name, location, null));
    }
  }

  void parameterType(Expr type) {
    List<FxGraph.Parameter> parameters = open.element().parameters;
    if (!parameters.isEmpty()) {
      FxGraph.Parameter last = parameters.remove(parameters.size() - 1);
      parameters.add(new FxGraph.Parameter(last.name(), last.location(), type));
    }
  }

  void statement(FxGraph.Statement statement) {
    body(statement.location()).statements.add(statement);
  }

  void result(@Nullable Expr value, Location location) {
    Open graph = body(location);
    graph.hasResult = true;
    graph.result = value;
    graph.returns = location;
  }

  private Open body(Location location) {
    Open graph = open.peek();
    if (graph == null || !graph.hasFunction) {
      throw DiagnosticException.error("syntax", "this stands in no function", location);
    }
    if (graph.hasResult) {
      throw DiagnosticException.error("syntax", "this stands behind the return", location);
    }
    return graph;
  }

  ImmutableList<FxGraph> finish() {
    closeFrom(0);
    while (!open.isEmpty()) {
      close();
    }
    return ImmutableList.copyOf(done);
  }
}
