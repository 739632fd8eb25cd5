package dev.lockstep.hlo.flat;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.shard.LeafShardings;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of HLO's entry computation, over tensors. */
final class HloEntry {
  private static final String FRONTEND = "frontend_attributes";
  private static final String FRONTEND_SHARDING = "xla.sdy.sharding";

  private final BuildScope scope;
  private final Numbering parameters;
  private final ImmutableList.Builder<Operation> out = ImmutableList.builder();

  private HloEntry(BuildScope scope, Numbering parameters) {
    this.scope = scope;
    this.parameters = parameters;
  }

  /** Returns {@code body} with flat parameters, and with a flat tuple if it gives a tuple. */
  static Block flatten(Block body, BuildScope scope, Numbering parameters) {
    return new HloEntry(scope, parameters).flatten(body);
  }

  private Block flatten(Block body) {
    Operation root = body.root();
    for (Operation operation : body.operations()) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        Operation now = parameter(operation);
        root = operation == body.root() ? now : root;
      } else {
        out.add(operation);
      }
    }
    if (root != null && !isFlatResult(root.result().type())) {
      root = flatRoot(root);
    }
    return body.withOperations(out.build(), root);
  }

  /** Returns whether a plugin hands out {@code type} as it is: a tensor, or a tuple of tensors. */
  static boolean isFlatResult(Type type) {
    return type instanceof TupleType
        ? ((TupleType) type).elements().stream().allMatch(Leaf::isFlat)
        : Leaf.isFlat(type);
  }

  /** Adds what stands for a parameter and returns what gives its value. */
  private Operation parameter(Operation old) {
    int number =
        Math.toIntExact(
            ((Attribute.Int) requireNonNull(old.attribute(BuiltinOps.PARAMETER_NUMBER))).value());
    ImmutableList<Leaf> leaves = parameters.leaves(number);
    int start = parameters.start(number);
    if (Leaf.isFlat(old.result().type())) {
      Operation now = old.withAttributes(numbered(old.attributes(), start));
      out.add(now);
      return now;
    }
    ImmutableList<Attributes> each = LeafAttributes.of(old.attributes(), leaves);
    ImmutableList.Builder<Value> values = ImmutableList.builder();
    int next = 0;
    for (Leaf leaf : leaves) {
      if (leaf.isKept()) {
        String name = old.result().name() + "." + Joiner.on('.').join(leaf.path());
        Value value = new Value(leaf.type(), scope.freshName(name));
        values.add(value);
        out.add(
            old.withAttributes(numbered(each.get(next), start + next))
                .withResults(ImmutableList.of(value)));
        next++;
      }
    }
    OpBuilder builder = new OpBuilder(scope).at(old);
    Iterator<Value> all = values.build().iterator();
    Tuples.rebuild(old.result(), all, builder);
    ImmutableList<Operation> built = builder.take();
    out.addAll(built);
    return built.get(built.size() - 1);
  }

  private static Attributes numbered(Attributes attributes, int number) {
    return attributes.with(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(number));
  }

  private Operation flatRoot(Operation old) {
    OpBuilder builder = new OpBuilder(scope).at(old);
    ImmutableList.Builder<Value> leaves = ImmutableList.builder();
    Tuples.apart(old.result(), builder, leaves);
    builder.tuple(leaves.build());
    ImmutableList<Operation> built = builder.take();
    Operation tuple = built.get(built.size() - 1);
    List<Boolean> kept = Leaf.of(old.result().type()).stream().map(Leaf::isKept).toList();
    Operation root =
        tuple.withAttributes(
            sharding(tuple.attributes(), LeafShardings.keeping(old.attributes(), kept)));
    out.addAll(built.subList(0, built.size() - 1)).add(root);
    return root;
  }

  /** What the root says of shardings is said of the results. */
  private static Attributes sharding(Attributes attributes, Attributes old) {
    @Nullable Attribute sharding = old.get("sharding");
    Attributes out = sharding == null ? attributes : attributes.with("sharding", sharding);
    return old.get(FRONTEND) instanceof Attribute.Dict dict
            && dict.entries().get(FRONTEND_SHARDING) instanceof Attribute.Str shardy
        ? out.with(FRONTEND, new Attribute.Dict(Attributes.of(FRONTEND_SHARDING, shardy)))
        : out;
  }
}
