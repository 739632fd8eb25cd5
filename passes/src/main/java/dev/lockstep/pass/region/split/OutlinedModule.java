package dev.lockstep.pass.region.split;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.Segment;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plan written as one module again: the entry function calls a function a segment. */
final class OutlinedModule {
  private static final String MARK = "lockstep.segment";

  private final Flow flow;
  private final ExecutionPlan plan;
  private final BuildScope scope;
  private final OpBuilder builder;
  private final Map<String, Value> values = new HashMap<>();
  private final Map<Leaf, Value> results = new HashMap<>();
  private final List<Operation> functions = new ArrayList<>();

  private OutlinedModule(Flow flow, ExecutionPlan plan) {
    this.flow = flow;
    this.plan = plan;
    this.scope = BuildScope.of(flow.module());
    this.builder = new OpBuilder(scope);
  }

  /** Returns the module that runs {@code plan}, which was made of {@code flow}. */
  static Module of(Flow flow, ExecutionPlan plan) {
    return new OutlinedModule(flow, plan).module();
  }

  /** Returns whether {@code module} was made here. */
  static boolean isOutlined(Module module) {
    return module.entryFunction().stream()
        .flatMap(function -> function.body().operations().stream())
        .anyMatch(operation -> operation.is(BuiltinOps.CALL) && isMarked(operation));
  }

  private static boolean isMarked(Operation operation) {
    Attribute marks = operation.attribute("frontend_attributes");
    marks = marks == null ? operation.attribute("mhlo.frontend_attributes") : marks;
    return marks instanceof Attribute.Dict dict && dict.entries().has(MARK);
  }

  private Module module() {
    Function entry = flow.entry();
    Block old = entry.body();
    List<Operation> kept = new ArrayList<>();
    for (Operation operation : old.operations()) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        kept.add(operation);
      }
    }
    int number = 0;
    for (Leaf leaf : flow.arguments()) {
      if (leaf.isTensor()) {
        values.put(plan.arguments().get(number++).name(), picked(leaf));
      }
    }
    plan.steps().forEach(this::call);
    number = 0;
    for (Leaf leaf : flow.results()) {
      if (leaf.isTensor()) {
        results.put(leaf, requireNonNull(values.get(plan.results().get(number++))));
      }
    }
    ImmutableList.Builder<Value> returned = ImmutableList.builder();
    old.returned().forEach(value -> returned.add(value(flow.tree(value))));
    ImmutableList<Value> given = returned.build();
    kept.addAll(builder.take());
    return assembled(entry, kept, given);
  }

  private Module assembled(Function entry, List<Operation> operations, ImmutableList<Value> given) {
    Block old = entry.body();
    Operation root = null;
    if (scope.isHlo()) {
      for (Operation operation : operations) {
        root = operation.results().contains(given.get(0)) ? operation : root;
      }
    } else {
      operations.add(requireNonNull(old.last()).withOperands(given));
    }
    Block body =
        new Block(old.arguments(), ImmutableList.copyOf(operations), root, old.argumentLocations());
    Operation written = entry.operation().withRegions(ImmutableList.of(Region.of(body)));
    ImmutableList.Builder<Operation> all = ImmutableList.builder();
    for (Operation top : flow.module().operations()) {
      boolean isEntry = top == entry.operation();
      if (isEntry && scope.isHlo()) {
        all.addAll(functions);
      }
      all.add(isEntry ? written : top);
    }
    if (!scope.isHlo()) {
      all.addAll(functions);
    }
    return Functions.reachable(flow.module().withOperations(all.build()), written);
  }

  /** Returns a part of an argument. */
  private Value picked(Leaf leaf) {
    return leaf.path().isEmpty()
        ? leaf.base()
        : builder.getTupleElement(picked(leaf.parent()), leaf.path().get(leaf.path().size() - 1));
  }

  private void call(PlanStep step) {
    Segment segment = step.segment();
    Function function = segment.module().entryFunction().orElseThrow();
    builder.at(at(function));
    String name = scope.freshName(flow.entry().name() + "." + segment.name());
    functions.add(outlined(function.operation(), name));
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    step.inputs().forEach(input -> operands.add(requireNonNull(values.get(input))));
    Attribute mark =
        new Attribute.Dict(Attributes.of(MARK, Attribute.Str.of(segment.kind().word())));
    Attributes attributes =
        scope.isHlo()
            ? Attributes.of("to_apply", Attribute.Symbol.of(name), "frontend_attributes", mark)
            : Attributes.of("callee", Attribute.Symbol.of(name), "mhlo.frontend_attributes", mark);
    ImmutableList<Value> given =
        builder.emitAll(
            BuiltinOps.CALL,
            operands.build(),
            types(function, segment),
            attributes,
            ImmutableList.of());
    for (int i = 0; i < given.size(); i++) {
      values.put(step.outputs().get(i), given.get(i));
    }
  }

  private static ImmutableList<Type> types(Function function, Segment segment) {
    return segment.outputs().size() == 1
        ? function.resultTypes()
        : segment.outputs().stream()
            .<Type>map(type -> type)
            .collect(ImmutableList.toImmutableList());
  }

  private static Operation at(Function function) {
    for (Operation operation : function.body().operations()) {
      if (!operation.is(BuiltinOps.PARAMETER)) {
        return operation;
      }
    }
    return function.operation();
  }

  private Operation outlined(Operation function, String name) {
    Block copy = new BlockCopy(scope).of(function.regions().get(0).entry());
    Attributes attributes = function.attributes().with(BuiltinOps.SYM_NAME, Attribute.Str.of(name));
    if (!scope.isHlo()) {
      attributes =
          attributes
              .with(BuiltinOps.SYM_VISIBILITY, Attribute.Str.of("private"))
              .without(BuiltinOps.ARG_ATTRS)
              .without(BuiltinOps.RES_ATTRS);
    }
    return function.withAttributes(attributes).withRegions(ImmutableList.of(Region.of(copy)));
  }

  private Value value(Tree tree) {
    if (tree instanceof Tree.Group group) {
      ImmutableList.Builder<Value> elements = ImmutableList.builder();
      group.elements().forEach(element -> elements.add(value(element)));
      Operation made = group.origin().withOperands(elements.build());
      builder.add(made);
      return made.result();
    }
    Leaf leaf = (Leaf) tree;
    @Nullable Value known = results.get(leaf);
    if (known != null) {
      return known;
    }
    if (leaf.isToken()) {
      return builder.afterAll(List.of());
    }
    List<Value> elements = new ArrayList<>();
    for (int i = 0; i < ((TupleType) leaf.type()).elements().size(); i++) {
      elements.add(value(leaf.element(i)));
    }
    return builder.tuple(elements);
  }
}
