package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import org.jspecify.annotations.Nullable;

/** Opcodes to definitions, and the few that are written in their own way. */
final class OpcodeTable {
  /** The opcode whose parentheses hold a literal. */
  static final String CONSTANT = "constant";

  /** The opcode whose parentheses hold a number. */
  static final String PARAMETER = "parameter";

  static final String ASYNC_START = "async-start";
  static final String ASYNC_UPDATE = "async-update";
  static final String ASYNC_DONE = "async-done";
  static final String GET_TUPLE_ELEMENT = "get-tuple-element";

  /** Name of the attribute that holds the literal of a constant. */
  static final String VALUE = "value";

  /** Opcodes that end like asynchronous ones but are ops of their own. */
  private static final ImmutableSet<String> OWN =
      ImmutableSet.of(
          "all-reduce-start",
          "all-reduce-done",
          "all-gather-start",
          "all-gather-done",
          "collective-permute-start",
          "collective-permute-done",
          "copy-start",
          "copy-done",
          "send-done",
          "recv-done",
          ASYNC_START,
          ASYNC_UPDATE,
          ASYNC_DONE);

  private OpcodeTable() {}

  /** Returns the definition of {@code opcode}, without asynchronous suffix, or null. */
  static @Nullable OpDef def(OpSet ops, Symbol opcode) {
    OpDef def = opcode.def;
    if (def == null) {
      String text = opcode.text;
      def = ops.byHloName(text);
      String suffix = def == null ? asyncSuffix(text) : "";
      if (!suffix.isEmpty()) {
        def = ops.byHloName(text.substring(0, text.length() - suffix.length()));
      }
      opcode.def = def;
      opcode.suffix = suffix;
      opcode.arity = suffix.isEmpty() ? Arity.of(text) : -1;
      opcode.constant = text.equals(CONSTANT);
    }
    return def;
  }

  /** Returns the ending of asynchronous sugar that {@code opcode} has, or an empty string. */
  static String asyncSuffix(String opcode) {
    if (OWN.contains(opcode)) {
      return "";
    }
    return opcode.endsWith("-start")
        ? "-start"
        : opcode.endsWith("-update") ? "-update" : opcode.endsWith("-done") ? "-done" : "";
  }
}
