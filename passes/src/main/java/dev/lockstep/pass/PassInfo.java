package dev.lockstep.pass;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * What documentation, command line and tests say about a pass.
 *
 * @param name kebab-case, also the flag and the name of the golden file
 * @param summary one line: capital letter, no full stop
 * @param description Markdown: what it does, what it leaves alone, and why that is right
 * @param options what can be set
 * @param idempotent whether a second run right after the first changes nothing; tests hold the pass
 *     to it
 */
public record PassInfo(
    String name,
    String summary,
    String description,
    ImmutableList<PassOption<?>> options,
    boolean idempotent) {

  /** Checks the form of the name. */
  public PassInfo {
    checkArgument(
        name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"), "a pass is named in kebab-case: %s", name);
  }

  /** Returns the information on an idempotent pass. */
  public static PassInfo of(
      String name, String summary, String description, PassOption<?>... options) {
    return new PassInfo(name, summary, description, ImmutableList.copyOf(options), true);
  }
}
