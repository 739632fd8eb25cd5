package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.lower.fx.text.Expr;
import dev.lockstep.lower.fx.text.FxGraph;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads what a graph's text says of types, its symbols bound. */
final class TypeReader {
  /** Diagnostic code: a size is a symbol that nothing binds. */
  static final String SYMBOLIC = "fx-symbolic";

  private final FxGraph graph;
  private final FxOptions options;

  private TypeReader(FxGraph graph, FxOptions options) {
    this.graph = graph;
    this.options = options;
  }

  /**
   * Returns a reader for {@code graph}.
   *
   * @throws DiagnosticException when the graph has symbols that {@code options} do not bind; it
   *     names all of them
   */
  static TypeReader of(FxGraph graph, FxOptions options) {
    ImmutableMap<String, Long> bindings = options.bindings();
    TreeSet<String> unbound = new TreeSet<>();
    Location first = null;
    for (FxGraph.Parameter parameter : graph.parameters()) {
      first = scan(parameter.type(), bindings, unbound, first);
    }
    for (FxGraph.Statement statement : graph.statements()) {
      first = scan(statement.type(), bindings, unbound, first);
    }
    if (first != null) {
      StringBuilder flags = new StringBuilder();
      unbound.forEach(name -> flags.append(" --bind ").append(name).append("=N"));
      throw DiagnosticException.error(
          SYMBOLIC,
          (unbound.size() == 1 ? "the size " : "the sizes ")
              + String.join(", ", unbound)
              + (unbound.size() == 1 ? " is a symbol" : " are symbols")
              + "; say which numbers to take:"
              + flags,
          first);
    }
    return new TypeReader(graph, options);
  }

  private static @Nullable Location scan(
      @Nullable Expr type,
      ImmutableMap<String, Long> bindings,
      Set<String> unbound,
      @Nullable Location first) {
    if (!(type instanceof Expr.Text text)) {
      return first;
    }
    parse(text, bindings, unbound);
    return first == null && !unbound.isEmpty() ? text.location() : first;
  }

  private static @Nullable Declared parse(
      Expr.Text text, ImmutableMap<String, Long> bindings, Set<String> unbound) {
    try {
      return Declared.parse(text.value(), bindings, unbound);
    } catch (Sizes.Unreadable e) {
      throw DiagnosticException.error("fx-type", String.valueOf(e.getMessage()), text.location());
    } catch (ArithmeticException e) {
      throw DiagnosticException.error("fx-type", "a size is too large", text.location());
    }
  }

  /** Returns what {@code type} says, or null when it says neither a tensor nor a size. */
  @Nullable Declared read(@Nullable Expr type) {
    return type instanceof Expr.Text text ? parse(text, options.bindings(), new TreeSet<>()) : null;
  }

  /**
   * Returns what the input called {@code name} is; null when neither the text nor the options say
   * it.
   */
  @Nullable Declared input(String name, @Nullable Expr type, Location location) {
    Declared stated = read(type);
    String given = options.types().get(name);
    return stated != null || given == null ? stated : read(new Expr.Text(location, given));
  }

  /**
   * Returns whether the text or the options say types, so that what has none is no tensor: device
   * meshes and other objects, which compiled graphs hand through.
   */
  boolean saysTypes() {
    return graph.parameters().stream()
            .anyMatch(each -> input(each.name(), each.type(), each.location()) != null)
        || graph.statements().stream().anyMatch(statement -> read(statement.type()) != null);
  }
}
