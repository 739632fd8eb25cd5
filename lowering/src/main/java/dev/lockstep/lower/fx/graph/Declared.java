package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the text says of a value's type: {@code f32[4, 8][8, 1]cpu}, {@code Sym(2*s0)}.
 *
 * @param tensor the type of a tensor, or null
 * @param size the value of a size, or null
 */
record Declared(@Nullable TensorType tensor, @Nullable Long size) {
  private static final ImmutableMap<String, ElementType> ELEMENTS =
      ImmutableMap.<String, ElementType>builder()
          .put("b8", ElementType.I1)
          .put("i8", ElementType.I8)
          .put("i16", ElementType.I16)
          .put("i32", ElementType.I32)
          .put("i64", ElementType.I64)
          .put("u8", ElementType.UI8)
          .put("u16", ElementType.UI16)
          .put("u32", ElementType.UI32)
          .put("u64", ElementType.UI64)
          .put("f16", ElementType.F16)
          .put("bf16", ElementType.BF16)
          .put("f32", ElementType.F32)
          .put("f64", ElementType.F64)
          .put("f8e4m3fn", ElementType.F8E4M3FN)
          .put("f8e5m2", ElementType.F8E5M2)
          .put("f8e4m3fnuz", ElementType.F8E4M3FNUZ)
          .put("f8e5m2fnuz", ElementType.F8E5M2FNUZ)
          .put("f8e8m0fnu", ElementType.F8E8M0FNU)
          .put("c64", ElementType.C64)
          .put("c128", ElementType.C128)
          .buildOrThrow();

  private static final ImmutableMap<String, ElementType> DTYPES =
      ImmutableMap.<String, ElementType>builder()
          .put("bool", ElementType.I1)
          .put("int8", ElementType.I8)
          .put("int16", ElementType.I16)
          .put("short", ElementType.I16)
          .put("int32", ElementType.I32)
          .put("int", ElementType.I32)
          .put("int64", ElementType.I64)
          .put("long", ElementType.I64)
          .put("uint8", ElementType.UI8)
          .put("uint16", ElementType.UI16)
          .put("uint32", ElementType.UI32)
          .put("uint64", ElementType.UI64)
          .put("float16", ElementType.F16)
          .put("half", ElementType.F16)
          .put("bfloat16", ElementType.BF16)
          .put("float32", ElementType.F32)
          .put("float", ElementType.F32)
          .put("float64", ElementType.F64)
          .put("double", ElementType.F64)
          .put("float8_e4m3fn", ElementType.F8E4M3FN)
          .put("float8_e5m2", ElementType.F8E5M2)
          .put("float8_e4m3fnuz", ElementType.F8E4M3FNUZ)
          .put("float8_e5m2fnuz", ElementType.F8E5M2FNUZ)
          .put("float8_e8m0fnu", ElementType.F8E8M0FNU)
          .put("complex64", ElementType.C64)
          .put("complex128", ElementType.C128)
          .buildOrThrow();

  /** Returns the element type that torch calls {@code torch.NAME}, or null. */
  static @Nullable ElementType dtype(String name) {
    return DTYPES.get(name);
  }

  /**
   * Returns what {@code text} says; null when it says neither a tensor nor a size.
   *
   * @param unbound gets the symbols that {@code bindings} lack
   * @throws Sizes.Unreadable when it begins like a type and is none
   */
  static @Nullable Declared parse(
      String text, ImmutableMap<String, Long> bindings, Set<String> unbound) {
    String written = text.strip();
    if (written.startsWith("Sym(")) {
      Sizes sizes = new Sizes(written.substring(4), bindings, unbound);
      long value = isTruth(written) ? 1 : sizes.sum();
      return new Declared(null, value);
    }
    // Subclasses are written as DTensor(f32[4]) and the like; inside is what a rank holds.
    int open = written.indexOf('[');
    if (open <= 0) {
      return null;
    }
    ElementType element = ELEMENTS.get(written.substring(0, open));
    if (element == null) {
      return null;
    }
    Sizes sizes = new Sizes(written.substring(open + 1), bindings, unbound);
    List<Long> dims = new ArrayList<>();
    while (!sizes.take(']')) {
      dims.add(sizes.sum());
      if (!sizes.take(',') && !sizes.rest().startsWith("]")) {
        throw new Sizes.Unreadable("expected ',' or ']' at '" + sizes.rest() + "'");
      }
    }
    return new Declared(
        TensorType.of(element, dims.stream().mapToLong(Long::longValue).toArray()), null);
  }

  private static boolean isTruth(String text) {
    return text.contains("<") || text.contains(">") || text.contains("=") || text.contains("(Eq(");
  }
}
