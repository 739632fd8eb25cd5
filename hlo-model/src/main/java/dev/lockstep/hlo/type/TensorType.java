package dev.lockstep.hlo.type;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A ranked tensor: {@code tensor<2x?xf32>}, {@code f32[2,<=3]{1,0}}.
 *
 * <p>Immutable. A dynamic dimension is {@link #DYNAMIC}; its bound, if any, is in {@link #bounds}.
 * A layout comes only from HLO text, an encoding other than bounds only from MLIR.
 */
public final class TensorType implements Type {
  /** A dimension whose size is not known. */
  public static final long DYNAMIC = Long.MIN_VALUE;

  private static final ImmutableLongArray NO_DIMS = ImmutableLongArray.of();

  private final ElementType element;
  private final ImmutableLongArray dims;
  private final @Nullable ImmutableLongArray bounds;
  private final @Nullable Layout layout;
  private final @Nullable Attribute encoding;

  private TensorType(
      ElementType element,
      ImmutableLongArray dims,
      @Nullable ImmutableLongArray bounds,
      @Nullable Layout layout,
      @Nullable Attribute encoding) {
    this.element = requireNonNull(element);
    this.dims = requireNonNull(dims);
    this.bounds = bounds;
    this.layout = layout;
    this.encoding = encoding;
  }

  /** Returns a tensor type without bounds, layout or encoding. */
  public static TensorType of(ElementType element, ImmutableLongArray dims) {
    return new TensorType(element, dims, null, null, null);
  }

  /** Returns a tensor type without bounds, layout or encoding. */
  public static TensorType of(ElementType element, long... dims) {
    return of(element, dims.length == 0 ? NO_DIMS : ImmutableLongArray.copyOf(dims));
  }

  /** Returns a tensor type with everything given. */
  public static TensorType of(
      ElementType element,
      ImmutableLongArray dims,
      @Nullable ImmutableLongArray bounds,
      @Nullable Layout layout,
      @Nullable Attribute encoding) {
    checkArgument(bounds == null || bounds.length() == dims.length(), "one bound a dimension");
    return new TensorType(element, dims, bounds, layout, encoding);
  }

  /** Returns the type of the elements. */
  public ElementType element() {
    return element;
  }

  /** Returns the sizes; {@link #DYNAMIC} where a size is not known. */
  public ImmutableLongArray dims() {
    return dims;
  }

  /** Returns the upper bounds of dynamic dimensions ({@link #DYNAMIC} = none), or null. */
  public @Nullable ImmutableLongArray bounds() {
    return bounds;
  }

  /** Returns the layout that HLO text gave, or null. */
  public @Nullable Layout layout() {
    return layout;
  }

  /** Returns the size of dimension {@code i}, or its bound, or {@link #DYNAMIC} without one. */
  public long largest(int i) {
    return dims.get(i) != DYNAMIC || bounds == null ? dims.get(i) : bounds.get(i);
  }

  /** Returns the MLIR encoding other than bounds, or null. */
  public @Nullable Attribute encoding() {
    return encoding;
  }

  /** Returns the number of dimensions. */
  public int rank() {
    return dims.length();
  }

  /** Returns the size of dimension {@code i}. */
  public long dim(int i) {
    return dims.get(i);
  }

  /** Returns whether every size is known. */
  public boolean isStatic() {
    for (int i = 0; i < dims.length(); i++) {
      if (dims.get(i) == DYNAMIC) {
        return false;
      }
    }
    return true;
  }

  /** Returns the number of elements of a static type; saturates at {@link Long#MAX_VALUE}. */
  public long count() {
    long count = 1;
    for (int i = 0; i < dims.length(); i++) {
      checkArgument(dims.get(i) != DYNAMIC, "the type is dynamic");
      long dim = dims.get(i);
      if (dim == 0) {
        return 0;
      }
      count = count > Long.MAX_VALUE / dim ? Long.MAX_VALUE : count * dim;
    }
    return count;
  }

  /** Returns this shape with another element type; layout and encoding stay. */
  public TensorType withElement(ElementType newElement) {
    return newElement == element
        ? this
        : new TensorType(newElement, dims, bounds, layout, encoding);
  }

  /** Returns this element type with other static dimensions, no bounds, layout or encoding. */
  public TensorType withDims(long... newDims) {
    return of(element, newDims);
  }

  /** Returns this type with {@code newLayout}. */
  public TensorType withLayout(@Nullable Layout newLayout) {
    return new TensorType(element, dims, bounds, newLayout, encoding);
  }

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.tensor(this);
  }

  @Override
  public boolean isSameShape(Type other) {
    return other instanceof TensorType
        && element == ((TensorType) other).element
        && dims.equals(((TensorType) other).dims);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    if (this == object) {
      return true;
    }
    if (!(object instanceof TensorType)) {
      return false;
    }
    TensorType other = (TensorType) object;
    return element == other.element
        && dims.equals(other.dims)
        && Objects.equals(bounds, other.bounds)
        && Objects.equals(layout, other.layout)
        && Objects.equals(encoding, other.encoding);
  }

  @Override
  public int hashCode() {
    return element.hashCode() * 31 + dims.hashCode();
  }

  /** Returns {@code tensor<2x?xf32>}; bounds and encoding as MLIR prints them, no layout. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder("tensor<");
    for (int i = 0; i < dims.length(); i++) {
      out.append(dims.get(i) == DYNAMIC ? "?" : Long.toString(dims.get(i))).append('x');
    }
    out.append(element.mlirName());
    ImmutableLongArray limits = bounds;
    if (limits != null) {
      out.append(", #stablehlo.bounds<");
      for (int i = 0; i < limits.length(); i++) {
        out.append(i == 0 ? "" : ", ");
        out.append(limits.get(i) == DYNAMIC ? "?" : Long.toString(limits.get(i)));
      }
      out.append('>');
    } else if (encoding != null) {
      out.append(", ").append(encoding);
    }
    return out.append('>').toString();
  }
}
