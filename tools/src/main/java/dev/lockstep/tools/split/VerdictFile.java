package dev.lockstep.tools.split;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableSortedSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.plan.SplitVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Reads a verdict: {@code {"schema": "lockstep-verdict/1", "verdict": "partial", "regions": [0, 2],
 * "reason": "..."}}. See docs/plans.md.
 */
public final class VerdictFile {
  /** Diagnostic code. */
  public static final String CODE = "verdict-file";

  private static final String SCHEMA = "lockstep-verdict/1";

  private VerdictFile() {}

  /**
   * Returns the verdict in {@code bytes}, the contents of {@code file}.
   *
   * @throws DiagnosticException if that is no verdict
   */
  public static SplitVerdict read(Path file, byte[] bytes) {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(bytes);
    } catch (JsonProcessingException e) {
      throw damaged(file, "is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw damaged(file, "cannot be read: " + e.getMessage());
    }
    if (root == null || !root.isObject() || !root.path("schema").asText().equals(SCHEMA)) {
      throw damaged(file, "is no verdict: schema must be " + SCHEMA);
    }
    String word = root.path("verdict").asText();
    SplitVerdict.Kind kind =
        switch (word) {
          case "fat" -> SplitVerdict.Kind.FAT;
          case "skinny" -> SplitVerdict.Kind.SKINNY;
          case "partial" -> SplitVerdict.Kind.PARTIAL;
          case "repair" -> SplitVerdict.Kind.REPAIR;
          default ->
              throw damaged(
                  file, "verdict is " + root.path("verdict") + ", must be one of " + words());
        };
    ImmutableSortedSet.Builder<Integer> regions = ImmutableSortedSet.naturalOrder();
    JsonNode listed = root.path("regions");
    if (!listed.isMissingNode() && !listed.isArray()) {
      throw damaged(file, "regions must be a list of numbers");
    }
    for (JsonNode region : listed) {
      if (!region.isInt() || region.intValue() < 0) {
        throw damaged(file, "regions holds " + region + ", which is no number of a region");
      }
      regions.add(region.intValue());
    }
    try {
      return new SplitVerdict(kind, regions.build(), root.path("reason").asText());
    } catch (IllegalArgumentException e) {
      throw damaged(file, String.valueOf(e.getMessage()));
    }
  }

  private static String words() {
    StringBuilder out = new StringBuilder();
    for (SplitVerdict.Kind kind : SplitVerdict.Kind.values()) {
      out.append(out.length() == 0 ? "" : ", ").append(kind.name().toLowerCase(Locale.ROOT));
    }
    return out.toString();
  }

  private static DiagnosticException damaged(Path file, String message) {
    return DiagnosticException.error(CODE, file + ": " + message, Location.UNKNOWN);
  }
}
