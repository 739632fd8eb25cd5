package dev.lockstep.hlo.flat;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** StableHLO's entry function, over tensors: no argument and no result is a tuple or a token. */
final class MlirEntry {
  private static final String ALIASING_OUTPUT = "tf.aliasing_output";

  private final Function old;
  private final BuildScope scope;
  private final Numbering parameters;
  private final Numbering results;

  private MlirEntry(Function old, BuildScope scope, Numbering parameters, Numbering results) {
    this.old = old;
    this.scope = scope;
    this.parameters = parameters;
    this.results = results;
  }

  /** Returns {@code function} with flat arguments and results. */
  static Function flatten(
      Function function, BuildScope scope, Numbering parameters, Numbering results) {
    return new MlirEntry(function, scope, parameters, results).flatten();
  }

  private Function flatten() {
    Block body = old.body();
    ImmutableList.Builder<Value> arguments = ImmutableList.builder();
    ImmutableList.Builder<Operation> operations = ImmutableList.builder();
    for (int i = 0; i < parameters.values(); i++) {
      Value value = old.parameters().get(i);
      if (Leaf.isFlat(value.type())) {
        arguments.add(value);
        continue;
      }
      ImmutableList<Value> leaves =
          parameters.leaves(i).stream()
              .filter(Leaf::isKept)
              .map(leaf -> new Value(leaf.type()))
              .collect(ImmutableList.toImmutableList());
      arguments.addAll(leaves);
      OpBuilder builder = new OpBuilder(scope).at(old.operation().location());
      Tuples.rebuild(value, leaves.iterator(), builder);
      operations.addAll(builder.take());
    }
    Operation terminator = requireNonNull(body.last());
    ImmutableList.Builder<Value> given = ImmutableList.builder();
    OpBuilder builder = new OpBuilder(scope).at(terminator);
    terminator.operands().forEach(value -> Tuples.apart(value, builder, given));
    operations
        .addAll(body.operations().subList(0, body.operations().size() - 1))
        .addAll(builder.take())
        .add(terminator.withOperands(given.build()));
    ImmutableList<Value> flat = arguments.build();
    Block block = new Block(flat, operations.build(), null, places(body));
    Attributes attributes =
        old.operation()
            .attributes()
            .with(
                BuiltinOps.FUNCTION_TYPE,
                new Attribute.TypeOf(new FunctionType(types(flat), results.types())));
    attributes = with(attributes, BuiltinOps.ARG_ATTRS, arguments());
    attributes = with(attributes, BuiltinOps.RES_ATTRS, each(BuiltinOps.RES_ATTRS, results));
    return new Function(
        old.operation().withAttributes(attributes).withRegions(ImmutableList.of(Region.of(block))));
  }

  private static ImmutableList<Type> types(List<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  private static Attributes with(Attributes attributes, String name, List<Attributes> values) {
    if (!attributes.has(name)) {
      return attributes;
    }
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    values.forEach(value -> out.add(new Attribute.Dict(value)));
    return values.stream().allMatch(Attributes::isEmpty)
        ? attributes.without(name)
        : attributes.with(name, new Attribute.Array(out.build()));
  }

  private ImmutableList<Attribute> places(Block body) {
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    if (!body.argumentLocations().isEmpty()) {
      for (int i = 0; i < parameters.values(); i++) {
        int count = parameters.start(i + 1) - parameters.start(i);
        out.addAll(Collections.nCopies(count, body.argumentLocations().get(i)));
      }
    }
    return out.build();
  }

  private Attributes written(String list, int index) {
    return old.operation().attribute(list) instanceof Attribute.Array array
            && index < array.elements().size()
            && array.elements().get(index) instanceof Attribute.Dict dict
        ? dict.entries()
        : Attributes.EMPTY;
  }

  private ImmutableList<Attributes> each(String list, Numbering numbering) {
    ImmutableList.Builder<Attributes> out = ImmutableList.builder();
    for (int i = 0; i < numbering.values(); i++) {
      out.addAll(LeafAttributes.of(written(list, i), numbering.leaves(i)));
    }
    return out.build();
  }

  private ImmutableList<Attributes> arguments() {
    ImmutableList<Attributes> flat = each(BuiltinOps.ARG_ATTRS, parameters);
    ImmutableList.Builder<Attributes> out = ImmutableList.builder();
    for (int i = 0; i < parameters.values(); i++) {
      int start = parameters.start(i);
      for (int leaf = start; leaf < parameters.start(i + 1); leaf++) {
        out.add(
            flat.get(leaf).get(ALIASING_OUTPUT) instanceof Attribute.Int output
                ? aliased(flat.get(leaf), output.value(), i, leaf - start)
                : flat.get(leaf));
      }
    }
    return out.build();
  }

  /** An argument shares its memory with a result, leaf by leaf, if they have as many. */
  private Attributes aliased(Attributes attributes, long output, int argument, int leaf) {
    int count = parameters.start(argument + 1) - parameters.start(argument);
    List<Integer> below = results.below(output, ImmutableList.of()).asList();
    if (below.size() != count && results.values() == 1) {
      // Of a function that gives one tuple, the number is that of an element.
      below = results.below(0, ImmutableList.of(output)).asList();
    }
    @Nullable Integer number = below.size() == count ? below.get(leaf) : null;
    return number == null
        ? attributes.without(ALIASING_OUTPUT)
        : attributes.with(ALIASING_OUTPUT, Attribute.Int.i32(number));
  }
}
