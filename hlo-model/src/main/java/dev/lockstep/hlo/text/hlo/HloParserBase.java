package dev.lockstep.hlo.text.hlo;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;

/** Gives the grammar's actions the builder they call. */
abstract class HloParserBase extends Parser {
  /** Receives every construct as soon as its last token has been matched. */
  HloBuilder build;

  @SuppressWarnings("NullAway.Init") // set by the reader before the first rule runs
  HloParserBase(TokenStream input) {
    super(input);
  }
}
