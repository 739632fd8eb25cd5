package dev.lockstep.lower.fx.aten;

/**
 * One overload of one operator and what it becomes.
 *
 * @param schema what it takes
 * @param rule what it becomes
 * @param isView whether its result shares memory with its first argument
 */
record AtenOp(Schema schema, Rule rule, boolean isView) {
  /** Builds what a call of the operator means. */
  interface Rule {
    /**
     * Returns what the call gives.
     *
     * @throws dev.lockstep.hlo.diag.DiagnosticException when the call is wrong
     */
    Arg lower(AtenCall call, Tensors tensors);
  }

  /** Returns the operator with torch's schema {@code schema}. */
  static AtenOp of(String schema, Rule rule) {
    return new AtenOp(Schema.parse(schema), rule, false);
  }

  /** Returns an operator whose result is a view of its first argument. */
  static AtenOp view(String schema, Rule rule) {
    return new AtenOp(Schema.parse(schema), rule, true);
  }

  /** Returns name and overload: {@code sum.dim_IntList}. */
  String name() {
    return schema.name();
  }
}
