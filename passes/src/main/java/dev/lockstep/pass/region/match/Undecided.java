package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Note;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.CollectiveSite;
import org.jspecify.annotations.Nullable;

/** Says what decides where no rank's text does. */
final class Undecided {
  /** Diagnostic code: a condition decides. */
  private static final String CODE = "ranks-undecided";

  private Undecided() {}

  /**
   * Returns that nobody's text decides what {@code strand} stands before.
   *
   * @param sym what decides
   * @param inner what goes wrong if it goes one way, or null
   */
  static Failure of(Strand strand, Sym sym, @Nullable Failure inner) {
    Operation operation = Explanation.at(strand);
    boolean loop = strand.waiting instanceof Wait.ForLoop;
    Steps.Enter enter =
        loop
            ? ((Wait.ForLoop) requireNonNull(strand.waiting)).enter()
            : ((Wait.ForBranch) requireNonNull(strand.waiting)).enter();
    Origin origin = sym.origin();
    CollectiveSite site = firstSite(requireNonNull(strand.top).module, enter);
    Diagnostic diagnostic =
        Diagnostic.error(
            CODE,
            String.format(
                "cannot tell whether the ranks meet in this %s: %s depends on %s",
                operation.def().shortName(),
                loop ? "how often it goes round" : "which branch is run",
                origin == null
                    ? "a value that is not known to be equal on the ranks that meet"
                    : origin.words() + ", which every rank has for itself"),
            Explanation.place(strand, operation));
    if (origin != null && origin.location().isKnown()) {
      diagnostic = diagnostic.withNote(origin.words(), strand.program().in(origin.location()));
    }
    if (site != null) {
      diagnostic =
          diagnostic.withNote(
              "inside, ranks meet in this " + site.name(),
              Explanation.place(strand, site.operation()));
    }
    if (inner != null) {
      diagnostic =
          diagnostic.withNote(
              "if it is run, " + inner.diagnostic().message(), inner.diagnostic().location());
      for (Note note : inner.diagnostic().notes()) {
        diagnostic = diagnostic.withNote(note.message(), note.location());
      }
    }
    return new Failure(Failure.Kind.UNDECIDED, diagnostic, ImmutableList.of());
  }

  private static @Nullable CollectiveSite firstSite(Steps module, Steps.Enter enter) {
    for (Block body : enter.bodies()) {
      for (Steps.Step step : module.of(body)) {
        if (step instanceof Steps.Come) {
          return ((Steps.Come) step).site();
        }
        CollectiveSite inner =
            step instanceof Steps.Enter ? firstSite(module, (Steps.Enter) step) : null;
        if (inner != null) {
          return inner;
        }
      }
    }
    return null;
  }

  /** Returns that ranks do not come to a loop or branch at one point of their other meetings. */
  static Failure notTogether(Strand strand) {
    Frame frame = requireNonNull(strand.top == null ? strand.bottom : strand.top);
    Location location =
        frame.block.operations().isEmpty()
            ? Location.UNKNOWN
            : frame.block.operations().get(0).location();
    return new Failure(
        Failure.Kind.UNDECIDED,
        Diagnostic.error(
            CODE,
            "ranks do not come here at the same point of their other meetings",
            strand.program().in(location)),
        ImmutableList.of());
  }
}
