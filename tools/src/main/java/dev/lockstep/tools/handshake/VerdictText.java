package dev.lockstep.tools.handshake;

import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.tools.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Verdicts in the output of verbs. */
public final class VerdictText {
  private VerdictText() {}

  /** Returns the kind in words. */
  public static String word(VerdictKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The exit code that a verdict asks for: 3 where a peer is at fault, 1 where the programs are.
   */
  public static int exitCode(VerdictKind kind) {
    return switch (kind) {
      case FAT, PARTIAL, REPAIR, SKINNY -> ExitCode.OK;
      case MISMATCH -> ExitCode.FAILED;
      case TIMED_OUT, PEER_LOST, REJECTED, EPOCH_OVER -> ExitCode.PEER;
      case NO_COORDINATOR -> ExitCode.UNAVAILABLE;
    };
  }

  /** Returns a verdict for JSON. */
  public static Map<String, Object> describe(Verdict verdict) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("verdict", word(verdict.kind()));
    out.put("reason", verdict.reason().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    out.put("round", verdict.round());
    out.put("cut", verdict.cut().asList());
    List<Map<String, Object>> classes = new ArrayList<>();
    for (Verdict.RankClass one : verdict.classes()) {
      Map<String, Object> part = new LinkedHashMap<>();
      part.put("program", one.program().toString());
      part.put("ranks", one.ranks().asList());
      classes.add(part);
    }
    out.put("classes", classes);
    out.put("text", verdict.text());
    return out;
  }
}
