package dev.lockstep.lower.fx.aten;

import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import java.util.function.BinaryOperator;

/** {@code scatter_reduce}: elements joined with those of a source by a reduction. */
final class ScatterReduce {
  private ScatterReduce() {}

  static Arg lower(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    String how = call.text("reduce");
    ElementType element = Tensors.element(self);
    BinaryOperator<Value> join =
        switch (how) {
          case "sum", "mean" -> Indexing.sum(t, self);
          case "prod" -> t::multiply;
          case "amax" -> t::maximum;
          case "amin" -> t::minimum;
          default -> throw call.error("reduce is '" + how + "'");
        };
    Value base = self;
    if (!call.flag("include_self")) {
      // Elements that are reached start from what changes nothing.
      Value neutral = t.builder().full(kind(how).identity(element), Tensors.type(self));
      base = t.select(t.compare("GT", reached(call, t), t.full(counts(self), 0L)), neutral, self);
    }
    Value joined = Indexing.scattered(call, t, base, "src", join);
    if (!how.equals("mean")) {
      return Arg.of(joined);
    }
    Value count = reached(call, t);
    Value all = call.flag("include_self") ? t.add(count, t.like(count, 1)) : count;
    Value divisor = t.convert(t.maximum(all, t.like(all, 1)), element);
    return Arg.of(
        element.isInteger()
            ? t.divide(joined, divisor)
            : t.convert(t.divide(t.wide(joined), t.wide(divisor)), element));
  }

  private static ReductionKind kind(String how) {
    return switch (how) {
      case "prod" -> ReductionKind.MULTIPLY;
      case "amax" -> ReductionKind.MAXIMUM;
      case "amin" -> ReductionKind.MINIMUM;
      default -> ReductionKind.ADD;
    };
  }

  private static dev.lockstep.hlo.type.TensorType counts(Value self) {
    return Tensors.type(self).withElement(ElementType.I64);
  }

  /** Returns how many elements of the source go to each element. */
  private static Value reached(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value index = call.tensor("index");
    int dim = call.dim("dim", Tensors.rank(self));
    Value places = Indexing.elementPlaces(t, index, dim, Tensors.dims(self)[dim]);
    Value ones = t.full(Tensors.type(index).withElement(ElementType.I64), 1L);
    return Gathers.scatter(t, t.full(counts(self), 0L), places, ones, t::add);
  }
}
