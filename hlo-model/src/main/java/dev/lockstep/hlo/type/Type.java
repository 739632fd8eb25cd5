package dev.lockstep.hlo.type;

/** The type of a value. Closed: a new kind breaks every use that does not handle it. */
public sealed interface Type
    permits TensorType, TupleType, TokenType, FutureType, FunctionType, OpaqueType {

  /** One method per permitted type and no fallback. */
  interface Visitor<R> {
    R tensor(TensorType type);

    R tuple(TupleType type);

    R token(TokenType type);

    R future(FutureType type);

    R function(FunctionType type);

    R opaque(OpaqueType type);
  }

  /** Calls the method of {@code visitor} for this kind of type. */
  <R> R accept(Visitor<R> visitor);

  /**
   * Returns whether values of both types hold the same data: equal but for layouts and encodings.
   */
  boolean isSameShape(Type other);
}
