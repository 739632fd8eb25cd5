package dev.lockstep.pass;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.stream.Collectors;

/**
 * Passes in the order in which they run. Its text form round-trips:
 *
 * <pre>
 * pipeline := step (',' step)*
 * step     := NAME options? | 'fixpoint' options? '(' pipeline ')'
 * options  := '{' NAME '=' VALUE (',' NAME '=' VALUE)* '}'
 * </pre>
 *
 * <p>{@code fixpoint} repeats until a round changes nothing, at most {@code max} times (default
 * {@link #DEFAULT_ROUNDS}); not settling by then is our bug.
 *
 * @param steps what runs, in order
 */
public record Pipeline(ImmutableList<Step> steps) {
  /** How often a fixpoint runs when it does not say. */
  public static final int DEFAULT_ROUNDS = 10;

  /** Diagnostic code: a text is no pipeline. */
  public static final String CODE = "pipeline";

  /** One part of a pipeline. */
  public sealed interface Step permits Single, Fixpoint {}

  /**
   * One pass.
   *
   * @param pass the pass
   * @param options what was given to it
   */
  public record Single(Pass pass, PassOptions options) implements Step {
    @Override
    public String toString() {
      return pass.info().name() + options;
    }
  }

  /**
   * Passes that repeat until nothing changes.
   *
   * @param body what repeats
   * @param rounds the bound, at least 1
   */
  public record Fixpoint(Pipeline body, int rounds) implements Step {
    /** Checks the bound. */
    public Fixpoint {
      checkArgument(rounds >= 1, "a fixpoint runs at least once");
    }

    @Override
    public String toString() {
      return "fixpoint"
          + (rounds == DEFAULT_ROUNDS ? "" : "{max=" + rounds + "}")
          + "("
          + body
          + ")";
    }
  }

  /** Returns a pipeline of one pass without options. */
  public static Pipeline of(Pass... passes) {
    ImmutableList.Builder<Step> steps = ImmutableList.builder();
    for (Pass pass : passes) {
      steps.add(new Single(pass, PassOptions.NONE));
    }
    return new Pipeline(steps.build());
  }

  /**
   * Returns the pipeline that {@code text} names.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException pointing into the text, if it is none
   */
  public static Pipeline parse(String text, PassRegistry registry) {
    return new PipelineReader(text, registry).read();
  }

  /** Returns the names of the passes that run, those in fixpoints too. */
  public ImmutableSet<String> names() {
    ImmutableSet.Builder<String> out = ImmutableSet.builder();
    for (Step step : steps) {
      if (step instanceof Single single) {
        out.add(single.pass().info().name());
      } else if (step instanceof Fixpoint fixpoint) {
        out.addAll(fixpoint.body().names());
      }
    }
    return out.build();
  }

  /** Returns the text form. */
  @Override
  public String toString() {
    return steps.stream().map(Object::toString).collect(Collectors.joining(","));
  }
}
