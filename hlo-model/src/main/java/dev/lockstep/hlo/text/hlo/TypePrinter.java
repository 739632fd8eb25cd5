package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.FutureType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.IdentityHashMap;
import java.util.Map;

/** Writes shapes as XLA does. Keeps what it wrote: programs use the same type objects often. */
final class TypePrinter {
  private final Map<Type, String> withLayout = new IdentityHashMap<>();
  private final Map<Type, String> plain = new IdentityHashMap<>();

  /** Returns {@code type} with layouts; a tensor that has none gets the row-major one. */
  String withLayout(Type type) {
    String text = withLayout.get(type);
    if (text == null) {
      text = type.accept(new Writer(true));
      withLayout.put(type, text);
    }
    return text;
  }

  /** Returns {@code type} without layouts. */
  String plain(Type type) {
    String text = plain.get(type);
    if (text == null) {
      text = text(type);
      plain.put(type, text);
    }
    return text;
  }

  /** Returns {@code type} without layouts. */
  static String text(Type type) {
    return type.accept(new Writer(false));
  }

  private static final class Writer implements Type.Visitor<String> {
    private final boolean layouts;

    Writer(boolean layouts) {
      this.layouts = layouts;
    }

    @Override
    public String tensor(TensorType type) {
      StringBuilder out = new StringBuilder(type.element().hloName()).append('[');
      ImmutableLongArray bounds = type.bounds();
      for (int i = 0; i < type.rank(); i++) {
        out.append(i == 0 ? "" : ",");
        if (type.dim(i) != TensorType.DYNAMIC) {
          out.append(type.dim(i));
        } else if (bounds != null && bounds.get(i) != TensorType.DYNAMIC) {
          out.append("<=").append(bounds.get(i));
        } else {
          out.append('?');
        }
      }
      out.append(']');
      if (layouts) {
        layout(out, type);
      }
      return out.toString();
    }

    private static void layout(StringBuilder out, TensorType type) {
      Layout layout = type.layout();
      if (layout != null) {
        ImmutableIntArray order = layout.minorToMajor();
        out.append('{');
        for (int i = 0; i < order.length(); i++) {
          out.append(i == 0 ? "" : ",").append(order.get(i));
        }
        if (!layout.extras().isEmpty()) {
          out.append(':').append(layout.extras());
        }
        out.append('}');
      } else if (type.rank() > 0) {
        out.append('{');
        for (int i = type.rank() - 1; i >= 0; i--) {
          out.append(i).append(i == 0 ? "}" : ",");
        }
      }
    }

    @Override
    public String tuple(TupleType type) {
      return tuple(type.elements());
    }

    private String tuple(ImmutableList<Type> elements) {
      StringBuilder out = new StringBuilder("(");
      for (int i = 0; i < elements.size(); i++) {
        out.append(i == 0 ? "" : ", ");
        if (i > 0 && i % 5 == 0) {
          out.append("/*index=").append(i).append("*/");
        }
        out.append(elements.get(i).accept(this));
      }
      return out.append(')').toString();
    }

    @Override
    public String token(TokenType type) {
      return "token[]";
    }

    @Override
    public String future(FutureType type) {
      return tuple(type.types());
    }

    @Override
    public String function(FunctionType type) {
      Type result =
          type.results().size() == 1 ? type.results().get(0) : new TupleType(type.results());
      return "{" + tuple(type.inputs()) + "->" + result.accept(this) + "}";
    }

    @Override
    public String opaque(OpaqueType type) {
      return type.text();
    }
  }
}
