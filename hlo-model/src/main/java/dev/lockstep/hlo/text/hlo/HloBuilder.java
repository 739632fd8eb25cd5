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
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpSet;

/**
 * Receives the constructs of a text in order and makes the module of them. Each method is called
 * right after the last token of its construct was matched.
 */
final class HloBuilder extends InstructionReader {
  HloBuilder(
      Source source,
      SymbolTable names,
      HloLexer lexer,
      HloTokenStream tokens,
      OpSet ops,
      DiagnosticSink sink) {
    super(source, names, lexer, tokens, ops, sink);
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

  void inlineBodyEnd() {
    ComputationFrame computation = open.pop();
    computation.end = tokens.previous().end;
    computation.restore();
    finish(computation);
    key = computation.key;
    put(Attribute.Symbol.of(computation.name.text));
  }
}
