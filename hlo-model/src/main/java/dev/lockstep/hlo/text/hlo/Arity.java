package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableMap;

/**
 * How many operands an opcode takes, where that is fixed.
 *
 * <p>Source: the arities in XLA's {@code hlo_opcode.h} and the checks of {@code hlo_parser.cc}.
 */
final class Arity {
  private static final ImmutableMap<String, Integer> BY_OPCODE = table();

  private Arity() {}

  private static ImmutableMap<String, Integer> table() {
    ImmutableMap.Builder<String, Integer> out = ImmutableMap.builder();
    for (String opcode : new String[] {"partition-id", "replica-id", "iota"}) {
      out.put(opcode, 0);
    }
    for (String opcode :
        new String[] {
          "abs",
          "acos",
          "acosh",
          "asin",
          "asinh",
          "atanh",
          "cbrt",
          "ceil",
          "cosh",
          "cosine",
          "count-leading-zeros",
          "erf",
          "exponential",
          "exponential-minus-one",
          "floor",
          "imag",
          "is-finite",
          "log",
          "log-plus-one",
          "logistic",
          "negate",
          "not",
          "popcnt",
          "real",
          "round-nearest-afz",
          "round-nearest-even",
          "rsqrt",
          "sign",
          "sine",
          "sinh",
          "sqrt",
          "tan",
          "tanh",
          "bitcast",
          "bitcast-convert",
          "broadcast",
          "cholesky",
          "convert",
          "copy",
          "copy-done",
          "copy-start",
          "domain",
          "fft",
          "get-dimension-size",
          "get-tuple-element",
          "opt-barrier",
          "reduce-precision",
          "reshape",
          "reverse",
          "slice",
          "topk",
          "transpose",
          "while",
          "all-gather-done",
          "all-reduce-done",
          "collective-permute-done",
          "async-done",
          "async-update",
          "send-done",
          "recv-done",
          "infeed",
          "recv",
          "rng-bit-generator"
        }) {
      out.put(opcode, 1);
    }
    for (String opcode :
        new String[] {
          "add",
          "add-dependency",
          "and",
          "atan2",
          "compare",
          "complex",
          "convolution",
          "divide",
          "gather",
          "maximum",
          "minimum",
          "multiply",
          "or",
          "outfeed",
          "pad",
          "power",
          "remainder",
          "send",
          "set-dimension-size",
          "shift-left",
          "shift-right-arithmetic",
          "shift-right-logical",
          "stochastic-convert",
          "subtract",
          "triangular-solve",
          "xor"
        }) {
      out.put(opcode, 2);
    }
    for (String opcode :
        new String[] {
          "batch-norm-training", "clamp", "ragged-dot", "select", "select-and-scatter"
        }) {
      out.put(opcode, 3);
    }
    return out.put("batch-norm-grad", 5)
        .put("batch-norm-inference", 5)
        .put("ragged-all-to-all", 6)
        .buildOrThrow();
  }

  /** Returns the number of operands of {@code opcode}, or -1 when it may vary. */
  static int of(String opcode) {
    return BY_OPCODE.getOrDefault(opcode, -1);
  }
}
