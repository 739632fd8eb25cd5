package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.TokenStream;
import org.jspecify.annotations.Nullable;

/**
 * The actions of the generated parser on values: attributes and types. Those on operations are in
 * {@link OperationActions}, its superclass.
 */
abstract class MlirActions extends BodyActions {
  private final List<Attribute> elements = new ArrayList<>();
  private final List<Integer> elementMarks = new ArrayList<>();
  private final List<Attributes.Builder> dictionaries = new ArrayList<>();
  private final List<Type> types = new ArrayList<>();
  private final List<Integer> typeMarks = new ArrayList<>();
  private final List<String> path = new ArrayList<>();

  /** The token that {@link #mark} saw; overwritten by the next. */
  private int markEnd;

  private @Nullable Sym markSym;

  MlirActions(TokenStream input) {
    super(input);
  }

  // Dictionaries.

  final void openDictionary() {
    dictionaries.add(Attributes.builder());
  }

  final void entry(String name, @Nullable Attribute value) {
    Attributes.Builder builder = dictionaries.get(dictionaries.size() - 1);
    if (builder.has(name)) {
      throw error(
          "duplicate-attribute",
          "duplicate key '" + name + "' in dictionary attribute",
          previous());
    }
    builder.put(name, value == null ? Attribute.Unit.UNIT : value);
  }

  final Attributes popDictionary() {
    return dictionaries.remove(dictionaries.size() - 1).build();
  }

  final Attribute closeDictionary() {
    return new Attribute.Dict(popDictionary());
  }

  final void operationAttributes() {
    addAttributes(popDictionary());
  }

  final void openProperties() {
    openDictionary();
  }

  final void closeProperties() {
    addProperties(popDictionary());
  }

  final void parameterAttributes() {
    setLast(state().parameterAttributes, closeDictionary());
  }

  final void resultAttributes() {
    setLast(state().functionResultAttributes, closeDictionary());
  }

  private static void setLast(List<@Nullable Attribute> list, Attribute value) {
    list.set(list.size() - 1, value);
  }

  final String word() {
    return sym(previous()).text;
  }

  final String stringName() {
    return texts.unquote(sym(previous()).text).value();
  }

  // Attribute values.

  final int mark() {
    Tok token = previous();
    markEnd = token.end;
    markSym = token.sym;
    return token.begin;
  }

  final Attribute number(int at, @Nullable Type type) {
    try {
      return texts.number(markedSym().text, type);
    } catch (IllegalArgumentException e) {
      throw error("number", messageOf(e), at, markEnd);
    }
  }

  final Attribute string(int at, @Nullable Type type) {
    Attribute.Str text = texts.unquote(markedSym().text);
    return type == null ? text : new Attribute.Raw(texts.source().text(at, markEnd) + " : " + type);
  }

  final void openPath() {
    path.clear();
    pathElement();
  }

  final void pathElement() {
    path.add(symbolText(previous()));
  }

  final Attribute symbol() {
    return new Attribute.Symbol(ImmutableList.copyOf(path));
  }

  final Attribute dense(int at, Type type) {
    return texts.dense(at, markEnd, type);
  }

  final Attribute array() {
    Tok token = previous();
    Sym sym = sym(token);
    Attribute found = sym.attribute;
    if (found == null) {
      found = texts.array(token.begin, token.end);
      sym.attribute = found;
    }
    return found;
  }

  final Attribute dialect(int at, @Nullable Type type) {
    Sym sym = markedSym();
    Attribute found = sym.attribute;
    if (found == null) {
      found = texts.dialect(at, markEnd);
      sym.attribute = found;
    }
    return type == null ? found : new Attribute.Raw(sym.text + " : " + type);
  }

  private Sym markedSym() {
    Sym sym = markSym;
    if (sym == null) {
      throw new IllegalStateException("the token has no spelling");
    }
    return sym;
  }

  final Attribute raw() {
    return new Attribute.Raw(Spacing.normalise(sym(previous()).text));
  }

  final Attribute location() {
    return locations.of(previous());
  }

  final void openList() {
    elementMarks.add(elements.size());
  }

  final void element(Attribute value) {
    elements.add(value);
  }

  final Attribute list() {
    int mark = elementMarks.remove(elementMarks.size() - 1);
    List<Attribute> part = elements.subList(mark, elements.size());
    Attribute out = new Attribute.Array(ImmutableList.copyOf(part));
    part.clear();
    return out;
  }

  final Attribute typeAttribute() {
    return new Attribute.TypeOf(typeToken());
  }

  final Attribute typeAttribute(Type type) {
    return new Attribute.TypeOf(type);
  }

  final Attribute wordAttribute() {
    Tok token = previous();
    Attribute found = texts.word(sym(token).text);
    if (found == null) {
      throw error("syntax", "expected attribute value", token);
    }
    return found;
  }

  // Types.

  final Type typeToken() {
    Tok token = previous();
    Sym sym = sym(token);
    Type found = sym.type;
    if (found == null) {
      found = texts.type(token.begin, token.end);
      sym.type = found;
    }
    return found;
  }

  final Type wordType() {
    Tok token = previous();
    Sym sym = sym(token);
    Type found = sym.type;
    if (found == null) {
      if (!TypeReader.isScalar(sym.text)) {
        throw error("syntax", "expected type, got '" + sym.text + "'", token);
      }
      found = new OpaqueType(sym.text);
      sym.type = found;
    }
    return found;
  }

  final void openTypes() {
    typeMarks.add(types.size());
  }

  final void typeElement(Type type) {
    types.add(type);
  }

  final Type closeFunctionType() {
    int results = typeMarks.remove(typeMarks.size() - 1);
    int inputs = typeMarks.remove(typeMarks.size() - 1);
    FunctionType out =
        new FunctionType(
            ImmutableList.copyOf(types.subList(inputs, results)),
            ImmutableList.copyOf(types.subList(results, types.size())));
    types.subList(inputs, types.size()).clear();
    return out;
  }

  // Aliases.

  final String aliasName() {
    Tok token = previous();
    String text = sym(token).text;
    if (text.indexOf('<') >= 0 || text.indexOf('.') >= 0) {
      throw error("syntax", "expected an alias name without '.' or '<'", token);
    }
    return text;
  }

  final void defineAttributeAlias(String name, Attribute value) {
    texts.defineAttribute(name, value);
  }

  final void defineTypeAlias(String name, Type type) {
    texts.defineType(name, type);
  }

  private static String messageOf(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  final DiagnosticException unexpected(String expected) {
    return PointingErrors.unexpected(texts.source(), current(), expected);
  }
}
