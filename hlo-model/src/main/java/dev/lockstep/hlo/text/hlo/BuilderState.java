package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is known of a text while it is being read, and what all constructs need of it. */
abstract class BuilderState {
  /** Operands in operands and bodies in attributes deeper than this are refused. */
  static final int MAX_NESTING = 100;

  final Source source;
  final SymbolTable names;
  final HloLexer lexer;
  final HloTokenStream tokens;
  final OpSet ops;
  final DiagnosticSink sink;
  final Cursor cursor;
  final TypeReader types;
  final LiteralReader literals;
  final AttributeReader attributeReader;

  @Nullable String moduleName;
  final Attributes.Builder header = Attributes.builder();
  final Attributes.Builder tables = Attributes.builder();
  final List<Operation> computations = new ArrayList<>();
  final Deque<ComputationFrame> open = new ArrayDeque<>();
  final List<InstructionFrame> frames = new ArrayList<>();
  int depth = -1;
  int scopes;
  boolean entryNext;
  @Nullable String entry;
  Location entryLocation = Location.UNKNOWN;

  @Nullable Symbol key;
  int keyBegin;
  int keyEnd;
  final List<Attribute> callees = new ArrayList<>();
  @Nullable Type operandType;

  /** For the names that computations without one are given: what is written of that kind. */
  private final Map<String, Set<String>> words = new HashMap<>();

  BuilderState(
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

  InstructionFrame push(int begin) {
    depth++;
    if (depth > MAX_NESTING) {
      throw error(
          "nesting-too-deep",
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

  InstructionFrame top() {
    return frames.get(depth);
  }

  void finish(ComputationFrame frame) {
    Operation computation = frame.build(source);
    computations.add(computation);
    frame.name.computation = computation;
  }

  void checkComputation(String name, Location location) {
    if (names.intern(name).computation == null) {
      throw error(
          "unknown-computation",
          "no computation before this one is called '" + name + "'",
          location);
    }
  }

  String freeComputationName(String base) {
    Set<String> written = words.computeIfAbsent(base, this::wordsFrom);
    String name = base;
    for (int i = 1; written.contains(name) || isTaken(names.intern(name)); i++) {
      name = base + "." + i;
    }
    return name;
  }

  private boolean isTaken(Symbol name) {
    return name.computation != null || open.stream().anyMatch(frame -> frame.name == name);
  }

  /** Returns the words of the text that begin with {@code base}: some computation may follow. */
  private Set<String> wordsFrom(String base) {
    Set<String> out = new HashSet<>();
    Matcher matcher =
        Pattern.compile("(?<![\\w.\\-])" + Pattern.quote(base) + "[\\w.\\-]*+")
            .matcher(source.text(0, source.length()));
    while (matcher.find()) {
      out.add(matcher.group());
    }
    return out;
  }

  Type type(HloToken token) {
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

  static DiagnosticException error(String code, String message, Location location) {
    return DiagnosticException.error(code, message, location);
  }
}
