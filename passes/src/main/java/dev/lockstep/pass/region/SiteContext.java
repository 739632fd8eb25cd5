package dev.lockstep.pass.region;

import dev.lockstep.hlo.ir.Operation;
import java.util.OptionalLong;

/**
 * One operation around a place where ranks meet.
 *
 * @param kind how the operation runs its body
 * @param operation the call, loop or branch
 * @param body which of its bodies the place is in
 * @param rounds how often a loop runs its body, where the text says; empty elsewhere
 */
public record SiteContext(Kind kind, Operation operation, int body, OptionalLong rounds) {
  /** How bodies are run. */
  public enum Kind {
    /** Once: call, fusion, composite, an asynchronous computation. */
    CALL,
    /** As often as the condition, body 0, says. */
    LOOP,
    /** If a value chooses it. */
    BRANCH
  }

  /** Returns words for messages: {@code the loop at line 12}. */
  public String describe() {
    String word =
        switch (kind) {
          case CALL -> "the call";
          case LOOP -> body == 0 ? "the condition of the loop" : "the loop";
          case BRANCH -> "branch " + body + " of the condition";
        };
    return operation.location().isKnown() ? word + " at line " + operation.location().line() : word;
  }
}
