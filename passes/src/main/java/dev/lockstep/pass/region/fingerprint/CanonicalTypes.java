package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.FutureType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes types. A layout counts when it is not the one that everybody takes where none is written:
 * the last dimension fastest, no tiles, no memory space.
 */
final class CanonicalTypes implements Type.Visitor<Boolean> {
  private final CanonicalSink sink;

  CanonicalTypes(CanonicalSink sink) {
    this.sink = sink;
  }

  void write(Type type) {
    type.accept(this);
  }

  void write(ImmutableList<Type> types) {
    sink.number(types.size());
    types.forEach(this::write);
  }

  @Override
  public Boolean tensor(TensorType type) {
    sink.word(type.element().mlirName());
    numbers(type.dims());
    ImmutableLongArray bounds = type.bounds();
    if (bounds != null) {
      sink.word("bounds");
      numbers(bounds);
    }
    Layout layout = type.layout();
    if (layout != null && !isDefault(layout)) {
      sink.word(layout.toString());
    }
    @Nullable Attribute encoding = type.encoding();
    if (encoding != null) {
      sink.word("encoding " + encoding);
    }
    return true;
  }

  private static boolean isDefault(Layout layout) {
    ImmutableIntArray order = layout.minorToMajor();
    for (int i = 0; i < order.length(); i++) {
      if (order.get(i) != order.length() - 1 - i) {
        return false;
      }
    }
    return layout.extras().isEmpty();
  }

  private void numbers(ImmutableLongArray numbers) {
    sink.number(numbers.length());
    for (int i = 0; i < numbers.length(); i++) {
      sink.number(numbers.get(i));
    }
  }

  @Override
  public Boolean tuple(TupleType type) {
    sink.word("tuple");
    write(type.elements());
    return true;
  }

  @Override
  public Boolean token(TokenType type) {
    sink.word("token");
    return true;
  }

  @Override
  public Boolean future(FutureType type) {
    sink.word("future");
    write(type.types());
    return true;
  }

  @Override
  public Boolean function(FunctionType type) {
    sink.word("function");
    write(type.inputs());
    write(type.results());
    return true;
  }

  @Override
  public Boolean opaque(OpaqueType type) {
    sink.word("opaque " + type.text());
    return true;
  }
}
