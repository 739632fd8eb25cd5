package dev.lockstep.lower.fx.graph;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.lower.fx.aten.Arg;
import dev.lockstep.lower.fx.text.Expr;
import dev.lockstep.lower.fx.text.FxGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of a graph: what each stands for, where it is used last, who shares memory. */
final class Names {
  private final Map<String, Arg> values = new HashMap<>();
  private final Map<String, Integer> lastUse = new HashMap<>();
  private final Map<Arg.Tensor, List<String>> sharing = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  /** Creates the names of {@code graph}, of which none stands for anything yet. */
  Names(FxGraph graph) {
    int at = 0;
    for (FxGraph.Statement statement : graph.statements()) {
      if (statement.value() != null && !statement.value().isNone()) {
        uses(statement.value(), at);
      }
      at++;
    }
    if (graph.result() != null) {
      uses(graph.result(), at);
    }
  }

  private void uses(Expr expression, int at) {
    if (expression instanceof Expr.Name name) {
      lastUse.put(name.word(), at);
    } else if (expression instanceof Expr.Items items) {
      items.elements().forEach(element -> uses(element, at));
    } else if (expression instanceof Expr.Call call) {
      uses(call.callee(), at);
      call.arguments().forEach(argument -> uses(argument, at));
      call.keywords().forEach(keyword -> uses(keyword.value(), at));
    } else if (expression instanceof Expr.Index index) {
      uses(index.base(), at);
      uses(index.at(), at);
    } else if (expression instanceof Expr.Binary binary) {
      uses(binary.left(), at);
      uses(binary.right(), at);
    } else if (expression instanceof Expr.Member member) {
      uses(member.base(), at);
    } else if (expression instanceof Expr.Negative negative) {
      uses(negative.operand(), at);
    }
  }

  /** Makes {@code name} stand for {@code value}. */
  void put(String name, Arg value) {
    values.put(name, value);
    gone.remove(name);
    remember(name, value);
  }

  private void remember(String name, Arg value) {
    if (value instanceof Arg.Tensor tensor) {
      sharing.computeIfAbsent(tensor.root(), root -> new ArrayList<>()).add(name);
    } else if (value instanceof Arg.Items items) {
      items.elements().forEach(element -> remember(name, element));
    }
  }

  /** Makes {@code name} stand for nothing any more: the text said {@code name = None}. */
  void remove(String name) {
    if (values.remove(name) != null) {
      gone.add(name);
    }
  }

  /** Returns what {@code name} stands for, or null. */
  @Nullable Arg find(String name) {
    return values.get(name);
  }

  /** Returns the diagnostic that {@code name} stands for nothing. */
  DiagnosticException unknown(String name, Location location) {
    return DiagnosticException.error(
        "fx-name",
        gone.contains(name)
            ? "'" + name + "' was given up before: the text says " + name + " = None"
            : "'" + name + "' is not defined",
        location);
  }

  /**
   * Returns a name by which something else in the memory of {@code tensor} is used after statement
   * {@code at}, or null.
   */
  @Nullable String sharedAfter(Arg.Tensor tensor, int at) {
    for (String name : sharing.getOrDefault(tensor.root(), List.of())) {
      Arg value = values.get(name);
      if (value != tensor && lastUse.getOrDefault(name, -1) > at) {
        return name;
      }
    }
    return null;
  }

  /** Returns whether {@code name} is used after statement {@code at}. */
  boolean isUsedAfter(String name, int at) {
    return lastUse.getOrDefault(name, -1) > at;
  }
}
