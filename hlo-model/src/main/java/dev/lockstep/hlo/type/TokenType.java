package dev.lockstep.hlo.type;

/** {@code !stablehlo.token}, {@code token[]}: no data, only order. */
public record TokenType() implements Type {
  /** The one token type. */
  public static final TokenType TOKEN = new TokenType();

  @Override
  public <R> R accept(Visitor<R> visitor) {
    return visitor.token(this);
  }

  @Override
  public boolean isSameShape(Type other) {
    return other instanceof TokenType;
  }

  @Override
  public String toString() {
    return "!stablehlo.token";
  }
}
