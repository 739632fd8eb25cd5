package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.control.Return;
import dev.lockstep.hlo.shard.LeafShardings;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes HLO as StableHLO: what is reached from the entry, tuples taken apart, computations that
 * ops run as their regions and those that are called as functions. Layouts, schedules and fusions
 * say how a program is run, not what it computes, and are left out.
 */
final class ToStablehlo {
  private final Module source;
  private final BuildScope scope;
  private final Map<String, String> functions = new HashMap<>();

  private ToStablehlo(Module source) {
    this.source = source;
    this.scope =
        BuildScope.of(
            new Module(
                Syntax.STABLEHLO,
                source.name(),
                header(source),
                ImmutableList.of(),
                null,
                source.location(),
                null));
  }

  /**
   * Returns {@code given} as StableHLO.
   *
   * @throws DiagnosticException if it holds what StableHLO has no form for
   */
  static Module translate(Module given) {
    Module source = isPartitioned(given) ? withoutShardings(given) : given;
    ToStablehlo translation = new ToStablehlo(source);
    Function entry = source.requireEntry();
    Operation main = translation.function(entry, "main", true);
    Module rest = translation.scope.finish(translation.scope.module());
    return rest.withOperations(
        ImmutableList.<Operation>builder().add(main).addAll(rest.operations()).build());
  }

  /** Returns whether XLA has partitioned {@code module}: its shardings tell of what was. */
  private static boolean isPartitioned(Module module) {
    String entry = module.entry();
    return module.attributes().has("is_scheduled") || entry != null && entry.endsWith("_spmd");
  }

  private static Module withoutShardings(Module module) {
    return module.mapFunctions(
        function -> {
          Block body = function.body();
          ImmutableList.Builder<Operation> out = ImmutableList.builder();
          Operation root = body.root();
          Operation newRoot = root;
          for (Operation operation : body.operations()) {
            Operation now =
                operation.attribute("sharding") == null
                    ? operation
                    : operation.withAttributes(operation.attributes().without("sharding"));
            newRoot = operation == root ? now : newRoot;
            out.add(now);
          }
          return function.withBody(body.withOperations(out.build(), newRoot));
        });
  }

  private static Attributes header(Module source) {
    Attributes.Builder out = Attributes.builder();
    source
        .partitions()
        .ifPresent(count -> out.put(Module.MHLO_NUM_PARTITIONS, Attribute.Int.i32(count)));
    source
        .replicas()
        .ifPresent(count -> out.put(Module.MHLO_NUM_REPLICAS, Attribute.Int.i32(count)));
    Attribute words = source.attributes().get("frontend_attributes");
    if (words instanceof Attribute.Dict) {
      out.put("mhlo.frontend_attributes", AttributeTranslation.quoted((Attribute.Dict) words));
    }
    return out.build();
  }

  /** Returns the name of the function of the computation called {@code name}. */
  String function(String name, Operation user) {
    String known = functions.get(name);
    if (known == null) {
      known = scope.freshName(name.replaceAll("[^A-Za-z0-9_$.]", "_"));
      functions.put(name, known);
      scope.addFunction(function(computation(name, user), known, false));
    }
    return known;
  }

  Function computation(String name, Operation user) {
    return source
        .function(name)
        .orElseThrow(() -> Untranslatable.op(user, "there is no computation " + name));
  }

  private Operation function(Function function, String name, boolean isPublic) {
    OpBuilder builder = new OpBuilder(scope).at(function.operation());
    List<Value> arguments = new ArrayList<>();
    List<Attribute> given = new ArrayList<>();
    List<Tree> trees = new ArrayList<>();
    for (Value parameter : function.parameters()) {
      Tree tree = argument(parameter.type(), arguments);
      trees.add(tree);
      given.addAll(shardings(definition(function, parameter), tree.leaves().size()));
    }
    ImmutableList<Value> results = run(function.body(), trees, builder).leaves();
    builder.emit(
        BuiltinOps.RETURN, results, ImmutableList.of(), Attributes.EMPTY, ImmutableList.of());
    Attributes.Builder attributes = Attributes.builder();
    attributes.put(BuiltinOps.SYM_NAME, Attribute.Str.of(name));
    if (!isPublic) {
      attributes.put(BuiltinOps.SYM_VISIBILITY, Attribute.Str.of("private"));
    }
    attributes.put(
        BuiltinOps.FUNCTION_TYPE,
        new Attribute.TypeOf(new FunctionType(types(arguments), types(results))));
    put(attributes, BuiltinOps.ARG_ATTRS, given);
    Operation root = function.body().root();
    if (isPublic && root != null) {
      put(attributes, BuiltinOps.RES_ATTRS, shardings(root, results.size()));
    }
    Block body = Block.of(ImmutableList.copyOf(arguments), builder.operations());
    return new Operation(
        BuiltinOps.FUNC,
        ImmutableList.of(),
        ImmutableList.of(),
        attributes.build(),
        ImmutableList.of(Region.of(body)),
        function.operation().location(),
        null);
  }

  private static Operation definition(Function function, Value parameter) {
    return function.body().operations().stream()
        .filter(operation -> operation.results().contains(parameter))
        .findFirst()
        .orElseThrow();
  }

  private static void put(Attributes.Builder out, String name, List<Attribute> dictionaries) {
    if (dictionaries.stream().anyMatch(each -> !((Attribute.Dict) each).entries().isEmpty())) {
      out.put(name, new Attribute.Array(ImmutableList.copyOf(dictionaries)));
    }
  }

  /** Returns dictionaries with the shardings of the leaves of what {@code operation} gives. */
  private static List<Attribute> shardings(Operation operation, int leaves) {
    List<Attribute> out = new ArrayList<>();
    Attribute sharding = operation.attribute("sharding");
    List<String> texts =
        sharding instanceof Attribute.Raw
            ? ShardingTexts.split(((Attribute.Raw) sharding).text())
            : ImmutableList.of();
    // Shardy's words for an argument travel in a dictionary, those of a tuple as a list.
    ImmutableList<Attributes> words =
        operation.is(BuiltinOps.PARAMETER)
                && operation.attribute("frontend_attributes") instanceof Attribute.Dict dict
            ? LeafShardings.of(
                Attributes.of("mhlo.frontend_attributes", dict), Collections.nCopies(leaves, true))
            : ImmutableList.copyOf(Collections.nCopies(leaves, Attributes.EMPTY));
    for (int i = 0; i < leaves; i++) {
      String text = texts.isEmpty() ? "{unknown}" : texts.get(texts.size() == leaves ? i : 0);
      out.add(
          new Attribute.Dict(
              text.startsWith("{unknown")
                  ? words.get(i)
                  : words.get(i).with("mhlo.sharding", Attribute.Str.of(text))));
    }
    return out;
  }

  private static ImmutableList<Type> types(List<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  /** Returns a tree of new values for an argument of {@code type}, and adds them to {@code to}. */
  private static Tree argument(Type type, List<Value> to) {
    List<Value> own = new ArrayList<>();
    Tree.types(type).forEach(leaf -> own.add(new Value(leaf)));
    to.addAll(own);
    return Tree.of(type, own.iterator());
  }

  /** Translates a computation on {@code arguments} and returns what it gives. */
  Tree run(Block block, List<Tree> arguments, OpBuilder builder) {
    Frame frame = new Frame(builder);
    Operation root = block.root();
    for (Operation operation : block.operations()) {
      Tree result =
          operation.is(BuiltinOps.PARAMETER)
              ? arguments.get(number(operation))
              : frame.translate(operation);
      frame.values.put(operation.result(), result);
    }
    if (root == null) {
      throw new IllegalStateException("a computation without a root");
    }
    return frame.of(root.result());
  }

  private static int number(Operation parameter) {
    Attribute number = parameter.attribute(BuiltinOps.PARAMETER_NUMBER);
    Long value = number == null ? null : AttrKeys.asLong(number);
    return value == null ? 0 : Math.toIntExact(value);
  }

  /**
   * Returns {@code name}'s computation as a region with arguments for the leaves of its parameters.
   */
  Region region(String name, Operation user) {
    Function function = computation(name, user);
    List<Value> arguments = new ArrayList<>();
    List<Tree> trees = new ArrayList<>();
    for (Value parameter : function.parameters()) {
      trees.add(argument(parameter.type(), arguments));
    }
    return region(function, trees, ImmutableList.copyOf(arguments), user);
  }

  /** Returns {@code name}'s computation on values of outside, as a region without arguments. */
  Region region(String name, List<Tree> given, Operation user) {
    return region(computation(name, user), given, ImmutableList.of(), user);
  }

  private Region region(
      Function function, List<Tree> trees, ImmutableList<Value> arguments, Operation user) {
    OpBuilder builder = new OpBuilder(scope).at(user);
    ImmutableList<Value> results = run(function.body(), trees, builder).leaves();
    builder.emit(Return.DEF, results, ImmutableList.of(), Attributes.EMPTY, ImmutableList.of());
    return Region.of(Block.of(arguments, builder.operations()));
  }

  /** The values of one computation that is being translated. */
  final class Frame {
    private final OpBuilder builder;
    private final Map<Value, Tree> values = new HashMap<>();

    private Frame(OpBuilder builder) {
      this.builder = builder;
    }

    OpBuilder builder() {
      return builder;
    }

    ToStablehlo owner() {
      return ToStablehlo.this;
    }

    /** Returns what stands for {@code value}. */
    Tree of(Value value) {
      Tree tree = values.get(value);
      if (tree == null) {
        throw new IllegalStateException(value + " is used before it is defined");
      }
      return tree;
    }

    /** Returns the leaves of all operands. */
    ImmutableList<Value> operands(Operation operation) {
      ImmutableList.Builder<Value> out = ImmutableList.builder();
      operation.operands().forEach(operand -> out.addAll(of(operand).leaves()));
      return out.build();
    }

    private Tree translate(Operation operation) {
      builder.at(operation);
      for (Type type : Tree.types(operation.result().type())) {
        if (type instanceof TensorType && !((TensorType) type).isStatic()) {
          throw Untranslatable.op(operation, "sizes with a bound are not translated: " + type);
        }
      }
      StablehloRules.Rule rule = StablehloRules.SPECIAL.get(operation.def());
      if (rule != null) {
        return rule.apply(operation, this);
      }
      if (!TranslationTable.isPlain(operation.def())) {
        throw Untranslatable.op(
            operation, TranslationTable.reason(operation.def(), Syntax.STABLEHLO));
      }
      return plain(operation, operation.def());
    }

    /** Emits {@code operation} as {@code def} with regions for the computations it runs. */
    Tree plain(Operation operation, OpDef def) {
      ImmutableList.Builder<Region> regions = ImmutableList.builder();
      for (String callee : Bodies.callees(operation)) {
        regions.add(region(callee, operation));
      }
      return emit(
          operation,
          def,
          operands(operation),
          operation.result().type(),
          Defaults.added(operation, def, AttributeTranslation.of(operation, builder), builder),
          regions.build());
    }

    /** Emits an operation that gives the leaves of {@code type}, and returns them as its tree. */
    Tree emit(
        Operation operation,
        OpDef def,
        ImmutableList<Value> operands,
        Type type,
        Attributes attributes,
        ImmutableList<Region> regions) {
      builder.at(operation);
      Operation built = builder.emit(def, operands, Tree.types(type), attributes, regions);
      return Tree.of(type, built.results().iterator());
    }
  }
}
