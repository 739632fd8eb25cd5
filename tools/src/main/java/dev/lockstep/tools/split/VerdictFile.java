package dev.lockstep.tools.split;

import com.google.common.collect.ImmutableSortedSet;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.plan.SplitVerdict;
import dev.lockstep.runtime.json.JsonTree;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Reads a verdict: {@code {"schema": "lockstep-verdict/1", "verdict": "partial", "regions": [0, 2],
 * "reason": "..."}}, or what {@code handshake join --json} prints of one program. See
 * docs/plans.md.
 */
public final class VerdictFile {
  /** Diagnostic code. */
  public static final String CODE = "verdict-file";

  /** What a verdict says that it is. */
  public static final String SCHEMA = "lockstep-verdict/1";

  private VerdictFile() {}

  /**
   * Returns the verdict in {@code bytes}, the contents of {@code file}.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if that is no verdict
   */
  public static SplitVerdict read(Path file, byte[] bytes) {
    JsonTree root = JsonTree.read(Source.of(file.toString(), bytes), CODE);
    JsonTree all = root.get("verdicts");
    if (all != null && all.is(JsonTree.Kind.LIST)) {
      // What handshake join --json has printed.
      if (all.elements().size() != 1) {
        throw all.error("there are " + all.elements().size() + " verdicts, must be one");
      }
      root = all.elements().get(0);
    }
    JsonTree schema = root.get("schema");
    if (schema == null || !schema.text().equals(SCHEMA)) {
      throw (schema == null ? root : schema).error("this is no verdict: schema must be " + SCHEMA);
    }
    JsonTree word = root.get("verdict");
    SplitVerdict.Kind kind =
        switch (word == null ? "" : word.text()) {
          case "fat" -> SplitVerdict.Kind.FAT;
          case "skinny" -> SplitVerdict.Kind.SKINNY;
          case "partial" -> SplitVerdict.Kind.PARTIAL;
          case "repair" -> SplitVerdict.Kind.REPAIR;
          case "mismatch", "timed-out", "peer-lost", "rejected", "epoch-over", "no-coordinator" ->
              throw root.error(
                  "the verdict is that the program must not be run, however it is cut: "
                      + (word == null ? "" : word.text()));
          default ->
              throw (word == null ? root : word)
                  .error(
                      (word == null ? "there is no verdict" : "verdict is " + word)
                          + ", must be one of "
                          + words());
        };
    ImmutableSortedSet.Builder<Integer> regions = ImmutableSortedSet.naturalOrder();
    JsonTree listed = root.get("regions");
    if (listed != null) {
      if (!listed.is(JsonTree.Kind.LIST)) {
        throw listed.error("regions must be a list of numbers");
      }
      for (JsonTree region : listed.elements()) {
        Integer number = region.integer();
        if (number == null || number < 0) {
          throw region.error("regions holds " + region + ", which is no number of a region");
        }
        regions.add(number);
      }
    }
    JsonTree text = root.get("text");
    JsonTree reason = text == null ? root.get("reason") : text;
    try {
      return new SplitVerdict(kind, regions.build(), reason == null ? "" : reason.text());
    } catch (IllegalArgumentException e) {
      throw root.error(String.valueOf(e.getMessage()));
    }
  }

  private static String words() {
    StringBuilder out = new StringBuilder();
    for (SplitVerdict.Kind kind : SplitVerdict.Kind.values()) {
      out.append(out.length() == 0 ? "" : ", ").append(kind.name().toLowerCase(Locale.ROOT));
    }
    return out.toString();
  }
}
