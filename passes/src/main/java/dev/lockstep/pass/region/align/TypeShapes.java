package dev.lockstep.pass.region.align;

import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;

/** Types that may belong together: alike but for the sizes of static dimensions. */
final class TypeShapes {
  private TypeShapes() {}

  static boolean correspond(List<Value> values) {
    Type first = values.get(0).type();
    return values.stream().allMatch(value -> correspond(first, value.type()));
  }

  private static boolean correspond(Type a, Type b) {
    if (a instanceof TensorType x && b instanceof TensorType y) {
      return x.element() == y.element()
          && x.rank() == y.rank()
          && (x.dims().equals(y.dims()) || x.isStatic() && y.isStatic());
    }
    if (a instanceof TupleType x && b instanceof TupleType y) {
      if (x.elements().size() != y.elements().size()) {
        return false;
      }
      for (int i = 0; i < x.elements().size(); i++) {
        if (!correspond(x.elements().get(i), y.elements().get(i))) {
          return false;
        }
      }
      return true;
    }
    return a.isSameShape(b);
  }
}
