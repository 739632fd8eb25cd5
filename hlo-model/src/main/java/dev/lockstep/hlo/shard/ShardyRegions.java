package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.SdySharding.SubAxis;
import dev.lockstep.hlo.shard.ShardyFacts.Origin;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of Shardy's ops with bodies, and of those that carry data into and out of them.
 */
public final class ShardyRegions {
  private static final String IN = "in_shardings";
  private static final String OUT = "out_shardings";

  private ShardyRegions() {}

  /** Returns the rule that a body takes the operands and gives the results. */
  public static Constraint.ModuleCheck sameTypes() {
    return ShardyRules.of(
        (operation, facts) -> {
          Block body = operation.regions().get(0).blocks().get(0);
          same(
              "operands",
              ShardyRules.types(operation.operands()),
              ShardyRules.types(body.arguments()));
          same(
              "results",
              ShardyRules.types(operation.results()),
              ShardyRules.types(body.returned()));
        });
  }

  private static void same(String what, ImmutableList<Type> outside, ImmutableList<Type> inside) {
    checkArgument(
        outside.equals(inside), "its %s are %s, those of its body %s", what, outside, inside);
  }

  /** Returns the rule that operands and results have the shardings they are given, if any. */
  public static Constraint.ModuleCheck shardings() {
    return ShardyRules.of(
        (operation, facts) -> {
          list(operation, IN, "operand", operation.operands(), facts);
          list(operation, OUT, "result", operation.results(), facts);
        });
  }

  private static ImmutableList<SdySharding> list(
      Operation operation,
      String name,
      String what,
      ImmutableList<Value> values,
      ShardyFacts facts) {
    ImmutableList<SdySharding> all = ShardingAttributes.list(operation, name);
    if (null != operation.attribute(name) && !(all.isEmpty() && values.isEmpty())) {
      ShardyRules.checkList(what, all, ShardyRules.types(values), operation, facts);
    }
    return all;
  }

  /** Returns the rule that manual axes are those of the one mesh of all shardings. */
  public static Constraint.ModuleCheck manualAxes() {
    return ShardyRules.of(
        (operation, facts) -> {
          ImmutableList<String> axes = ShardingAttributes.manualAxes(operation);
          ImmutableList<String> around = ShardyRules.manualAround(operation, facts);
          for (String axis : axes) {
            checkArgument(
                !around.contains(axis),
                "a manual computation around it works on parts along the axis \"%s\"",
                axis);
          }
          DeviceMesh mesh = null;
          boolean isKnown = true;
          for (String name : new String[] {IN, OUT}) {
            for (SdySharding sharding : ShardingAttributes.list(operation, name)) {
              DeviceMesh own = facts.mesh(sharding, operation);
              isKnown &= own != null;
              boolean isFull = own != null && (!own.names().isEmpty() || own.isMaximal());
              checkArgument(
                  !isFull || mesh == null || mesh.equals(own),
                  "all shardings are of one mesh, got %s and %s",
                  mesh,
                  own);
              mesh = isFull ? own : mesh;
            }
          }
          for (String axis : axes) {
            checkArgument(
                mesh == null || !isKnown || mesh.names().contains(axis),
                "there is no axis \"%s\"",
                axis);
          }
        });
  }

  /** Returns the rule that a body works on the parts along manual axes. */
  public static Constraint.ModuleCheck parts() {
    return ShardyRules.of(
        (operation, facts) -> {
          Block body = operation.regions().get(0).blocks().get(0);
          parts(operation, IN, "operand", operation.operands(), body.arguments(), facts);
          parts(operation, OUT, "result", operation.results(), body.returned(), facts);
        });
  }

  private static void parts(
      Operation operation,
      String name,
      String what,
      ImmutableList<Value> outside,
      ImmutableList<Value> inside,
      ShardyFacts facts) {
    ImmutableList<SdySharding> all = list(operation, name, what, outside, facts);
    checkArgument(
        outside.size() == inside.size(),
        "it has %s %ss, its body %s",
        outside.size(),
        what,
        inside.size());
    ImmutableList<String> manual = ShardingAttributes.manualAxes(operation);
    for (int i = 0; i < all.size(); i++) {
      DeviceMesh mesh = facts.mesh(all.get(i), operation);
      if (mesh == null
          || !(outside.get(i).type() instanceof TensorType whole)
          || !(inside.get(i).type() instanceof TensorType part)) {
        continue;
      }
      long[] dims = new long[all.get(i).rank()];
      for (int d = 0; d < dims.length; d++) {
        ImmutableList<SubAxis> axes = all.get(i).axes(d);
        manualFirst(axes, manual, what, i, d);
        long count = 1;
        for (SubAxis axis : axes) {
          count *= manual.contains(axis.axis()) ? axis.sizeIn(mesh) : 1;
        }
        boolean isDynamic = whole.dim(d) == TensorType.DYNAMIC;
        checkArgument(
            isDynamic || whole.dim(d) % count == 0,
            "dimension %s of %s %s, of size %s, is not cut evenly into %s parts",
            d,
            what,
            i,
            whole.dim(d),
            count);
        dims[d] = isDynamic ? TensorType.DYNAMIC : whole.dim(d) / count;
      }
      checkArgument(
          TensorType.of(whole.element(), dims).isSameShape(part)
              && whole.element().equals(part.element()),
          "%s %s is %s and has parts %s, its body has %s",
          what,
          i,
          whole,
          TensorType.of(whole.element(), dims),
          part);
    }
  }

  private static void manualFirst(
      ImmutableList<SubAxis> axes, ImmutableList<String> manual, String what, int i, int d) {
    boolean free = false;
    for (SubAxis axis : axes) {
      boolean isManual = manual.contains(axis.axis());
      checkArgument(
          !isManual || !free,
          "in dimension %s of %s %s the manual axis %s stands behind others",
          d,
          what,
          i,
          axis);
      free |= !isManual;
    }
  }

  /** Returns the rule of edges: an operand of fixed size that nothing else uses. */
  public static Constraint.ModuleCheck edge() {
    return ShardyRules.of(
        (operation, facts) -> {
          checkEdge(operation, facts);
          Origin origin = facts.origin(operation.operand(0));
          checkArgument(
              origin == null
                  || !origin.isResult()
                  || !origin.operation().def().name().startsWith("sdy.")
                  || !origin.operation().regions().isEmpty(),
              "its operand comes from an op of sdy");
        });
  }

  /** Returns the rule of edges of functions: these take arguments or results of calls. */
  public static Constraint.ModuleCheck functionEdge() {
    return ShardyRules.of(
        (operation, facts) -> {
          checkEdge(operation, facts);
          Origin origin = facts.origin(operation.operand(0));
          checkArgument(
              origin == null || origin.isResult() || origin.operation().is(BuiltinOps.FUNC),
              "its operand is no argument of a function");
          checkArgument(
              origin == null || !origin.isResult() || isCall(origin.operation()),
              "its operand is no result of a call");
        });
  }

  private static boolean isCall(@Nullable Operation operation) {
    return operation != null
        && operation.def().semantics(operation) == Semantics.Control.CALL
        && operation.regions().isEmpty();
  }

  private static void checkEdge(Operation operation, ShardyFacts facts) {
    Type type = operation.results().get(0).type();
    checkArgument(
        !(type instanceof TensorType tensor) || tensor.isStatic(), "%s has no fixed size", type);
    checkArgument(facts.uses(operation.operand(0)) == 1, "its operand is used elsewhere too");
  }

  /** Returns the rule that a barrier bars one direction. */
  public static Constraint.ModuleCheck barrier() {
    return ShardyRules.of(
        (operation, facts) ->
            checkArgument(
                !(operation.attribute("allowed_direction") instanceof Attribute.Word word)
                    || !word.value().equals("BOTH"),
                "a barrier that allows both directions bars nothing"));
  }
}
