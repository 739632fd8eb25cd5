package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.control.TupleOp;
import dev.lockstep.hlo.op.data.Copy;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * The shardings of a function's results, which HLO keeps on its root.
 *
 * @param texts one a result, or null where none has one
 */
record ResultShardings(@Nullable ImmutableList<String> texts) {
  /** Returns the shardings that stand on the results of {@code function}. */
  static ResultShardings of(Function function) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    int found = 0;
    int count = function.resultTypes().size();
    for (int i = 0; i < count; i++) {
      Attributes attributes = ToHlo.entry(function, BuiltinOps.RES_ATTRS, i);
      refuseShardy(function, attributes);
      Attribute sharding = attributes.get("mhlo.sharding");
      found += sharding instanceof Attribute.Str ? 1 : 0;
      out.add(sharding instanceof Attribute.Str ? ((Attribute.Str) sharding).value() : "{unknown}");
    }
    for (int i = 0; i < function.parameters().size(); i++) {
      refuseShardy(function, ToHlo.entry(function, BuiltinOps.ARG_ATTRS, i));
    }
    return new ResultShardings(found == 0 ? null : out.build());
  }

  private static void refuseShardy(Function function, Attributes attributes) {
    if (attributes.has("sdy.sharding")) {
      throw Untranslatable.op(
          function.operation(), "it has a sharding of Shardy, whose partitioner must run first");
    }
  }

  /** Returns the root that gives {@code returned}: one value, or a tuple of several. */
  Value root(OpBuilder builder, ImmutableList<Value> returned) {
    if (returned.size() == 1) {
      Value only = returned.get(0);
      return texts == null
          ? only
          : builder.emit(Copy.DEF, returned, only.type(), sharding(texts.get(0)));
    }
    if (texts == null) {
      return builder.tuple(returned);
    }
    ImmutableList<Type> types =
        returned.stream().map(Value::type).collect(ImmutableList.toImmutableList());
    return builder.emit(
        TupleOp.DEF,
        returned,
        new TupleType(types),
        sharding("{" + String.join(", ", texts) + "}"));
  }

  private static Attributes sharding(String text) {
    return Attributes.of("sharding", new Attribute.Raw(text));
  }
}
