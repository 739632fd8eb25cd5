package dev.lockstep.pass.instrument;

import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassInstrument;
import dev.lockstep.pass.Pipeline;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Collects time and counters of each pass, for {@code --timing} and {@code --stats}. */
public final class PassReport implements PassInstrument {
  private static final class Entry {
    private int runs;
    private int changes;
    private long nanos;
    private final Map<String, Long> statistics = new TreeMap<>();
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** Creates an empty report. */
  public PassReport() {}

  @Override
  public void after(
      int index,
      Pipeline.Single step,
      Module input,
      Module output,
      long nanos,
      Map<String, Long> statistics) {
    Entry entry = entries.computeIfAbsent(step.pass().info().name(), name -> new Entry());
    entry.runs++;
    entry.changes += input == output ? 0 : 1;
    entry.nanos += nanos;
    statistics.forEach((name, amount) -> entry.statistics.merge(name, amount, Long::sum));
  }

  /** Returns a table of milliseconds, runs and changes, passes in the order they first ran. */
  public String timing() {
    StringBuilder out = new StringBuilder("        ms  runs  changed  pass\n");
    long total = 0;
    for (Map.Entry<String, Entry> named : entries.entrySet()) {
      Entry entry = named.getValue();
      total += entry.nanos;
      out.append(
          String.format(
              Locale.ROOT,
              "%10.3f  %4d  %7d  %s\n",
              entry.nanos / 1e6,
              entry.runs,
              entry.changes,
              named.getKey()));
    }
    return out.append(String.format(Locale.ROOT, "%10.3f  total\n", total / 1e6)).toString();
  }

  /** Returns a table of what passes counted; the same text for the same program. */
  public String statistics() {
    StringBuilder out = new StringBuilder();
    for (Map.Entry<String, Entry> named : entries.entrySet()) {
      for (Map.Entry<String, Long> counter : named.getValue().statistics.entrySet()) {
        out.append(
            String.format(
                Locale.ROOT,
                "%8d  %s: %s\n",
                counter.getValue(),
                named.getKey(),
                counter.getKey()));
      }
    }
    return out.toString();
  }
}
