package dev.lockstep.pass.region.align;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import org.jspecify.annotations.Nullable;

/**
 * The programs of all ranks side by side.
 *
 * @param classes the programs
 * @param entry where execution starts, or null when there are problems
 * @param functions all functions that are reached, callees before callers
 * @param problems where the programs part so that nothing corresponds
 * @param unused operations of the first rank's program that nobody needs and that are left out
 */
public record Alignment(
    ProgramClasses classes,
    @Nullable AlignedFunction entry,
    ImmutableList<AlignedFunction> functions,
    ImmutableList<Diagnostic> problems,
    int unused) {

  /** Returns the entry of programs without problems. */
  public AlignedFunction entryOrThrow() {
    AlignedFunction found = entry;
    checkState(problems.isEmpty() && found != null, "the programs do not align");
    return found;
  }

  /** Returns the programs of {@code classes} side by side. */
  public static Alignment of(ProgramClasses classes) {
    return new Aligner(classes).run();
  }
}
