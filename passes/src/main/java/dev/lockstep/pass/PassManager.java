package dev.lockstep.pass;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.CompilerBug;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Module;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
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

  private PassManager(Builder builder) {
    this.replicas = builder.replicas;
    this.partitions = builder.partitions;
    this.verifier = builder.verifier;
    this.instruments = builder.instruments.build();
    this.reproducer = builder.reproducer;
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
    return new Run(pipeline, module, sink).steps(pipeline, module);
  }

  /** One run, with the number of the pass that is running. */
  private final class Run {
    private final Pipeline whole;
    private final Module input;
    private final DiagnosticSink sink;
    private int index;

    Run(Pipeline whole, Module input, DiagnosticSink sink) {
      this.whole = whole;
      this.input = input;
      this.sink = sink;
    }

    Module steps(Pipeline pipeline, Module module) {
      Module current = module;
      for (Pipeline.Step step : pipeline.steps()) {
        current =
            step instanceof Pipeline.Fixpoint
                ? fixpoint((Pipeline.Fixpoint) step, current)
                : single((Pipeline.Single) step, current);
      }
      return current;
    }

    private Module fixpoint(Pipeline.Fixpoint step, Module module) {
      Module current = module;
      for (int round = 0; round < step.rounds(); round++) {
        Module next = steps(step.body(), current);
        if (next == current) {
          return current;
        }
        current = next;
      }
      // The bound may have been reached by the very round that settled.
      if (steps(step.body(), current) == current) {
        return current;
      }
      throw bug(step + " did not settle in " + step.rounds() + " rounds", null);
    }

    private Module single(Pipeline.Single step, Module before) {
      index++;
      for (PassInstrument instrument : instruments) {
        instrument.before(index, step, before);
      }
      PassContext context = new PassContext(replicas, partitions, sink, step.options());
      long start = System.nanoTime();
      Module after = call(step, before, context);
      long nanos = System.nanoTime() - start;
      sink.throwIfErrors();
      for (PassInstrument instrument : instruments) {
        instrument.after(index, step, before, after, nanos, context.statistics());
      }
      if (after != before) {
        verify(step, after);
      }
      return after;
    }

    private Module call(Pipeline.Single step, Module before, PassContext context) {
      try {
        return step.pass().run(before, context);
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

    /** Returns the manager. */
    public PassManager build() {
      return new PassManager(this);
    }
  }
}
