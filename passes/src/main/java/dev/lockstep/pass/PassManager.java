package dev.lockstep.pass;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs pipelines. Owns what every run needs: checks between passes, instruments, bounds, and a
 * reproducer when a pass breaks. Immutable; build one with {@link #builder}.
 *
 * <p>The input is taken as verified by the caller. With {@code verifyEach}, a module that does not
 * verify after a pass is a {@link CompilerBug} of that pass, never an error of the user.
 */
public final class PassManager {
  private final OptionalInt replicas;
  private final OptionalInt partitions;
  private final @Nullable BiConsumer<Module, DiagnosticSink> verifier;
  private final ImmutableList<PassInstrument> instruments;
  private final @Nullable Reproducer reproducer;
  private final @Nullable BiConsumer<String, Literal> values;

  private PassManager(Builder builder) {
    this.replicas = builder.replicas;
    this.partitions = builder.partitions;
    this.verifier = builder.verifier;
    this.instruments = builder.instruments.build();
    this.reproducer = builder.reproducer;
    this.values = builder.values;
  }

  /** Returns a builder of a manager that knows no counts, verifies nothing and prints nothing. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns what {@code pipeline} makes of {@code module}; the same object when nothing changed.
   *
   * @param sink receives warnings and errors; the run ends after the first pass that reports an
   *     error
   * @throws DiagnosticException if the program is wrong; it carries the errors
   * @throws CompilerBug if a pass broke; its message names pass and reproducer
   */
  public Module run(Pipeline pipeline, Module module, DiagnosticSink sink) {
    ImmutableList<ImmutableList<Module>> alone = ImmutableList.of(ImmutableList.of(module));
    return new Run(pipeline, alone, false, sink).steps(pipeline, alone).get(0).get(0);
  }

  /**
   * Returns what {@code pipeline} makes of the programs of all ranks of a job, in the same
   * arrangement. A {@link SetPass} runs where it stands in the pipeline, on all programs together;
   * every other pass runs once on each different program.
   *
   * @param ranks for each rank its programs in the order it runs them
   * @param sink as for {@link #run}
   * @throws DiagnosticException if a program is wrong, or the ranks do not meet
   * @throws CompilerBug if a pass broke
   */
  public ImmutableList<ImmutableList<Module>> runSet(
      Pipeline pipeline, ImmutableList<ImmutableList<Module>> ranks, DiagnosticSink sink) {
    return new Run(pipeline, ranks, true, sink).steps(pipeline, ranks);
  }

  /** One run, with the number of the pass that is running. */
  private final class Run {
    private final Pipeline whole;
    private final ImmutableList<ImmutableList<Module>> input;
    private final boolean isSet;
    private final DiagnosticSink sink;
    private int index;

    Run(
        Pipeline whole,
        ImmutableList<ImmutableList<Module>> input,
        boolean isSet,
        DiagnosticSink sink) {
      this.whole = whole;
      this.input = input;
      this.isSet = isSet;
      this.sink = sink;
    }

    ImmutableList<ImmutableList<Module>> steps(
        Pipeline pipeline, ImmutableList<ImmutableList<Module>> ranks) {
      ImmutableList<ImmutableList<Module>> current = ranks;
      for (Pipeline.Step step : pipeline.steps()) {
        if (step instanceof Pipeline.Fixpoint) {
          current = fixpoint((Pipeline.Fixpoint) step, current);
        } else {
          index++;
          Pipeline.Single single = (Pipeline.Single) step;
          current =
              isSet && single.pass() instanceof SetPass
                  ? together(single, (SetPass) single.pass(), current)
                  : each(single, current);
        }
      }
      return current;
    }

    private ImmutableList<ImmutableList<Module>> fixpoint(
        Pipeline.Fixpoint step, ImmutableList<ImmutableList<Module>> ranks) {
      ImmutableList<ImmutableList<Module>> current = ranks;
      // The bound may be reached by the very round that settles, hence one more.
      for (int round = 0; round <= step.rounds(); round++) {
        ImmutableList<ImmutableList<Module>> next = steps(step.body(), current);
        // Modules have no equality of their own, so lists are equal when nothing changed.
        if (next.equals(current)) {
          return current;
        }
        current = next;
      }
      throw bug(step + " did not settle in " + step.rounds() + " rounds", null);
    }

    /** Runs a pass on each different program. */
    private ImmutableList<ImmutableList<Module>> each(
        Pipeline.Single step, ImmutableList<ImmutableList<Module>> ranks) {
      Map<Module, Module> done = new IdentityHashMap<>();
      Map<Module, String> labels = ProgramLabels.of(ranks);
      ImmutableList.Builder<ImmutableList<Module>> out = ImmutableList.builder();
      for (ImmutableList<Module> programs : ranks) {
        ImmutableList.Builder<Module> after = ImmutableList.builder();
        for (Module before : programs) {
          Module now = done.get(before);
          if (now == null) {
            announce(labels, before);
            now = single(step, before);
            done.put(before, now);
          }
          after.add(now);
        }
        out.add(after.build());
      }
      return out.build();
    }

    private Module single(Pipeline.Single step, Module before) {
      tellBefore(step, before);
      PassContext context = new PassContext(replicas, partitions, sink, step.options(), values);
      long start = System.nanoTime();
      Module after = call(step, () -> step.pass().run(before, context));
      long nanos = System.nanoTime() - start;
      sink.throwIfErrors();
      tellAfter(step, before, after, nanos, context.statistics());
      return after;
    }

    /** Runs a pass on the set. Its time and counts are told with the first program. */
    private ImmutableList<ImmutableList<Module>> together(
        Pipeline.Single step, SetPass pass, ImmutableList<ImmutableList<Module>> ranks) {
      Map<Module, String> labels = ProgramLabels.of(ranks);
      Set<Module> shown = Collections.newSetFromMap(new IdentityHashMap<>());
      for (ImmutableList<Module> programs : ranks) {
        for (Module before : programs) {
          if (shown.add(before)) {
            announce(labels, before);
            tellBefore(step, before);
          }
        }
      }
      PassContext context = new PassContext(replicas, partitions, sink, step.options(), values);
      long start = System.nanoTime();
      ImmutableList<ImmutableList<Module>> after = call(step, () -> pass.runSet(ranks, context));
      long nanos = System.nanoTime() - start;
      sink.throwIfErrors();
      Map<Module, String> newLabels = ProgramLabels.of(after);
      Map<String, Long> statistics = context.statistics();
      Set<Module> told = Collections.newSetFromMap(new IdentityHashMap<>());
      for (int rank = 0; rank < after.size(); rank++) {
        for (int i = 0; i < after.get(rank).size(); i++) {
          Module now = after.get(rank).get(i);
          if (told.add(now)) {
            announce(newLabels, now);
            tellAfter(step, ranks.get(rank).get(i), now, nanos, statistics);
            nanos = 0;
            statistics = Map.of();
          }
        }
      }
      return after;
    }

    private void announce(Map<Module, String> labels, Module module) {
      if (isSet) {
        String label = requireNonNull(labels.get(module));
        instruments.forEach(instrument -> instrument.program(label));
      }
    }

    private void tellBefore(Pipeline.Single step, Module before) {
      for (PassInstrument instrument : instruments) {
        instrument.before(index, step, before);
      }
    }

    private void tellAfter(
        Pipeline.Single step,
        Module before,
        Module after,
        long nanos,
        Map<String, Long> statistics) {
      for (PassInstrument instrument : instruments) {
        instrument.after(index, step, before, after, nanos, statistics);
      }
      if (after != before) {
        verify(step, after);
      }
    }

    private <T> T call(Pipeline.Single step, Supplier<T> pass) {
      try {
        return pass.get();
      } catch (DiagnosticException e) {
        throw e;
      } catch (RuntimeException | StackOverflowError e) {
        throw bug("pass " + step + " failed: " + e, e);
      }
    }

    private void verify(Pipeline.Single step, Module after) {
      if (verifier == null) {
        return;
      }
      DiagnosticSink found = new DiagnosticSink();
      verifier.accept(after, found);
      if (found.hasErrors()) {
        StringBuilder message =
            new StringBuilder("pass ").append(step).append(" made a module that does not verify:");
        for (Diagnostic diagnostic : found.diagnostics()) {
          message.append('\n').append(diagnostic);
        }
        throw bug(message.toString(), null);
      }
    }

    private CompilerBug bug(String message, @Nullable Throwable cause) {
      String full =
          reproducer == null ? message : message + "\n" + reproducer.write(input, whole, message);
      return cause == null ? new CompilerBug(full) : new CompilerBug(full, cause);
    }
  }

  /** Collects what a manager does besides running passes. */
  public static final class Builder {
    private OptionalInt replicas = OptionalInt.empty();
    private OptionalInt partitions = OptionalInt.empty();
    private @Nullable BiConsumer<Module, DiagnosticSink> verifier;
    private final ImmutableList.Builder<PassInstrument> instruments = ImmutableList.builder();
    private @Nullable Reproducer reproducer;
    private @Nullable BiConsumer<String, Literal> values;

    private Builder() {}

    /** Sets counts for modules that do not state them. */
    public Builder counts(OptionalInt replicaCount, OptionalInt partitionCount) {
      this.replicas = requireNonNull(replicaCount);
      this.partitions = requireNonNull(partitionCount);
      return this;
    }

    /** Runs {@code check} after every pass that changed something. */
    public Builder verifyEach(BiConsumer<Module, DiagnosticSink> check) {
      this.verifier = requireNonNull(check);
      return this;
    }

    /** Adds an instrument. */
    public Builder instrument(PassInstrument instrument) {
      instruments.add(instrument);
      return this;
    }

    /** Writes a reproducer when a pass breaks. */
    public Builder reproducer(Reproducer writer) {
      this.reproducer = requireNonNull(writer);
      return this;
    }

    /** Keeps values that rewritten programs need besides their texts, by key. */
    public Builder values(BiConsumer<String, Literal> keeper) {
      this.values = requireNonNull(keeper);
      return this;
    }

    /** Returns the manager. */
    public PassManager build() {
      return new PassManager(this);
    }
  }
}
