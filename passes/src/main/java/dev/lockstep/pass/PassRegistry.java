package dev.lockstep.pass;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.Nearest;
import java.util.Optional;

/** The passes that pipelines may name. A value: tools puts it together from the rooms' lists. */
public final class PassRegistry {
  private final ImmutableMap<String, Pass> byName;

  private PassRegistry(ImmutableMap<String, Pass> byName) {
    this.byName = byName;
  }

  /** Returns a registry of {@code passes}, in documentation order; names must be unique. */
  public static PassRegistry of(Iterable<? extends Pass> passes) {
    ImmutableMap.Builder<String, Pass> names = ImmutableMap.builder();
    for (Pass pass : passes) {
      names.put(pass.info().name(), pass);
    }
    return new PassRegistry(names.buildOrThrow());
  }

  /** Returns a registry that also holds {@code passes}, after these. */
  public PassRegistry with(Iterable<? extends Pass> passes) {
    return of(ImmutableList.<Pass>builder().addAll(all()).addAll(passes).build());
  }

  /** Returns all passes in documentation order. */
  public ImmutableList<Pass> all() {
    return byName.values().asList();
  }

  /** Returns the pass called {@code name}. */
  public Optional<Pass> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Returns the words for a name that no pass has, with the nearest that one has. */
  public String unknown(String name) {
    return "no pass is called '"
        + name
        + "'"
        + Nearest.hint(name, byName.keySet(), "; --list-passes shows all");
  }
}
