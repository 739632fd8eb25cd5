package dev.lockstep.hlo.type;

/**
 * A type that a reader met and the model does not know: quantised and unranked tensors, memrefs,
 * types of other dialects, HLO's {@code opaque[]} and {@code b(...)}. It is kept and printed back.
 *
 * @param text the type as printed
 */
public record OpaqueType(String text) implements Type {
  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.opaque(this);
  }

  @Override
  public boolean isSameShape(Type other) {
    return equals(other);
  }

  @Override
  public String toString() {
    return text;
  }
}
