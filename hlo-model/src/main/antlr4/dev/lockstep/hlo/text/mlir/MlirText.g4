// The structure of MLIR text. It names no op: begin() turns the word in front of an op into one of
// the tokens FORM, FUNCTION or MODULE by looking the op's definition up, and what follows a FORM is
// read by the assembly format of that definition (FormatReader), which calls the rules below.
//
// Every decision is LL(1), so the generated parser never predicts adaptively. Where MLIR needs more,
// an action retypes the next token before the decision: begin() and keyword().
parser grammar MlirText;

options { superClass = MlirActions; }

@header {
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.type.Type;
}

tokens {
  WORD, FORM, FUNCTION, MODULE, ATTRIBUTES, VISIBILITY,
  VALUE, SYMBOL, LABEL, NUMBER, FLOAT, STRING, TYPE, ATTR, DENSE, ARRAY, RAW, LOC,
  LPAREN, RPAREN, LBRACE, RBRACE, LBRACK, RBRACK, LESS, GREATER, LPROPS, RPROPS,
  COMMA, COLON, COLONS, EQ, ARROW, PLUS, MINUS, STAR, QUESTION, ELLIPSIS, OTHER
}

file : operations EOF ;

operations : {begin();} ( ( operation | alias ) {begin();} )* ;

alias
  : ATTR {String name = aliasName();} EQ attribute {defineAttributeAlias(name, $attribute.value);}
  | TYPE {String name = aliasName();} EQ type {defineTypeAlias(name, $type.value);}
  ;

operation
  : {open();}
    ( binding ( COMMA binding )* EQ {begin();} )?
    ( STRING {genericName();} generic
    | FORM {format();}
    | FUNCTION function
    | MODULE module
    )
    ( LOC {trailingLocation();} )?
    {close();}
  ;

binding : VALUE {result();} ( COLON NUMBER {resultCount();} )? ;

generic
  : LPAREN ( VALUE {operand();} ( COMMA VALUE {operand();} )* )? RPAREN
    ( LBRACK {noSuccessors();} RBRACK )?
    ( LPROPS {openProperties();} ( entry ( COMMA entry )* )? RPROPS {closeProperties();} )?
    ( LPAREN region ( COMMA region )* RPAREN )?
    attributes?
    COLON signature {closeGeneric();}
  ;

// The types of operands and results go to the operation that is open.
signature
  : LPAREN ( type {operandType($type.value);} ( COMMA type {operandType($type.value);} )* )? RPAREN
    ARROW resultTypes
  ;

resultTypes
  : simpleType {resultType($simpleType.value);}
  | LPAREN ( type {resultType($type.value);} ( COMMA type {resultType($type.value);} )* )? RPAREN
  ;

region
  : LBRACE {openRegion();} operations
    ( LABEL {openBlock();} ( LPAREN ( blockArgument ( COMMA blockArgument )* )? RPAREN )? COLON operations )*
    RBRACE {closeRegion();}
  ;

blockArgument
  : VALUE {int name = valueToken();} COLON type {argument(name, $type.value);}
    ( LOC {argumentLocation();} )?
  ;

function
  : {keyword();} ( VISIBILITY {visibility();} )?
    SYMBOL {symbolName();}
    LPAREN {openFunction();} ( parameter ( COMMA parameter )* )? RPAREN
    ( ARROW functionResults )?
    {keyword();} ( ATTRIBUTES attributes )?
    {functionHead();}
    ( region )?
    {closeFunction();}
  ;

parameter
  : ( VALUE {int name = valueToken();} COLON type {parameter(name, $type.value);}
    | type {parameter(-1, $type.value);}
    )
    ( LBRACE {openDictionary();} ( entry ( COMMA entry )* )? RBRACE {parameterAttributes();} )?
    ( LOC {argumentLocation();} )?
  ;

functionResults
  : simpleType {functionResult($simpleType.value);}
  | LPAREN ( functionResult ( COMMA functionResult )* )? RPAREN
  ;

functionResult
  : type {functionResult($type.value);}
    ( LBRACE {openDictionary();} ( entry ( COMMA entry )* )? RBRACE {resultAttributes();} )?
  ;

module
  : {keyword();} ( VISIBILITY {visibility();} )?
    ( SYMBOL {symbolName();} )?
    {keyword();} ( ATTRIBUTES attributes )?
    {isolate();} region
  ;

// Attributes of the operation that is open.
attributes : LBRACE {openDictionary();} ( entry ( COMMA entry )* )? RBRACE {operationAttributes();} ;

entry
  : {String name;} ( WORD {name = word();} | STRING {name = stringName();} )
    {Attribute value = null;} ( EQ attribute {value = $attribute.value;} )? {entry(name, value);}
  ;

dictionary returns [Attribute value]
  : LBRACE {openDictionary();} ( entry ( COMMA entry )* )? RBRACE {$value = closeDictionary();}
  ;

attribute returns [Attribute value]
  : NUMBER {int at = mark();} {Type as = null;} ( COLON type {as = $type.value;} )? {$value = number(at, as);}
  | FLOAT {int at = mark();} {Type as = null;} ( COLON type {as = $type.value;} )? {$value = number(at, as);}
  | STRING {int at = mark();} {Type as = null;} ( COLON type {as = $type.value;} )? {$value = string(at, as);}
  | SYMBOL {openPath();} ( COLONS SYMBOL {pathElement();} )* {$value = symbol();}
  | DENSE {int at = mark();} COLON type {$value = dense(at, $type.value);}
  | ARRAY {$value = array();}
  | ATTR {int at = mark();} {Type as = null;} ( COLON type {as = $type.value;} )? {$value = dialect(at, as);}
  | RAW {$value = raw();}
  | LOC {$value = location();}
  | LBRACK {openList();} ( attribute {element($attribute.value);} ( COMMA attribute {element($attribute.value);} )* )? RBRACK {$value = list();}
  | dictionary {$value = $dictionary.value;}
  | TYPE {$value = typeAttribute();}
  | WORD {$value = wordAttribute();}
  | functionType {$value = typeAttribute($functionType.value);}
  ;

type returns [Type value]
  : simpleType {$value = $simpleType.value;}
  | functionType {$value = $functionType.value;}
  ;

simpleType returns [Type value]
  : TYPE {$value = typeToken();}
  | WORD {$value = wordType();}
  ;

functionType returns [Type value]
  : LPAREN {openTypes();} ( type {typeElement($type.value);} ( COMMA type {typeElement($type.value);} )* )? RPAREN
    ARROW {openTypes();}
    ( simpleType {typeElement($simpleType.value);}
    | LPAREN ( type {typeElement($type.value);} ( COMMA type {typeElement($type.value);} )* )? RPAREN
    )
    {$value = closeFunctionType();}
  ;
