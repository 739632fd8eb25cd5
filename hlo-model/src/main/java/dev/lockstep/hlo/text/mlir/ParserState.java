package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Operation;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/** What the actions of the generated parser share: where it stands, what is open, and errors. */
abstract class ParserState extends Parser {
  /** Deepest nesting of grammar rules; about a quarter of it is the nesting of regions. */
  private static final int MAX_RULES = 1000;

  final TextReader texts;
  final LocationReader locations;
  final Scopes scopes;
  final TokenRing ring;

  private final List<OpState> states = new ArrayList<>();
  private int depth = -1;

  /** The regions that are open, the outermost first. */
  final List<Blocks> regions = new ArrayList<>();

  private int rules;

  /** Whether names without a dialect are those of functions' bodies. */
  boolean inFunction;

  ParserState(TokenStream input) {
    super(input);
    ring = (TokenRing) input;
    Source source = ring.lexer().source();
    texts = new TextReader(source);
    locations = texts.locations();
    scopes = new Scopes(source);
    regions.add(new Blocks(0, 0, false));
  }

  final Tok current() {
    return ring.current();
  }

  final Tok previous() {
    return ring.previous();
  }

  /** Opens an operation that begins at the token ahead. */
  final void push() {
    if (++depth == states.size()) {
      states.add(new OpState());
    }
    state().reset(ring.current().begin);
  }

  /** Closes the operation that is open, and returns it. */
  final OpState pop() {
    return states.get(depth--);
  }

  final OpState state() {
    return states.get(depth);
  }

  static Sym sym(Tok token) {
    Sym sym = token.sym;
    if (sym == null) {
      throw new IllegalStateException("the token has no spelling");
    }
    return sym;
  }

  @Override
  public void enterRule(ParserRuleContext localctx, int state, int ruleIndex) {
    if (++rules > MAX_RULES) {
      throw error("nesting-too-deep", "the text is nested too deeply", current());
    }
    super.enterRule(localctx, state, ruleIndex);
  }

  @Override
  public void exitRule() {
    rules--;
    super.exitRule();
  }

  /** Returns the operations at the top level. */
  final List<Operation> topLevel() {
    return regions.get(0).operations();
  }

  final DiagnosticException error(String code, String message, Tok at) {
    return error(code, message, at.begin, at.end);
  }

  final DiagnosticException error(String code, String message, int begin, int end) {
    return new DiagnosticException(
        Diagnostic.error(code, message, new Location(texts.source(), begin, end)));
  }

  final Scopes scopes() {
    return scopes;
  }
}
