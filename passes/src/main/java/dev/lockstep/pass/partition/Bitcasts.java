package dev.lockstep.pass.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.data.Bitcast;
import dev.lockstep.hlo.op.data.BitcastConvert;
import dev.lockstep.hlo.op.data.Reshape;
import dev.lockstep.hlo.op.data.Transpose;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/**
 * Bitcasts as what they do to arrays: the elements in the order of memory, in another shape. XLA's
 * layout assignment, through which a program goes that is compiled again, knows no bitcasts.
 */
final class Bitcasts {
  private Bitcasts() {}

  /** Returns whether {@code operation} is a bitcast that keeps the number of elements. */
  static boolean isOne(Operation operation) {
    return operation.is(Bitcast.DEF)
        && operation.operand(0).type() instanceof TensorType from
        && operation.result().type() instanceof TensorType to
        && from.element().bits() == to.element().bits()
        && from.element().isComplex() == to.element().isComplex()
        && to.isStatic()
        && !isTiled(from)
        && !isTiled(to);
  }

  /** Returns whether memory holds the elements in tiles, which no transpose makes. */
  private static boolean isTiled(TensorType type) {
    Layout layout = type.layout();
    return layout != null && layout.extras().contains("T(");
  }

  /**
   * Returns a bitcast-convert to the other element type, a transpose into the order of memory, a
   * reshape and a transpose out of it; conversions and transposes that change nothing are left out.
   * The last one gives the value of {@code operation}.
   */
  static ImmutableList<Operation> rewrite(Operation operation) {
    TensorType from = (TensorType) operation.operand(0).type();
    TensorType to = (TensorType) operation.result().type();
    int[] in = majorToMinor(from);
    int[] out = majorToMinor(to);
    ImmutableList.Builder<Operation> made = ImmutableList.builder();
    Value value = operation.operand(0);
    String name = operation.result().name();
    if (from.element() != to.element()) {
      from = from.withElement(to.element());
      if (from.equals(to)) {
        return ImmutableList.of(
            make(BitcastConvert.DEF, operation, value, operation.result(), Attributes.EMPTY));
      }
      Value converted = new Value(from, name + ".converted");
      made.add(make(BitcastConvert.DEF, operation, value, converted, Attributes.EMPTY));
      value = converted;
    }
    if (!isIdentity(in)) {
      Value sorted = new Value(permuted(from, in), name + ".from_memory");
      made.add(make(Transpose.DEF, operation, value, sorted, dimensions(in)));
      value = sorted;
    }
    if (isIdentity(out)) {
      made.add(make(Reshape.DEF, operation, value, operation.result(), Attributes.EMPTY));
      return made.build();
    }
    Value reshaped = new Value(permuted(to, out), name + ".in_memory");
    made.add(make(Reshape.DEF, operation, value, reshaped, Attributes.EMPTY));
    int[] back = new int[out.length];
    for (int i = 0; i < out.length; i++) {
      back[out[i]] = i;
    }
    made.add(make(Transpose.DEF, operation, reshaped, operation.result(), dimensions(back)));
    return made.build();
  }

  private static Operation make(
      OpDef def, Operation like, Value operand, Value result, Attributes more) {
    Attributes attributes = more;
    Attribute metadata = like.attribute("metadata");
    if (metadata != null) {
      attributes = attributes.with("metadata", metadata);
    }
    return new Operation(
        def,
        ImmutableList.of(operand),
        ImmutableList.of(result),
        attributes,
        ImmutableList.of(),
        like.location(),
        null);
  }

  private static Attributes dimensions(int[] order) {
    return Attributes.of(
        "dimensions",
        new Attribute.Longs(
            ImmutableLongArray.copyOf(Arrays.stream(order).asLongStream()), ElementType.I64));
  }

  private static TensorType permuted(TensorType type, int[] order) {
    long[] dims = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      dims[i] = type.dim(order[i]);
    }
    return TensorType.of(type.element(), dims);
  }

  /** Returns the dimensions of {@code type} from the slowest varying to the fastest. */
  private static int[] majorToMinor(TensorType type) {
    int[] order = new int[type.rank()];
    Layout layout = type.layout();
    ImmutableIntArray minorToMajor = layout == null ? null : layout.minorToMajor();
    for (int i = 0; i < order.length; i++) {
      order[i] =
          minorToMajor == null || minorToMajor.length() != order.length
              ? i
              : minorToMajor.get(order.length - 1 - i);
    }
    return order;
  }

  private static boolean isIdentity(int[] order) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] != i) {
        return false;
      }
    }
    return true;
  }
}
