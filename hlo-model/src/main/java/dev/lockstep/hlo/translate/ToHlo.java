package dev.lockstep.hlo.translate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.data.Constant;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes StableHLO as HLO: functions and regions become computations, several results a tuple.
 * Constants that a body reads from outside are copied into it; what else loops and branches read
 * from outside goes through their tuples.
 */
final class ToHlo {
  private final Module source;
  private final BuildScope scope;
  private final Map<Value, Operation> definitions = new HashMap<>();
  private final Map<String, String> computations = new HashMap<>();
  private final Set<String> open = new HashSet<>();

  private ToHlo(Module source) {
    this.source = source;
    this.scope =
        BuildScope.of(
            new Module(
                Syntax.HLO,
                source.name() == null ? "module" : hloName(source.name()),
                header(source),
                ImmutableList.of(),
                null,
                source.location(),
                null));
  }

  /**
   * Returns {@code source} as HLO.
   *
   * @throws DiagnosticException if it holds what HLO has no form for
   */
  static Module translate(Module source) {
    ToHlo translation = new ToHlo(source);
    Function entry = source.requireEntry();
    String name = translation.computation(entry);
    Module empty = translation.scope.module();
    Module full = translation.scope.finish(empty);
    return new Module(
        Syntax.HLO, full.name(), full.attributes(), full.operations(), name, full.location(), null);
  }

  private static Attributes header(Module source) {
    Attributes.Builder out = Attributes.builder();
    source
        .replicas()
        .ifPresent(count -> out.put(Module.REPLICA_COUNT, Attribute.Int.untyped(count)));
    source
        .partitions()
        .ifPresent(count -> out.put(Module.NUM_PARTITIONS, Attribute.Int.untyped(count)));
    Attribute words = source.attributes().get("mhlo.frontend_attributes");
    if (words instanceof Attribute.Dict) {
      out.put("frontend_attributes", words);
    }
    return out.build();
  }

  /** Returns the name of the computation of {@code function}, translated once. */
  String computation(String name, Operation user) {
    String known = computations.get(name);
    if (known != null) {
      return known;
    }
    if (!open.add(name)) {
      throw Untranslatable.op(user, "@" + name + " runs itself, which no computation can");
    }
    Function function =
        source
            .function(name)
            .orElseThrow(() -> Untranslatable.op(user, "there is no function @" + name));
    return computation(function);
  }

  private String computation(Function function) {
    if (function.isDeclaration()) {
      throw Untranslatable.op(function.operation(), "it has no body");
    }
    OpBuilder builder = new OpBuilder(scope).at(function.operation());
    Frame frame = new Frame(builder);
    ImmutableList<Value> parameters = function.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      Attributes given = entry(function, BuiltinOps.ARG_ATTRS, i);
      frame.values.put(parameters.get(i), parameter(builder, parameters.get(i).type(), i, given));
    }
    ImmutableList<Value> returned = frame.run(function.body());
    ResultShardings shardings = ResultShardings.of(function);
    String name = scope.freshName(hloName(function.name()));
    computations.put(function.name(), name);
    finish(name, builder, shardings.root(builder, returned));
    return name;
  }

  /**
   * Returns {@code name} as HLO may have it: symbols of MLIR may hold anything, {@code <lambda>}.
   */
  private static String hloName(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9_.\\-]", "_");
    return plain.matches("[A-Za-z_].*") ? plain : "_" + plain;
  }

  /** Returns the attributes of an argument or a result, kept as {@code list} of the function. */
  static Attributes entry(Function function, String list, int index) {
    Attribute all = function.operation().attribute(list);
    return all instanceof Attribute.Array
            && index < ((Attribute.Array) all).elements().size()
            && ((Attribute.Array) all).elements().get(index) instanceof Attribute.Dict dict
        ? dict.entries()
        : Attributes.EMPTY;
  }

  private Value parameter(OpBuilder builder, Type type, int number, Attributes given) {
    if (!isKnown(type)) {
      throw DiagnosticException.error(
          "translate", "HLO has no type " + type + ", of an argument", source.location());
    }
    Attributes.Builder attributes = Attributes.builder();
    attributes.put(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(number));
    Attribute sharding = given.get("mhlo.sharding");
    if (sharding instanceof Attribute.Str text) {
      attributes.put("sharding", ShardingTexts.ofHlo(text, source.location()));
    }
    if (given.get("mhlo.frontend_attributes") instanceof Attribute.Dict words) {
      attributes.put("frontend_attributes", words);
    }
    return builder.emit(BuiltinOps.PARAMETER, ImmutableList.of(), type, attributes.build());
  }

  private void finish(String name, OpBuilder builder, Value root) {
    ImmutableList<Operation> operations = builder.operations();
    Operation last =
        operations.stream()
            .filter(operation -> operation.results().contains(root))
            .findFirst()
            .orElseThrow();
    scope.addComputation(name, new Block(ImmutableList.of(), operations, last, ImmutableList.of()));
  }

  /**
   * Returns the name of a new computation that runs {@code region} on its arguments, which reads
   * nothing but constants from outside.
   */
  String body(Region region, Operation user) {
    OpBuilder builder = new OpBuilder(scope).at(user);
    Frame frame = new Frame(builder);
    ImmutableList<Value> arguments = region.entry().arguments();
    for (int i = 0; i < arguments.size(); i++) {
      frame.values.put(
          arguments.get(i), parameter(builder, arguments.get(i).type(), i, Attributes.EMPTY));
    }
    ImmutableList<Value> returned = frame.run(region.entry());
    String name = scope.freshName("region");
    finish(name, builder, returned.size() == 1 ? returned.get(0) : builder.tuple(returned));
    return name;
  }

  /**
   * Returns the name of a new computation that takes a tuple: first the arguments of {@code
   * region}, then {@code captured}.
   *
   * @param giveBack whether the captured values are among the results too, as loops want
   * @param alwaysTuple whether one result is a tuple too
   */
  String tupleBody(
      Region region, List<Value> captured, Operation user, boolean giveBack, boolean alwaysTuple) {
    OpBuilder builder = new OpBuilder(scope).at(user);
    Frame frame = new Frame(builder);
    ImmutableList<Value> all =
        ImmutableList.<Value>builder().addAll(region.entry().arguments()).addAll(captured).build();
    Value tuple =
        parameter(
            builder,
            new TupleType(all.stream().map(Value::type).collect(ImmutableList.toImmutableList())),
            0,
            Attributes.EMPTY);
    for (int i = 0; i < all.size(); i++) {
      frame.values.put(all.get(i), builder.getTupleElement(tuple, i));
    }
    ImmutableList.Builder<Value> returned = ImmutableList.builder();
    returned.addAll(frame.run(region.entry()));
    if (giveBack) {
      captured.forEach(value -> returned.add(requireNonNull(frame.values.get(value))));
    }
    ImmutableList<Value> results = returned.build();
    boolean isTuple = alwaysTuple || results.size() != 1;
    String name = scope.freshName("region");
    finish(name, builder, isTuple ? builder.tuple(results) : results.get(0));
    return name;
  }

  /** Returns what {@code regions} read from outside, constants left out. */
  ImmutableList<Value> captured(List<Region> regions) {
    Set<Value> read = new LinkedHashSet<>();
    Set<Value> own = new LinkedHashSet<>();
    regions.forEach(region -> collect(region, read, own));
    return read.stream()
        .filter(value -> !own.contains(value) && !isConstant(value))
        .collect(ImmutableList.toImmutableList());
  }

  private static void collect(Region region, Set<Value> read, Set<Value> own) {
    for (Block block : region.blocks()) {
      own.addAll(block.arguments());
      for (Operation operation : block.operations()) {
        read.addAll(operation.operands());
        own.addAll(operation.results());
        operation.regions().forEach(inner -> collect(inner, read, own));
      }
    }
  }

  private boolean isConstant(Value value) {
    Operation definition = definitions.get(value);
    return definition != null && definition.is(Constant.DEF);
  }

  /** The values of one computation that is being built. */
  final class Frame {
    private final OpBuilder builder;
    private final Map<Value, Value> values = new HashMap<>();

    private Frame(OpBuilder builder) {
      this.builder = builder;
    }

    OpBuilder builder() {
      return builder;
    }

    ToHlo owner() {
      return ToHlo.this;
    }

    /** Returns what stands for {@code value} here. */
    Value of(Value value, Operation user) {
      Value known = values.get(value);
      if (known != null) {
        return known;
      }
      Operation definition = definitions.get(value);
      if (definition == null || !definition.is(Constant.DEF)) {
        throw Untranslatable.op(
            user, "it reads a value from outside the body it stands in, which HLO cannot");
      }
      ImmutableList<Value> copied = translate(definition);
      values.put(value, copied.get(0));
      return copied.get(0);
    }

    ImmutableList<Value> all(List<Value> list, Operation user) {
      return list.stream().map(value -> of(value, user)).collect(ImmutableList.toImmutableList());
    }

    /** Translates a block and returns what it gives back. */
    private ImmutableList<Value> run(Block block) {
      for (Operation operation : block.operations()) {
        if (operation.def().isTerminator()) {
          return all(operation.operands(), operation);
        }
        ImmutableList<Value> results = translate(operation);
        for (int i = 0; i < results.size(); i++) {
          values.put(operation.results().get(i), results.get(i));
          definitions.put(operation.results().get(i), operation);
        }
      }
      return ImmutableList.of();
    }

    ImmutableList<Value> translate(Operation operation) {
      builder.at(operation);
      check(operation);
      HloRules.Rule rule = HloRules.SPECIAL.get(operation.def());
      if (rule != null) {
        return rule.apply(operation, this);
      }
      if (!TranslationTable.isPlain(operation.def())) {
        throw Untranslatable.op(operation, TranslationTable.reason(operation.def(), Syntax.HLO));
      }
      return plain(operation, operation.operands(), operation.def());
    }

    /** Emits {@code operation} under the other syntax's names, its regions as computations. */
    ImmutableList<Value> plain(Operation operation, List<Value> operands, OpDef def) {
      Attributes.Builder attributes = Attributes.builder();
      Defaults.ofHlo(def, AttributeTranslation.of(operation, builder)).forEach(attributes::put);
      for (int i = 0; i < operation.regions().size(); i++) {
        attributes.put(
            def.bodyAttributes().get(i),
            Attribute.Symbol.of(body(operation.regions().get(i), operation)));
      }
      return builder.emitAll(
          def,
          all(operands, operation),
          operation.resultTypes(),
          attributes.build(),
          ImmutableList.of());
    }
  }

  private static void check(Operation operation) {
    for (Type type : Iterables.concat(operation.operandTypes(), operation.resultTypes())) {
      if (!isKnown(type)) {
        throw Untranslatable.op(operation, "HLO has no type " + type);
      }
    }
    operation
        .attributes()
        .forEach(
            (name, value) -> {
              if (name.startsWith("sdy.")) {
                throw Untranslatable.op(
                    operation, "it has a sharding of Shardy, whose partitioner must run first");
              }
            });
  }

  private static boolean isKnown(Type type) {
    return type instanceof TensorType && ((TensorType) type).isStatic()
        || type instanceof TokenType
        || type instanceof TupleType
            && ((TupleType) type).elements().stream().allMatch(ToHlo::isKnown);
  }
}
