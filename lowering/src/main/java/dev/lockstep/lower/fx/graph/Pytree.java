package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.lower.fx.text.Expr;
import dev.lockstep.lower.fx.text.FxGraph;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The wrapping that exported modules have around their graph: arguments are flattened by {@code
 * fx_pytree.tree_flatten_spec}, results put together by {@code pytree.tree_unflatten}, and guards
 * checked. Underneath are the graph's own arguments and results.
 *
 * @param arguments the graph's arguments
 * @param result what it returns, or null
 */
record Pytree(ImmutableList<Argument> arguments, @Nullable Expr result) {
  private static final String FLATTEN = "fx_pytree.tree_flatten_spec";
  private static final String UNFLATTEN = "pytree.tree_unflatten";
  private static final String GUARDS = "self._guards_fn";

  /** An argument, and what the text says of its type. */
  record Argument(String name, Location location, @Nullable Expr type) {}

  static Pytree of(FxGraph graph) {
    Map<String, Expr> stated = new HashMap<>();
    FxGraph.Statement flattening = null;
    for (FxGraph.Statement statement : graph.statements()) {
      Expr type = statement.type();
      if (statement.value() == null
          && type != null
          && statement.targets().get(0) instanceof Expr.Name name) {
        stated.put(name.word(), type);
      }
      if (calls(statement.value(), FLATTEN)) {
        flattening = statement;
      }
    }
    ImmutableList.Builder<Argument> arguments = ImmutableList.builder();
    if (flattening == null) {
      for (FxGraph.Parameter parameter : graph.parameters()) {
        Expr type = parameter.type();
        arguments.add(
            new Argument(
                parameter.name(),
                parameter.location(),
                type == null ? stated.get(parameter.name()) : type));
      }
    } else {
      for (Expr target : flattening.targets()) {
        if (target instanceof Expr.Name name) {
          arguments.add(new Argument(name.word(), name.location(), stated.get(name.word())));
        }
      }
    }
    return new Pytree(arguments.build(), unwrapped(graph.result()));
  }

  private static @Nullable Expr unwrapped(@Nullable Expr result) {
    return result instanceof Expr.Call call
            && calls(result, UNFLATTEN)
            && !call.arguments().isEmpty()
        ? call.arguments().get(0)
        : result;
  }

  private static boolean calls(@Nullable Expr value, String path) {
    return value instanceof Expr.Call call && path.equals(call.callee().path());
  }

  /** Returns whether {@code statement} only wraps. */
  boolean isPartOf(FxGraph.Statement statement) {
    return calls(statement.value(), FLATTEN) || calls(statement.value(), GUARDS);
  }
}
