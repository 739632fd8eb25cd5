package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the constructs of a text in order and makes the module of them. Each method is called
 * right after the last token of its construct was matched.
 */
final class HloBuilder {
  /** Operands in operands and bodies in attributes deeper than this are refused. */
  private static final int MAX_NESTING = 100;

  private final Source source;
  private final SymbolTable names;
  private final HloLexer lexer;
  private final HloTokenStream tokens;
  private final OpSet ops;
  private final DiagnosticSink sink;
  private final Cursor cursor;
  private final TypeReader types;
  private final LiteralReader literals;
  private final AttributeReader attributeReader;

  private @Nullable String moduleName;
  private final Attributes.Builder header = Attributes.builder();
  private final Attributes.Builder tables = Attributes.builder();
  private final List<Operation> computations = new ArrayList<>();
  private final Deque<ComputationFrame> open = new ArrayDeque<>();
  private final List<InstructionFrame> frames = new ArrayList<>();
  private int depth = -1;
  private int scopes;
  private boolean entryNext;
  private @Nullable String entry;
  private Location entryLocation = Location.UNKNOWN;

  private @Nullable Symbol key;
  private int keyBegin;
  private int keyEnd;
  private final List<Attribute> callees = new ArrayList<>();
  private @Nullable Type operandType;

  HloBuilder(
      Source source,
      SymbolTable names,
      HloLexer lexer,
      HloTokenStream tokens,
      OpSet ops,
      DiagnosticSink sink) {
    this.source = source;
    this.names = names;
    this.lexer = lexer;
    this.tokens = tokens;
    this.ops = ops;
    this.sink = sink;
    this.cursor = new Cursor(source);
    this.types = new TypeReader(cursor);
    this.literals = new LiteralReader(cursor);
    this.attributeReader = new AttributeReader(cursor, types, literals);
  }

  // ---- module ----

  void moduleName() {
    moduleName = tokens.previous().name().text;
  }

  void table() {
    HloToken token = tokens.previous();
    String name = token.name().text;
    if (tables.has(name)) {
      throw error("duplicate-table", "table " + name + " is given twice", token.location());
    }
    int begin = token.begin + name.length();
    tables.put(name, new Attribute.Raw(source.text(begin, token.end).strip()));
  }

  Module module() {
    if (computations.isEmpty()) {
      throw error(
          "no-computation",
          "the module has no computation",
          new Location(source, 0, Math.min(1, source.length())));
    }
    String entryName = entry;
    if (entryName == null) {
      entryName = nameOf(computations.get(computations.size() - 1));
    }
    Attributes.Builder all = header;
    tables.build().forEach(all::put);
    return new Module(
        Syntax.HLO,
        moduleName == null ? "module_" + entryName : moduleName,
        all.build(),
        ImmutableList.copyOf(computations),
        entryName,
        new Location(source, 0, source.length()),
        null);
  }

  private static String nameOf(Operation computation) {
    return ((Attribute.Str) requireNonNull(computation.attribute(BuiltinOps.SYM_NAME))).value();
  }

  // ---- computations ----

  void entry() {
    HloToken token = tokens.previous();
    if (entry != null) {
      throw new DiagnosticException(
          Diagnostic.error("two-entries", "a module has one ENTRY", token.location())
              .withNote("the first one is here", entryLocation));
    }
    entryNext = true;
    entryLocation = token.location();
  }

  void computation() {
    HloToken token = tokens.previous();
    Symbol name = token.name();
    if (name.computation != null) {
      throw error(
          "duplicate-name", "computation '" + name.text + "' is defined twice", token.location());
    }
    ComputationFrame frame = new ComputationFrame(name, ++scopes, token.location());
    frame.isEntry = entryNext;
    if (entryNext) {
      entry = name.text;
    }
    entryNext = false;
    open.push(frame);
  }

  void signatureParameter() {
    // XLA too takes the parameters from the instructions; the shape only has to be one.
    type(tokens.previous());
  }

  void signatureResult() {
    HloToken token = tokens.previous();
    ComputationFrame frame = requireNonNull(open.peek());
    frame.result = type(token);
    frame.resultLocation = token.location();
  }

  /** The instructions of a computation have ended; attributes may follow. */
  void bodyEnd() {
    requireNonNull(open.peek()).end = tokens.previous().end;
  }

  void computationEnd() {
    ComputationFrame frame = open.pop();
    finish(frame);
  }

  private void finish(ComputationFrame frame) {
    Operation computation = frame.build(source);
    computations.add(computation);
    frame.name.computation = computation;
  }

  /** A single instruction stands where a computation could. */
  void bare() {
    HloToken token = tokens.next();
    if (moduleName != null || !computations.isEmpty()) {
      throw error("syntax", "an instruction stands outside of any computation", token.location());
    }
    ComputationFrame frame = new ComputationFrame(names.intern("_"), ++scopes, token.location());
    frame.bare = true;
    open.push(frame);
    push(token.begin);
  }

  void bareEnd() {
    InstructionFrame instruction = top();
    if (instruction.name == null) {
      instruction.name = names.intern("_");
    }
    add(instruction);
    depth--;
    ComputationFrame frame = open.pop();
    frame.end = tokens.previous().end;
    moduleName = "_";
    entry = "_";
    header.put("is_scheduled", Attribute.Bool.TRUE);
    finish(frame);
  }

  // ---- instructions ----

  void instruction() {
    push(tokens.next().begin);
  }

  private InstructionFrame push(int begin) {
    depth++;
    if (depth > MAX_NESTING) {
      throw error(
          "nesting",
          "instructions nest more than " + MAX_NESTING + " deep",
          tokens.next().location());
    }
    if (depth == frames.size()) {
      frames.add(new InstructionFrame());
    }
    InstructionFrame frame = frames.get(depth);
    frame.reset(begin);
    return frame;
  }

  private InstructionFrame top() {
    return frames.get(depth);
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

  private void opcode(Symbol opcode, int begin, int end) {
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
    if (value instanceof Attribute.Raw && ((Attribute.Raw) value).text().contains("...")) {
      sink.warning(
          "elided-literal",
          "the values of this constant were left out when the text was printed",
          token.location());
    }
    frame.attributes.put(OpcodeTable.VALUE, value);
  }

  // ---- operands ----

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
    if (written != null && written != value.type() && !written.isSameShape(value.type())) {
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

  private Value find(Symbol name, int begin, int end) {
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
  private Value elementOf(Symbol name, int begin, int end) {
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

  private Value add(InstructionFrame frame) {
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

  private void checkOperands(InstructionFrame frame) {
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
  private Attributes wrap(
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

  private Type infer(InstructionFrame frame) {
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

  private @Nullable Type resultOfComputation(String name) {
    Operation computation = names.intern(name).computation;
    return computation == null ? null : new Function(computation).resultTypes().get(0);
  }

  // ---- attributes ----

  void key() {
    HloToken token = tokens.previous();
    key = token.name();
    keyBegin = token.begin;
    keyEnd = token.end - 1;
  }

  void value() {
    HloToken token = tokens.previous();
    AttributeForm form = AttributeForm.of(requireNonNull(key));
    Attribute value = attributeReader.read(form, token.begin, token.end);
    if (form == AttributeForm.COMPUTATIONS) {
      checkComputation(((Attribute.Symbol) value).name(), token.location());
    }
    put(value);
  }

  private void put(Attribute value) {
    Symbol name = requireNonNull(key);
    Attributes.Builder attributes =
        depth >= 0
            ? top().attributes
            : open.isEmpty() ? header : requireNonNull(open.peek()).attributes;
    if (attributes.has(name.text) || name.text.equals(BuiltinOps.SYM_NAME)) {
      throw error(
          "duplicate-attribute",
          "attribute '" + name.text + "' is given twice",
          new Location(source, keyBegin, keyEnd));
    }
    attributes.put(name.text, value);
  }

  private void checkComputation(String name, Location location) {
    if (names.intern(name).computation == null) {
      throw error(
          "unknown-computation",
          "no computation before this one is called '" + name + "'",
          location);
    }
  }

  void callee() {
    HloToken token = tokens.previous();
    checkComputation(token.name().text, token.location());
    callees.add(Attribute.Symbol.of(token.name().text));
  }

  void calleesEnd() {
    put(new Attribute.Array(ImmutableList.copyOf(callees)));
    callees.clear();
  }

  /** The body of a computation stands where its name could. */
  void inlineBody() {
    HloToken token = tokens.next();
    Symbol name = names.intern(freeComputationName("_"));
    ComputationFrame computation = new ComputationFrame(name, ++scopes, token.location());
    computation.key = key;
    open.push(computation);
  }

  private String freeComputationName(String base) {
    String name = base;
    for (int i = 1; names.intern(name).computation != null; i++) {
      name = base + "." + i;
    }
    return name;
  }

  void inlineBodyEnd() {
    ComputationFrame computation = open.pop();
    computation.end = tokens.previous().end;
    computation.restore();
    finish(computation);
    key = computation.key;
    put(Attribute.Symbol.of(computation.name.text));
  }

  private Type type(HloToken token) {
    Symbol symbol = token.name();
    Type type = symbol.type;
    if (type == null) {
      cursor.over(token.begin, token.end);
      type = types.read();
      cursor.expectEnd();
      symbol.type = type;
    }
    return type;
  }

  private static DiagnosticException error(String code, String message, Location location) {
    return DiagnosticException.error(code, message, location);
  }
}
