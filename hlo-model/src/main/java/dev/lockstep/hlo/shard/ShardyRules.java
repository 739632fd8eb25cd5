package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.Surroundings;
import dev.lockstep.hlo.shard.SdySharding.Cut;
import dev.lockstep.hlo.shard.SdySharding.SubAxis;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.QuantizedTensor;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of Shardy's words, wherever they stand.
 *
 * <p>Source: {@code shardy/dialect/sdy/ir/verifiers.cc}.
 */
public final class ShardyRules {
  private static final String CODE = "sharding";

  private ShardyRules() {}

  /** A rule that says what is wrong by {@link IllegalArgumentException}. */
  interface Rule {
    void check(Operation operation, ShardyFacts facts);
  }

  /** Returns {@code rule} for the definition of an op. */
  static Constraint.ModuleCheck of(Rule rule) {
    return (operation, around, code, sink) -> run(rule, operation, around, code, sink);
  }

  private static void run(
      Rule rule, Operation operation, Surroundings around, String code, DiagnosticSink sink) {
    try {
      rule.check(operation, around.knowledge(ShardyFacts.class, ShardyFacts::new));
    } catch (IllegalArgumentException | ArithmeticException e) {
      sink.error(code, operation.def().name() + ": " + e.getMessage(), operation.location());
    }
  }

  /** Reports what is wrong with the shardings that stand on {@code operation}, whatever it is. */
  public static void checkAttributes(
      Operation operation, Surroundings around, DiagnosticSink sink) {
    if (around.isHlo()) {
      return;
    }
    if (operation.is(BuiltinOps.FUNC)) {
      run(ShardyRules::function, operation, around, CODE, sink);
    }
    if (operation.attributes().has("sdy.sharding")) {
      run(ShardyRules::results, operation, around, CODE, sink);
    }
    Attribute rule = operation.attributes().get("sdy.sharding_rule");
    if (rule != null) {
      run((of, facts) -> ShardingRule.check(of, rule), operation, around, CODE, sink);
    }
  }

  private static void function(Operation operation, ShardyFacts facts) {
    if (operation.attribute(BuiltinOps.FUNCTION_TYPE) instanceof Attribute.TypeOf of
        && of.type() instanceof FunctionType type) {
      values(operation, BuiltinOps.ARG_ATTRS, "argument", type.inputs(), facts);
      values(operation, BuiltinOps.RES_ATTRS, "result", type.results(), facts);
    }
  }

  private static void values(
      Operation operation, String name, String what, List<Type> types, ShardyFacts facts) {
    if (!(operation.attribute(name) instanceof Attribute.Array all)) {
      return;
    }
    for (int i = 0; i < Math.min(all.elements().size(), types.size()); i++) {
      Attribute each =
          all.elements().get(i) instanceof Attribute.Dict dict
              ? dict.entries().get("sdy.sharding")
              : null;
      if (each != null) {
        if (types.get(i) instanceof TupleType tuple && tuple.elements().size() > 1) {
          // MLIR has none for tuples; in what came from HLO each part has its own.
          String list = raw(each, "#sdy.sharding_per_value<");
          ImmutableList<Type> leaves = ImmutableList.copyOf(Leaves.of(tuple));
          checkList(what, SdySharding.parseList(list), leaves, operation, facts);
        } else {
          String text = raw(each, "#sdy.sharding<");
          check(what + " " + i, SdySharding.parse(text), types.get(i), operation, facts);
        }
      }
    }
  }

  private static String raw(@Nullable Attribute attribute, String begin) {
    checkArgument(
        attribute instanceof Attribute.Raw raw && raw.text().startsWith(begin),
        "expected %s...>, got %s",
        begin,
        attribute instanceof Attribute.Raw raw ? raw.text() : "something else");
    return ((Attribute.Raw) requireNonNull(attribute)).text();
  }

  private static void results(Operation operation, ShardyFacts facts) {
    Attributes attributes = operation.attributes();
    String text = raw(attributes.get("sdy.sharding"), "#sdy.sharding_per_value<");
    checkList("result", SdySharding.parseList(text), types(operation.results()), operation, facts);
  }

  static ImmutableList<Type> types(ImmutableList<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  /** Checks shardings of the values of an operation. */
  static void checkList(
      String what,
      ImmutableList<SdySharding> all,
      ImmutableList<Type> types,
      Operation operation,
      ShardyFacts facts) {
    if (types.isEmpty() && all.size() == 1) {
      // An op without results may name the device that runs it.
      SdySharding only = all.get(0);
      DeviceMesh mesh = facts.mesh(only, operation);
      if (mesh == null || mesh.names().isEmpty() || isReplicated(only)) {
        checkArgument(mesh == null || isEmpty(only), "%s: %s", what, ON_ONE_DEVICE);
        return;
      }
    }
    checkArgument(
        all.size() == types.size(), "%s shardings stand on %s %ss", all.size(), types.size(), what);
    for (int i = 0; i < all.size(); i++) {
      check(types.size() == 1 ? what : what + " " + i, all.get(i), types.get(i), operation, facts);
    }
  }

  private static final String ON_ONE_DEVICE =
      "what one device holds has no dimensions, replicated or unreduced axes in its sharding";

  private static boolean isEmpty(SdySharding sharding) {
    return sharding.rank() == 0
        && sharding.replicated().isEmpty()
        && sharding.unreduced().isEmpty();
  }

  private static boolean isReplicated(SdySharding sharding) {
    return sharding.unreduced().isEmpty()
        && sharding.cuts().stream().allMatch(cut -> cut.axes().isEmpty());
  }

  /** Checks a sharding of a value of {@code type}. */
  static void check(
      String what, SdySharding sharding, Type type, Operation operation, ShardyFacts facts) {
    try {
      check(sharding, type, facts.mesh(sharding, operation));
      manual(sharding, operation, facts);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
    }
  }

  private static void check(SdySharding sharding, Type type, @Nullable DeviceMesh mesh) {
    if (mesh == null) {
      return;
    }
    if (mesh.isMaximal() || mesh.names().isEmpty() && isEmpty(sharding)) {
      checkArgument(isEmpty(sharding), ON_ONE_DEVICE);
      return;
    }
    Type shaped = type;
    if (type instanceof TupleType tuple) {
      checkArgument(tuple.elements().size() == 1, "a tuple with a sharding has one element");
      shaped = tuple.elements().get(0);
    }
    QuantizedTensor quantized = QuantizedTensor.of(shaped);
    if (quantized != null) {
      shaped = quantized.stored();
    }
    if (shaped instanceof OpaqueType opaque) {
      checkArgument(!opaque.text().startsWith("tensor<*"), "%s has no rank", type);
      return;
    }
    if (!(shaped instanceof TensorType tensor)) {
      checkArgument(isEmpty(sharding), "%s has no dimensions that a sharding could cut", type);
      return;
    }
    checkArgument(
        sharding.rank() == tensor.rank(),
        "the sharding has %s dimensions, %s has %s",
        sharding.rank(),
        type,
        tensor.rank());
    axes(sharding, mesh);
  }

  private static void axes(SdySharding sharding, DeviceMesh mesh) {
    AxisLists lists = new AxisLists(mesh);
    for (int d = 0; d < sharding.rank(); d++) {
      Cut cut = sharding.cuts().get(d);
      checkArgument(
          cut.priority() < 0 || cut.open() || !cut.axes().isEmpty(),
          "dimension %s is not cut, and closed; it has nothing that a priority could order",
          d);
      lists.add(cut.axes());
    }
    lists.addSorted("replicated", sharding.replicated());
    lists.addSorted("unreduced", sharding.unreduced());
    lists.end();
  }

  /** Checks that no axis is one along which an enclosing manual computation works on parts. */
  private static void manual(SdySharding sharding, Operation operation, ShardyFacts facts) {
    for (String axis : manualAround(operation, facts)) {
      boolean used = false;
      for (Cut cut : sharding.cuts()) {
        used |= uses(cut.axes(), axis);
      }
      checkArgument(
          !used && !uses(sharding.replicated(), axis) && !uses(sharding.unreduced(), axis),
          "a manual computation around it works on parts along the axis \"%s\"",
          axis);
    }
  }

  private static boolean uses(ImmutableList<SubAxis> axes, String name) {
    return axes.stream().anyMatch(axis -> axis.axis().equals(name));
  }

  /** Returns the manual axes of what is around {@code operation}. */
  static ImmutableList<String> manualAround(Operation operation, ShardyFacts facts) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    Operation parent = facts.parent(operation);
    while (parent != null) {
      if (parent.attributes().has("manual_axes")) {
        out.addAll(ShardingAttributes.manualAxes(parent));
      }
      parent = facts.parent(parent);
    }
    return out.build();
  }

  /** Returns the rule that the attribute {@code name} is a sharding of the result. */
  public static Constraint.ModuleCheck onResult(String name) {
    return of(
        (operation, facts) -> {
          if (operation.attribute(name) != null) {
            SdySharding sharding =
                SdySharding.parse(raw(operation.attribute(name), "#sdy.sharding<"));
            check("result", sharding, operation.results().get(0).type(), operation, facts);
          }
        });
  }

  /** Returns the rule of meshes: their axes, and the order of their devices. */
  public static Constraint.ModuleCheck mesh() {
    return of(
        (operation, facts) -> {
          if (operation.attribute("mesh") == null) {
            return;
          }
          String text = raw(operation.attribute("mesh"), "#sdy.mesh<");
          checkArgument(!text.matches("(?s).*[\\[,]\\s*-.*"), "a device has no negative id");
          DeviceMesh mesh = DeviceMesh.parse(text);
          for (int i = 0; i < mesh.size(); i++) {
            checkArgument(
                mesh.names().isEmpty() || mesh.devices().get(i) < mesh.size(),
                "the ids of %s devices are 0 to %s, got %s",
                mesh.size(),
                mesh.size() - 1,
                mesh.devices());
          }
        });
  }
}
