// HLO text. No op name stands here: what an opcode or an attribute means is looked up in tables.
//
// Every decision looks at one token, so the generated parser never predicts and a token stream of
// one token is enough. HloLexer sees to that: it joins `name =`, `name=` and `name:` with their
// mark, a shape with its layout, and what stands after `name=`, into one token each.
parser grammar HloParser;

options {
  superClass = HloParserBase;
}

tokens {
  MODULE, TABLE, ENTRY, ROOT, NAME, DEFINES, KEY, PARAMETER, SHAPE, VALUE, NUMBER, LITERAL,
  LPAREN, RPAREN, LBRACE, RBRACE, COMMA, ARROW
}

module
  : header? tables item* EOF
  ;

header
  : MODULE ( NAME | PARAMETER ) { build.moduleName(); } ( COMMA attribute )*
  ;

tables
  : ( TABLE { build.table(); } )*
  ;

item
  : computation
  | bare
  ;

// A text may be a single instruction; what its operands name becomes parameters.
bare
  : { build.bare(); } ( ROOT? DEFINES { build.defines(); } ( SHAPE { build.shape(); } )?
                      | SHAPE { build.shape(); } )
    NAME { build.opcode(); } LPAREN arguments RPAREN ( COMMA attribute )* { build.bareEnd(); }
  ;

computation
  : ( ENTRY { build.entry(); } )? NAME { build.computation(); } signature? LBRACE instruction+
    RBRACE { build.bodyEnd(); } ( COMMA attribute )* { build.computationEnd(); }
  ;

signature
  : LPAREN ( parameter ( COMMA parameter )* )? RPAREN ARROW SHAPE { build.signatureResult(); }
  ;

// Old texts have no colon between the name and the shape.
parameter
  : ( PARAMETER | NAME ) SHAPE { build.signatureParameter(); }
  ;

instruction
  : { build.instruction(); } ( ROOT { build.root(); } )? DEFINES { build.defines(); }
    ( SHAPE { build.shape(); } )? NAME { build.opcode(); } LPAREN arguments RPAREN
    ( COMMA attribute )* { build.instructionEnd(); }
  ;

arguments
  : NUMBER { build.number(); }
  | LITERAL { build.literal(); }
  | ( operand ( COMMA operand )* )?
  ;

operand
  : { build.operand(); } ( SHAPE { build.operandShape(); } )? NAME { build.operandName(); }
    ( { build.nested(); } LPAREN arguments RPAREN { build.nestedEnd(); } )?
    { build.operandEnd(); }
  ;

attribute
  : KEY { build.key(); }
    ( VALUE { build.value(); }
    | LBRACE ( callees | { build.inlineBody(); } instruction+ { build.inlineBodyEnd(); } ) RBRACE
    )
  ;

callees
  : ( NAME { build.callee(); } ( COMMA NAME { build.callee(); } )* )? { build.calleesEnd(); }
  ;
