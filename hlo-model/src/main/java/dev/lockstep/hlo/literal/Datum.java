package dev.lockstep.hlo.literal;

import com.google.common.collect.ImmutableList;

/** What flows along a value when a program runs. */
public sealed interface Datum permits Literal, Datum.Tuple, Datum.Token, Datum.Future, Datum.Split {

  /**
   * A tuple.
   *
   * @param elements its elements
   */
  record Tuple(ImmutableList<Datum> elements) implements Datum {}

  /** A token: it has been reached. */
  record Token() implements Datum {
    /** The one token. */
    public static final Token TOKEN = new Token();
  }

  /**
   * What an operation that was started will give back. The interpreter runs it at once or when its
   * group has met; either way the results are there when the done operation asks.
   *
   * @param results the results of the done operation
   */
  record Future(ImmutableList<Datum> results) implements Datum {}

  /**
   * A value that differs between devices for which one strand of a program over global arrays
   * stands. Operations never see one: the interpreter gives them each device's own.
   *
   * @param parts the value of each device, in the strand's order
   */
  record Split(ImmutableList<Datum> parts) implements Datum {}
}
