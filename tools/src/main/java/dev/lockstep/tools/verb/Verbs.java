package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.tools.Verb;

/** All verbs, in the order in which help lists them. The one place a verb is registered. */
public final class Verbs {
  private Verbs() {}

  /** Returns new verbs by name; a verb serves one run. */
  public static ImmutableMap<String, Verb> all() {
    ImmutableMap.Builder<String, Verb> out = ImmutableMap.builder();
    out.put("opt", new OptVerb());
    out.put("verify", new VerifyVerb());
    out.put("run", new RunVerb());
    out.put("comm", new CommVerb());
    out.put("translate", new TranslateVerb());
    out.put("diff", new DiffVerb());
    out.put("split", new SplitVerb());
    out.put("fingerprint", new FingerprintVerb());
    out.put("handshake", new HandshakeVerb());
    later(out, "schedule", "communication schedules");
    later(out, "view", "the viewer");
    later(out, "reduce", "the reducer");
    out.put("pjrt", new PjrtVerb());
    out.put("docs", new DocsVerb());
    return out.buildOrThrow();
  }

  private static void later(ImmutableMap.Builder<String, Verb> out, String name, String part) {
    out.put(name, new LaterVerb(name, part));
  }
}
