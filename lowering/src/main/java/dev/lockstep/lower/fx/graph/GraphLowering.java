package dev.lockstep.lower.fx.graph;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.lower.fx.aten.Arg;
import dev.lockstep.lower.fx.aten.Operators;
import dev.lockstep.lower.fx.text.Expr;
import dev.lockstep.lower.fx.text.FxGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes one graph a module with one function, {@code main}. */
public final class GraphLowering {
  private final FxGraph graph;
  private final FxOptions options;
  private final DiagnosticSink sink;
  private final TypeReader types;
  private final Names names;
  private final Inputs inputs;
  private final Writes writes;
  private final OpBuilder builder;
  private final Evaluator evaluator;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<String, TreeMap<Integer, TensorType>> elements = new HashMap<>();

  private GraphLowering(FxGraph graph, FxOptions options, DiagnosticSink sink) {
    this.graph = graph;
    this.options = options;
    this.sink = sink;
    this.types = TypeReader.of(graph, options);
    this.inputs = new Inputs(types);
    this.names = new Names();
    this.writes = new Writes(options.mutatedInputs());
    Module empty =
        new Module(
            Syntax.STABLEHLO,
            null,
            Attributes.EMPTY,
            ImmutableList.of(),
            null,
            graph.location(),
            null);
    this.builder = new OpBuilder(BuildScope.of(empty));
    this.evaluator =
        new Evaluator(names, new Operators(builder, options.groups(), writes, sink), inputs);
  }

  /**
   * Returns {@code graph} as a module.
   *
   * @param sink gets warnings
   * @throws DiagnosticException when the graph is wrong or holds what is not read
   */
  public static Module lower(FxGraph graph, FxOptions options, DiagnosticSink sink) {
    return new GraphLowering(graph, options, sink).module();
  }

  private Module module() {
    collectElements();
    Pytree pytree = Pytree.of(graph);
    for (Pytree.Argument argument : pytree.arguments()) {
      names.put(
          argument.name(), inputs.parameter(argument.name(), argument.type(), argument.location()));
    }
    for (FxGraph.Statement statement : graph.statements()) {
      if (!pytree.isPartOf(statement)) {
        builder.at(statement.location());
        statement(statement);
        operations.addAll(builder.take());
      }
    }
    builder.at(graph.returns());
    List<Value> results = new ArrayList<>();
    Expr result = pytree.result();
    if (result != null) {
      flatten(evaluator.value(result, Outcomes.NOTHING), result.location(), results);
      operations.addAll(builder.take());
    }
    return module(results);
  }

  /** Collects the types of the elements that statements take out of results. */
  private void collectElements() {
    for (FxGraph.Statement statement : graph.statements()) {
      if (statement.value() instanceof Expr.Index index
          && index.base() instanceof Expr.Name base
          && index.at() instanceof Expr.Whole place) {
        TreeMap<Integer, TensorType> of =
            elements.computeIfAbsent(base.word(), name -> new TreeMap<>());
        Declared declared = types.read(statement.type());
        if (declared != null && declared.tensor() != null && place.value() >= 0) {
          of.put((int) place.value(), declared.tensor());
        }
      }
    }
  }

  private void statement(FxGraph.Statement statement) {
    Expr value = statement.value();
    if (value == null) {
      return;
    }
    if (value.isNone()) {
      for (Expr target : statement.targets()) {
        if (target instanceof Expr.Name name) {
          names.remove(name.word());
        }
      }
      return;
    }
    Declared declared = types.read(statement.type());
    if (declared != null && declared.size() != null) {
      size(statement, declared.size());
      return;
    }
    inputs.expect(declared);
    Arg result = evaluator.value(value, outcomes(statement, declared));
    check(statement, declared, result);
    bind(statement, result);
  }

  private Outcomes outcomes(FxGraph.Statement statement, @Nullable Declared declared) {
    if (declared != null && declared.tensor() != null) {
      return new Outcomes(false, ImmutableList.of(declared.tensor()));
    }
    if (statement.targets().size() == 1 && statement.targets().get(0) instanceof Expr.Name name) {
      TreeMap<Integer, TensorType> found = elements.get(name.word());
      if (found != null && !found.isEmpty()) {
        if (found.lastKey() != found.size() - 1) {
          return new Outcomes(true, filled(found));
        }
        return new Outcomes(true, ImmutableList.copyOf(found.values()));
      }
    }
    return Outcomes.NOTHING;
  }

  /** Elements that the graph does not take have types that the text does not say. */
  private static ImmutableList<TensorType> filled(NavigableMap<Integer, TensorType> found) {
    ImmutableList.Builder<TensorType> out = ImmutableList.builder();
    for (int i = 0; i <= found.lastKey(); i++) {
      out.add(found.getOrDefault(i, TensorType.of(dev.lockstep.hlo.type.ElementType.I1, 0)));
    }
    return out.build();
  }

  /** Sizes are bound: what computes them need not be read. */
  private void size(FxGraph.Statement statement, long bound) {
    bind(statement, new Arg.Whole(bound));
  }

  private void bind(FxGraph.Statement statement, Arg result) {
    if (!statement.unpacks()) {
      for (Expr target : statement.targets()) {
        bind(target, result);
      }
      return;
    }
    if (!(result instanceof Arg.Items items)
        || items.elements().size() != statement.targets().size()) {
      throw DiagnosticException.error(
          "fx-argument",
          "cannot unpack " + result.describe() + " into " + statement.targets().size() + " names",
          statement.location());
    }
    for (int i = 0; i < statement.targets().size(); i++) {
      bind(statement.targets().get(i), items.elements().get(i));
    }
  }

  private void bind(Expr target, Arg result) {
    if (!(target instanceof Expr.Name name)) {
      throw DiagnosticException.error(
          "fx-unsupported", "an assignment to something else than a name", target.location());
    }
    names.put(name.word(), result);
  }

  /** Checks that what was built has the type that the text says. */
  private static void check(FxGraph.Statement statement, @Nullable Declared declared, Arg result) {
    if (declared == null || declared.tensor() == null || !(result instanceof Arg.Tensor tensor)) {
      return;
    }
    if (!tensor.type().isSameShape(declared.tensor())) {
      throw DiagnosticException.error(
          "fx-type",
          "the text says " + declared.tensor() + ", but this gives " + tensor.type(),
          requireNonNull(statement.type()).location());
    }
  }

  private void flatten(Arg result, Location location, List<Value> out) {
    if (result instanceof Arg.Tensor tensor) {
      out.add(tensor.value());
    } else if (result instanceof Arg.Items items) {
      items.elements().forEach(element -> flatten(element, location, out));
    } else if (!(result instanceof Arg.None)
        && !(result instanceof Arg.Opaque)
        && !result.isNumber()) {
      throw DiagnosticException.error(
          "fx-unsupported", "the graph returns " + result.describe(), location);
    }
  }

  private Module module(List<Value> results) {
    ImmutableList<Value> arguments = inputs.arguments();
    int mutated = results.size();
    results.addAll(writes.results());
    operations.add(
        new Operation(
            BuiltinOps.RETURN,
            ImmutableList.copyOf(results),
            ImmutableList.of(),
            Attributes.EMPTY,
            ImmutableList.of(),
            graph.returns(),
            null));
    Attributes.Builder function =
        Attributes.builder()
            .put(BuiltinOps.SYM_NAME, Attribute.Str.of("main"))
            .put(
                BuiltinOps.FUNCTION_TYPE,
                new Attribute.TypeOf(new FunctionType(types(arguments), types(results))));
    Attribute aliases = writes.argumentAttributes(arguments, mutated);
    if (aliases != null) {
      function.put(BuiltinOps.ARG_ATTRS, aliases);
    }
    Operation main =
        new Operation(
            BuiltinOps.FUNC,
            ImmutableList.of(),
            ImmutableList.of(),
            function.build(),
            ImmutableList.of(Region.of(Block.of(arguments, ImmutableList.copyOf(operations)))),
            graph.location(),
            null);
    noteAttributes(arguments.size());
    return new Module(
        Syntax.STABLEHLO,
        graph.name(),
        counts(),
        ImmutableList.of(main),
        null,
        new Location(graph.location().source(), 0, graph.location().source().length()),
        null);
  }

  private Attributes counts() {
    if (options.groups().size().isEmpty()) {
      return Attributes.EMPTY;
    }
    return Attributes.of(
        Module.MHLO_NUM_PARTITIONS,
        Attribute.Int.i32(1),
        Module.MHLO_NUM_REPLICAS,
        Attribute.Int.i32(options.groups().size().getAsInt()));
  }

  private static ImmutableList<Type> types(List<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  /** Says which arguments came from the module, whose order the text does not show. */
  private void noteAttributes(int arguments) {
    ImmutableList<String> taken = inputs.attributeNames();
    if (!taken.isEmpty()) {
      int first = arguments - taken.size();
      sink.report(
          Diagnostic.warning(
              "fx-attribute",
              String.format(
                  "the values of self.%s are not in the text; they are argument%s %d%s",
                  String.join(", self.", taken),
                  taken.size() == 1 ? "" : "s",
                  first,
                  taken.size() == 1 ? "" : " to " + (arguments - 1)),
              graph.location()));
    }
  }
}
