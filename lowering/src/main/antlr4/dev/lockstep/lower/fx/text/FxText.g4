// The part of Python in which torch.fx writes graphs: classes with one function each, whose body is
// assignments of one call, one operator or one attribute, and a return. It names no op.
//
// Line ends inside brackets are no tokens, as in Python, and indentation is not in the grammar: a
// class belongs to the one above it that stands further left (FxActions). Every decision is LL(1).
parser grammar FxText;

options { superClass = FxActions; }

tokens {
  CLASS, DEF, RETURN, NAME, NUMBER, STRING, NEWLINE,
  LPAREN, RPAREN, LBRACK, RBRACK, LBRACE, RBRACE,
  COMMA, COLON, SEMI, DOT, EQ, ARROW, MINUS, STAR, TILDE, OPERATOR, ELLIPSIS, OTHER
}

text : line* EOF ;

line
  : NEWLINE
  | CLASS {openClass();} NAME {className();} LPAREN expressions RPAREN COLON NEWLINE
  | DEF {openFunction();} NAME LPAREN ( parameter ( COMMA parameter? )* )? RPAREN
    ( ARROW expression )? COLON NEWLINE
  | RETURN {int at = mark();} {Expr value = null;} ( expressions {value = $expressions.value;} )?
    {giveBack(at, value);} ends
  | statement ends
  ;

ends : ( SEMI statement? )* NEWLINE ;

parameter
  : STAR? NAME {addParameter();} ( COLON expression {parameterType($expression.value);} )?
    ( EQ expression )?
  ;

statement
  : {int at = mark();} expressions {target($expressions.value);}
    ( COLON expression {annotation($expression.value);} )?
    ( EQ expressions {target($expressions.value);} )*
    {statement(at);}
  ;

expressions returns [Expr value]
  : {int at = mark();} expression {boolean several = false; openList(); element($expression.value);}
    ( COMMA {several = true;} ( expression {element($expression.value);} )? )*
    {$value = closeExpressions(at, several);}
  ;

expression returns [Expr value]
  : {int at = mark();} unary {$value = $unary.value;}
    ( {String operator;} ( OPERATOR {operator = word();} | MINUS {operator = "-";} | STAR {operator = "*";} )
      unary {$value = binary(at, operator, $value, $unary.value);}
    )*
  ;

// The arguments of a node in a list or a table: one expression, or a dictionary of keywords.
nodeArguments returns [Expr value] : expressions {$value = $expressions.value;} EOF ;

nodeKeywords returns [Expr value]
  : {int at = mark(); Expr callee = ellipsis();} LBRACE {openCall();} ( nodeKeyword ( COMMA nodeKeyword? )* )? RBRACE
    {$value = call(at, callee);} EOF
  ;

nodeKeyword
  : expression {Expr key = $expression.value;}
    COLON expression {nodeKeyword(key, $expression.value);} ( COLON NUMBER )?
  ;

unary returns [Expr value]
  : {int at = mark();} MINUS unary {$value = negative(at, $unary.value);}
  | {int at = mark();} TILDE unary {$value = inverted(at, $unary.value);}
  // Lists of nodes mark what refers to a node.
  | {int at = mark();} OPERATOR NAME {$value = reference(at);}
  | postfix {$value = $postfix.value;}
  ;

postfix returns [Expr value]
  : {int at = mark();} atom {$value = $atom.value;}
    ( DOT NAME {$value = member(at, $value);}
    | LPAREN {openCall();} ( argument ( COMMA argument? )* )? RPAREN {$value = call(at, $value);}
    | LBRACK {openList();} ( subscript ( COMMA {several();} subscript? )* )? RBRACK {$value = index(at, $value);}
    )*
  ;

argument
  : expression {Expr value = $expression.value;}
    ( EQ expression {keyword(value, $expression.value);} | {positional(value);} )
  ;

subscript
  : {int at = mark();} {Expr low = null; Expr high = null; Expr step = null; boolean slice = false;}
    ( expression {low = $expression.value;}
      ( COLON {slice = true;} ( expression {high = $expression.value;} )? step {step = $step.value;} )?
    | COLON {slice = true;} ( expression {high = $expression.value;} )? step {step = $step.value;}
    )
    {subscript(at, slice, low, high, step);}
  ;

step returns [Expr value]
  : ( COLON ( expression {$value = $expression.value;} )? )?
  ;

atom returns [Expr value]
  : NAME {$value = name();}
  | NUMBER {$value = number();}
  | STRING {$value = string();} ( STRING {$value = joined($value);} )*
  | ELLIPSIS {$value = ellipsis();}
  | {int at = mark();} LPAREN {openList(); boolean several = false;}
    ( expression {element($expression.value);} ( COMMA {several = true;} ( expression {element($expression.value);} )? )* )?
    RPAREN {$value = closeParentheses(at, several);}
  | {int at = mark();} LBRACK {openList();}
    ( expression {element($expression.value);} ( COMMA ( expression {element($expression.value);} )? )* )?
    RBRACK {$value = closeBrackets(at);}
  | {int at = mark();} LBRACE {openList();} ( entry ( COMMA entry? )* )? RBRACE {$value = closeBraces(at);}
  ;

entry : expression COLON expression {element($expression.value);} ;
