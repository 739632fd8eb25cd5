package dev.lockstep.pass;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What a pass may ask for while it runs, and where it reports. One object a pass and run. */
public final class PassContext {
  private final OptionalInt replicas;
  private final OptionalInt partitions;
  private final DiagnosticSink diagnostics;
  private final PassOptions options;
  private final Map<String, Long> statistics = new TreeMap<>();
  private final @Nullable BiConsumer<String, Literal> values;

  /**
   * Creates a context.
   *
   * @param replicas the number of replicas that the user gave, for modules that do not say
   * @param partitions the number of partitions that the user gave, for modules that do not say
   * @param diagnostics where to report
   * @param options options of the pass
   */
  public PassContext(
      OptionalInt replicas,
      OptionalInt partitions,
      DiagnosticSink diagnostics,
      PassOptions options) {
    this(replicas, partitions, diagnostics, options, null);
  }

  /**
   * Creates a context.
   *
   * @param values keeps values that a rewritten program needs besides its text, by their keys in
   *     value files; null when nobody does
   */
  PassContext(
      OptionalInt replicas,
      OptionalInt partitions,
      DiagnosticSink diagnostics,
      PassOptions options,
      @Nullable BiConsumer<String, Literal> values) {
    this.replicas = requireNonNull(replicas);
    this.partitions = requireNonNull(partitions);
    this.diagnostics = requireNonNull(diagnostics);
    this.options = requireNonNull(options);
    this.values = values;
  }

  /** Returns a context without counts and options, for tests and library users. */
  public static PassContext plain() {
    return new PassContext(
        OptionalInt.empty(), OptionalInt.empty(), new DiagnosticSink(), PassOptions.NONE);
  }

  /** Returns the number of replicas: what the module states, else what the user gave. */
  public OptionalInt replicas(Module module) {
    return module.replicas().isPresent() ? module.replicas() : replicas;
  }

  /** Returns the number of partitions: what the module states, else what the user gave. */
  public OptionalInt partitions(Module module) {
    return module.partitions().isPresent() ? module.partitions() : partitions;
  }

  /** Returns where to report. */
  public DiagnosticSink diagnostics() {
    return diagnostics;
  }

  /** Returns the value of an option of the pass. */
  public <T> T option(PassOption<T> option) {
    return options.get(option);
  }

  /** Returns whether values that programs need besides their texts are kept. */
  public boolean keepsValues() {
    return values != null;
  }

  /**
   * Hands over a value that the rewritten program needs besides its text.
   *
   * @param key its key in value files, {@code in2.dev0}
   * @throws IllegalStateException unless {@link #keepsValues}
   */
  public void keepValue(String key, Literal value) {
    BiConsumer<String, Literal> keeper = values;
    if (keeper == null) {
      throw new IllegalStateException("nobody keeps " + key);
    }
    keeper.accept(key, value);
  }

  /** Adds {@code amount} to a counter that {@code --stats} shows. */
  public void count(String statistic, long amount) {
    statistics.merge(statistic, amount, Long::sum);
  }

  /** Returns the counters, sorted by name. */
  public Map<String, Long> statistics() {
    return statistics;
  }
}
