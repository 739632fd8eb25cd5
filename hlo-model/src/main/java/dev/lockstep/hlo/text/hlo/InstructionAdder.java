package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/** Makes an operation of what was read of an instruction. */
abstract class InstructionAdder extends BuilderState {
  InstructionAdder(
      Source source,
      SymbolTable names,
      HloLexer lexer,
      HloTokenStream tokens,
      OpSet ops,
      DiagnosticSink sink) {
    super(source, names, lexer, tokens, ops, sink);
  }

  Value add(InstructionFrame frame) {
    Symbol name = requireNonNull(frame.name);
    ComputationFrame computation = requireNonNull(open.peek());
    Location location = new Location(source, frame.begin, tokens.previous().end);
    checkOperands(frame);
    Type type = frame.type != null ? frame.type : infer(frame);
    if (name.value != null && name.scope == computation.scope) {
      throw error(
          "duplicate-name",
          "instruction '" + name.text + "' is defined twice",
          new Location(source, frame.nameEnd - name.bytes.length, frame.nameEnd));
    }
    Value result = new Value(type, name.text);
    computation.define(name, result);
    OpDef def = requireNonNull(frame.def);
    ImmutableList<Value> operands = ImmutableList.copyOf(frame.operands);
    Attributes attributes = frame.attributes.build();
    String suffix = frame.opcode().suffix;
    if (!suffix.isEmpty()) {
      if (suffix.equals("-start")) {
        attributes = wrap(frame, def, operands, type, location);
      }
      def = requireNonNull(ops.byHloName("async" + suffix));
    }
    Operation operation =
        new Operation(
            def,
            operands,
            ImmutableList.of(result),
            attributes,
            ImmutableList.of(),
            location,
            null);
    computation.operations.add(operation);
    if (frame.root) {
      computation.root = operation;
    }
    return result;
  }

  void checkOperands(InstructionFrame frame) {
    int arity = frame.opcode().arity;
    if (arity >= 0 && arity != frame.operands.size()) {
      throw error(
          "operand-count",
          frame.opcode().text
              + " takes "
              + arity
              + (arity == 1 ? " operand" : " operands")
              + ", but got "
              + frame.operands.size(),
          frame.opcodeLocation(source));
    }
  }

  /** Adds the computation that {@code x-start} stands for and returns the attributes of it. */
  Attributes wrap(
      InstructionFrame frame,
      OpDef def,
      ImmutableList<Value> operands,
      Type type,
      Location location) {
    Type result = AsyncSugar.resultOf(type);
    if (result == null) {
      throw error(
          "async-shape",
          "an asynchronous start gives a tuple of its operands, its result and contexts",
          frame.opcodeLocation(source));
    }
    Attributes attributes = frame.attributes.build();
    Symbol name = names.intern(freeComputationName("async_computation"));
    Operation computation = AsyncSugar.wrap(name.text, def, operands, result, attributes, location);
    computations.add(computation);
    name.computation = computation;
    return AsyncSugar.outer(attributes, name.text);
  }

  Type infer(InstructionFrame frame) {
    ImmutableList.Builder<Type> operands = ImmutableList.builder();
    for (Value operand : frame.operands) {
      operands.add(operand.type());
    }
    Type type =
        ShapeInference.infer(
            frame.opcode().text,
            new ShapeInference.Call(
                operands.build(), frame.attributes.build(), this::resultOfComputation));
    if (type == null) {
      throw error(
          "shape-missing",
          "the shape of " + frame.opcode().text + " must be written",
          frame.opcodeLocation(source));
    }
    return type;
  }

  @Nullable Type resultOfComputation(String name) {
    Operation computation = names.intern(name).computation;
    return computation == null ? null : new Function(computation).resultTypes().get(0);
  }
}
