package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** Receives the parts of instructions in the order of the text. */
abstract class InstructionReader extends InstructionAdder {
  InstructionReader(
      Source source,
      SymbolTable names,
      HloLexer lexer,
      HloTokenStream tokens,
      OpSet ops,
      DiagnosticSink sink) {
    super(source, names, lexer, tokens, ops, sink);
  }

  void instruction() {
    push(tokens.next().begin);
  }

  void root() {
    ComputationFrame computation = requireNonNull(open.peek());
    if (computation.rootSeen) {
      throw error("two-roots", "a computation has one ROOT", tokens.previous().location());
    }
    computation.rootSeen = true;
    top().root = true;
  }

  void defines() {
    HloToken token = tokens.previous();
    InstructionFrame frame = top();
    frame.name = token.name();
    int percent = source.bytes()[token.begin] == '%' ? 1 : 0;
    frame.nameEnd = token.begin + percent + token.name().bytes.length;
  }

  void shape() {
    top().type = type(tokens.previous());
  }

  void opcode() {
    HloToken token = tokens.previous();
    opcode(token.name(), token.begin, token.end);
  }

  void opcode(Symbol opcode, int begin, int end) {
    InstructionFrame frame = top();
    frame.opcode = opcode;
    frame.opcodeBegin = begin;
    frame.opcodeEnd = end;
    frame.def = OpcodeTable.def(ops, opcode);
    if (frame.def == null) {
      throw error(
          "unknown-opcode",
          "no op is called '" + opcode.text + "'",
          new Location(source, begin, end));
    }
    if (opcode.constant) {
      lexer.expectLiteral();
    }
  }

  void number() {
    InstructionFrame frame = top();
    HloToken token = tokens.previous();
    if (!frame.opcode().text.equals(OpcodeTable.PARAMETER)) {
      throw error("syntax", "expected an operand, but got a number", token.location());
    }
    long number = cursor.over(token.begin, token.end).integer();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw error("parameter-number", "no such parameter number", token.location());
    }
    frame.attributes.put(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(number));
  }

  void literal() {
    InstructionFrame frame = top();
    HloToken token = tokens.previous();
    Type type = frame.type;
    if (type == null) {
      throw error("shape-missing", "a constant needs its shape", frame.opcodeLocation(source));
    }
    Attribute value;
    if (type instanceof TensorType && ((TensorType) type).isStatic()) {
      value = literals.read((TensorType) type, token.begin, token.end);
    } else {
      value = new Attribute.Raw(source.text(token.begin, token.end).strip());
    }
    warnOfLone(value, token);
    if (value instanceof Attribute.Raw && ((Attribute.Raw) value).text().contains("...")) {
      sink.warning(
          "elided-literal",
          "the values of this constant were left out when the text was printed",
          token.location());
    }
    frame.attributes.put(OpcodeTable.VALUE, value);
  }

  private void warnOfLone(Attribute value, HloToken token) {
    if (value instanceof Attribute.Dense dense
        && dense.literal().type().rank() > 0
        && cursor.over(token.begin, token.end).peek() != '{') {
      sink.warning(
          "lone-value",
          "XLA reads one value for "
              + TypePrinter.text(dense.type())
              + " as its first element; the others are 0",
          token.location());
    }
  }

  void operand() {
    operandType = null;
  }

  void operandShape() {
    operandType = type(tokens.previous());
  }

  void operandName() {
    HloToken token = tokens.previous();
    InstructionFrame frame = top();
    frame.pending = token.name();
    frame.pendingBegin = token.begin;
    frame.pendingEnd = token.end;
    frame.pendingType = operandType;
  }

  /** A parenthesis follows: what looked like an operand's name is an opcode. */
  void nested() {
    InstructionFrame outer = top();
    Symbol opcode = requireNonNull(outer.pending);
    outer.pending = null;
    InstructionFrame frame = push(outer.pendingBegin);
    frame.type = outer.pendingType;
    opcode(opcode, outer.pendingBegin, outer.pendingEnd);
    frame.nameEnd = outer.pendingEnd;
  }

  void nestedEnd() {
    InstructionFrame frame = top();
    ComputationFrame computation = requireNonNull(open.peek());
    frame.name = names.intern(computation.unique(frame.opcode().text + ".anon"));
    Value result = add(frame);
    depth--;
    top().operands.add(result);
  }

  void operandEnd() {
    InstructionFrame frame = top();
    Symbol name = frame.pending;
    if (name == null) {
      return;
    }
    frame.pending = null;
    Value value = find(name, frame.pendingBegin, frame.pendingEnd);
    Type written = frame.pendingType;
    if (written != null && written != value.type() && !agree(written, value.type())) {
      throw error(
          "operand-shape",
          "'"
              + name.text
              + "' has shape "
              + TypePrinter.text(value.type())
              + ", not "
              + TypePrinter.text(written),
          new Location(source, frame.pendingBegin, frame.pendingEnd));
    }
    frame.operands.add(value);
  }

  /** XLA compares shapes of operands by elements and bounds, whether or not sizes may change. */
  private static boolean agree(Type written, Type defined) {
    if (written instanceof TupleType left && defined instanceof TupleType right) {
      boolean same = left.elements().size() == right.elements().size();
      for (int i = 0; same && i < left.elements().size(); i++) {
        same = agree(left.elements().get(i), right.elements().get(i));
      }
      return same;
    }
    if (!(written instanceof TensorType left && defined instanceof TensorType right)) {
      return written.isSameShape(defined);
    }
    boolean same = left.element() == right.element() && left.rank() == right.rank();
    for (int i = 0; same && i < left.rank(); i++) {
      long most = left.largest(i);
      same =
          most == right.largest(i)
              || most == TensorType.DYNAMIC
              || right.largest(i) == TensorType.DYNAMIC;
    }
    return same;
  }

  Value find(Symbol name, int begin, int end) {
    ComputationFrame computation = requireNonNull(open.peek());
    Value value = name.value;
    if (value != null && name.scope == computation.scope) {
      return value;
    }
    if (computation.bare && top().pendingType != null) {
      return computation.parameter(name, requireNonNull(top().pendingType));
    }
    if (name.text.indexOf('#') > 0) {
      return elementOf(name, begin, end);
    }
    throw error(
        "unknown-operand",
        "no instruction before this one is called '" + name.text + "'",
        new Location(source, begin, end));
  }

  /** {@code %p#1#0} is short for get-tuple-element instructions, made once for each path. */
  Value elementOf(Symbol name, int begin, int end) {
    int hash = name.text.lastIndexOf('#');
    Value tuple = find(names.intern(name.text.substring(0, hash)), begin, end);
    String digits = name.text.substring(hash + 1);
    int index = digits.isEmpty() || digits.length() > 9 ? -1 : Integer.parseInt(digits);
    if (!(tuple.type() instanceof TupleType)
        || index < 0
        || index >= ((TupleType) tuple.type()).elements().size()) {
      throw error(
          "tuple-index",
          "'" + tuple.name() + "' has no element " + name.text.substring(hash),
          new Location(source, begin, end));
    }
    ComputationFrame computation = requireNonNull(open.peek());
    Symbol made = names.intern(computation.unique(name.text.replace('#', '_')));
    while (made.value != null && made.scope == computation.scope) {
      made = names.intern(computation.unique(name.text.replace('#', '_')));
    }
    Value result = new Value(((TupleType) tuple.type()).elements().get(index), made.text);
    computation.define(made, result);
    computation.define(name, result);
    computation.operations.add(
        new Operation(
            requireNonNull(ops.byHloName(OpcodeTable.GET_TUPLE_ELEMENT)),
            ImmutableList.of(tuple),
            ImmutableList.of(result),
            Attributes.of("index", Attribute.Int.untyped(index)),
            ImmutableList.of(),
            new Location(source, begin, end),
            null));
    return result;
  }

  void instructionEnd() {
    add(top());
    depth--;
  }
}
