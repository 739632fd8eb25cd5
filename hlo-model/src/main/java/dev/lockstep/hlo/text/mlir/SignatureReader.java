package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the types behind an operation, in each of the ways in which formats abbreviate them. */
final class SignatureReader {
  private final MlirText parser;
  private final FormatReader format;
  private final TokenRing ring;

  SignatureReader(MlirText parser, FormatReader format, TokenRing ring) {
    this.parser = parser;
    this.format = format;
    this.ring = ring;
  }

  /** Reads the types behind an operation and says which operands and results they are of. */
  void read(MlirAssembly.Signature signature) {
    OpState state = parser.state();
    switch (signature) {
      case FN -> {
        format.expect(MlirText.COLON);
        parser.signature();
        parser.checkOperands(state);
      }
      case SAME -> {
        format.expect(MlirText.COLON);
        Type type = parser.type().value;
        if (!function(type, state)) {
          all(type, state);
          state.resultTypes.add(type);
        }
        parser.checkOperands(state);
      }
      case COMPLEX -> complex(state);
      case SELECT -> select(state);
      case PAIRS -> {
        if (format.eat(MlirText.COLON)) {
          list(state.operandTypes);
        }
        state.resultTypes.addAll(state.operandTypes);
        parser.checkOperands(state);
      }
      case OPERANDS -> {
        format.expect(MlirText.COLON);
        list(state.operandTypes);
        parser.checkOperands(state);
      }
      case ALL -> {
        format.expect(MlirText.COLON);
        Type type = parser.type().value;
        all(type, state);
        named(type, state);
        parser.checkOperands(state);
      }
      case RESULTS -> {
        format.expect(MlirText.COLON);
        list(state.resultTypes);
        parser.checkOperands(state);
      }
      case TUPLE -> tuple(state);
      case ARROW -> arrow(state, false);
      case TO -> arrow(state, true);
    }
  }

  /** Adds one result of {@code type} when the operation has names for results. */
  private static void named(Type type, OpState state) {
    if (!state.results.isEmpty()) {
      state.resultTypes.add(type);
    }
  }

  private static void all(Type type, OpState state) {
    for (int i = 0; i < state.operands.size(); i++) {
      state.operandTypes.add(type);
    }
  }

  private static boolean function(Type type, OpState state) {
    if (!(type instanceof FunctionType)) {
      return false;
    }
    state.operandTypes.addAll(((FunctionType) type).inputs());
    state.resultTypes.addAll(((FunctionType) type).results());
    return true;
  }

  private void list(List<Type> out) {
    if (format.next() == MlirText.LPAREN) {
      // An empty list is written ().
      Type type = emptyOrFunction();
      if (type == null) {
        return;
      }
      out.add(type);
    } else {
      out.add(parser.type().value);
    }
    while (format.eat(MlirText.COMMA)) {
      out.add(parser.type().value);
    }
  }

  private @Nullable Type emptyOrFunction() {
    ring.consume();
    if (format.eat(MlirText.RPAREN)) {
      return null;
    }
    throw parser.unexpected("')'");
  }

  private void complex(OpState state) {
    format.expect(MlirText.COLON);
    Type type = parser.type().value;
    if (!function(type, state)) {
      if (!(type instanceof TensorType) || !((TensorType) type).element().isComplex()) {
        throw format.error(
            "complex-type", "expected tensor with complex element type, got " + type);
      }
      TensorType tensor = (TensorType) type;
      all(tensor.withElement(tensor.element().realPart()), state);
      state.resultTypes.add(type);
    }
    parser.checkOperands(state);
  }

  private void select(OpState state) {
    format.expect(MlirText.COLON);
    Type type = parser.type().value;
    if (!function(type, state)) {
      format.expect(MlirText.COMMA);
      Type rest = parser.type().value;
      state.operandTypes.add(type);
      for (int i = 1; i < state.operands.size(); i++) {
        state.operandTypes.add(rest);
      }
      state.resultTypes.add(rest);
    }
    parser.checkOperands(state);
  }

  private void tuple(OpState state) {
    format.expect(MlirText.COLON);
    Type type = parser.type().value;
    if (!function(type, state)) {
      if (!(type instanceof TupleType)) {
        throw format.error("tuple-type", "expected tuple type, got " + type);
      }
      state.operandTypes.addAll(((TupleType) type).elements());
      state.resultTypes.add(type);
    }
    parser.checkOperands(state);
  }

  private void arrow(OpState state, boolean isWord) {
    format.expect(MlirText.COLON);
    Type first = null;
    if (format.next() == MlirText.LPAREN) {
      Type whole = parser.type().value;
      if (function(whole, state)) {
        parser.checkOperands(state);
        return;
      }
      first = whole;
    }
    state.operandTypes.add(first == null ? parser.type().value : first);
    while (format.eat(MlirText.COMMA)) {
      state.operandTypes.add(parser.type().value);
    }
    if (isWord) {
      format.expectWord("to");
    } else {
      format.expect(MlirText.ARROW);
    }
    parser.resultTypes();
    parser.checkOperands(state);
  }
}
