package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.FutureType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Writes types; the text of each is made once. */
final class TypeWriter implements Type.Visitor<Void> {
  private final StringBuilder out;
  private final AttributeWriter attributes;
  private final Map<Type, String> texts = new IdentityHashMap<>();

  TypeWriter(StringBuilder out, AttributeWriter attributes) {
    this.out = out;
    this.attributes = attributes;
  }

  void write(Type type) {
    String text = texts.get(type);
    if (text == null) {
      int mark = out.length();
      type.accept(this);
      texts.put(type, out.substring(mark));
      return;
    }
    out.append(text);
  }

  void write(List<? extends Type> list) {
    for (int i = 0; i < list.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      write(list.get(i));
    }
  }

  /** Writes {@code -> T} without the arrow. */
  void results(List<? extends Type> list) {
    if (list.size() == 1 && !(list.get(0) instanceof FunctionType)) {
      write(list.get(0));
      return;
    }
    out.append('(');
    write(list);
    out.append(')');
  }

  @Override
  public Void tensor(TensorType type) {
    Attribute encoding = type.encoding();
    if (type.bounds() != null || encoding == null) {
      out.append(type);
    } else {
      String plain = TensorType.of(type.element(), type.dims()).toString();
      out.append(plain, 0, plain.length() - 1).append(", ");
      attributes.write(encoding);
      out.append('>');
    }
    return null;
  }

  @Override
  public Void tuple(TupleType type) {
    out.append("tuple<");
    write(type.elements());
    out.append('>');
    return null;
  }

  @Override
  public Void token(TokenType type) {
    out.append(type);
    return null;
  }

  @Override
  public Void future(FutureType type) {
    out.append("!stablehlo.future<");
    write(type.types());
    out.append('>');
    return null;
  }

  @Override
  public Void function(FunctionType type) {
    out.append('(');
    write(type.inputs());
    out.append(") -> ");
    results(type.results());
    return null;
  }

  @Override
  public Void opaque(OpaqueType type) {
    out.append(type.text());
    return null;
  }
}
