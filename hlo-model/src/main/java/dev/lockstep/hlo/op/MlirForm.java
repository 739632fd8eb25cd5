package dev.lockstep.hlo.op;

/**
 * Families of MLIR assembly. Each is read and printed by one piece of code that knows no op name;
 * what differs between the ops of a family stands on their {@link OpDef}.
 */
public enum MlirForm {
  /** {@code "d.op"(%a) <{...}> ({...}) : (T) -> R}. */
  GENERIC,
  /** {@code d.op %a, %b : T} when all types are equal, else a function type: elementwise ops. */
  SAME_TYPES,
  /** {@code d.op %a, %b, key = value : (T, T) -> R} with the keywords of the definition. */
  FUNCTION_TYPE,
  /** {@code d.op %a, %b : T, U -> R} without parentheses: CHLO's elementwise ops. */
  ARROW_TYPES,
  /** {@code d.op dense<...> : T}. */
  CONSTANT,
  /** {@code d.op EQ, %a, %b, FLOAT : ...}. */
  COMPARE,
  /** {@code d.select %p, %a, %b : T, U}. */
  SELECT,
  /** {@code d.convert %a : (T) -> R}. */
  UNARY_FUNCTION,
  /** {@code d.slice %a [0:1, 2:4:2] : (T) -> R}. */
  SLICE,
  /** {@code d.dot_general %a, %b, batching_dims = [0] x [0], ...}. */
  DOT_GENERAL,
  /** {@code d.convolution(%a, %b) dim_numbers = ..., window = {...}}. */
  CONVOLUTION,
  /** {@code d.reduce(%a init: %b) applies d.add across dimensions = [0]}. */
  REDUCE,
  /** {@code d.while(%i = %a) : T cond {...} do {...}}. */
  WHILE,
  /** {@code d.custom_call @f(%a) {...} : (T) -> R}. */
  CUSTOM_CALL,
  /** {@code d.composite "name" %a {...} : (T) -> R}. */
  COMPOSITE,
  /** {@code d.iota dim = 0 : R}: no operands, result type last. */
  RESULT_TYPE,
  /** {@code d.return %a, %b : T, U}. */
  RETURN,
  /** {@code d.tuple %a, %b : tuple<T, U>}, {@code d.get_tuple_element %t[0] : (T) -> R}. */
  TUPLE,
  /** {@code func.func}. */
  FUNC,
  /** {@code call @f(%a) : (T) -> R}. */
  CALL,
  /** {@code module}. */
  MODULE,
  /** {@code sdy.mesh @mesh = <[...]>}. */
  SDY_MESH,
  /** {@code sdy.manual_computation(...) in_shardings=...}. */
  SDY_MANUAL_COMPUTATION,
  /** Any other custom assembly; its own reader and printer are registered under the op's name. */
  SPECIAL
}
