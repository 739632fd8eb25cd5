package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The ops that readers know, by name. Thread-safe. */
public final class OpSet {
  private static final OpSet STANDARD = new OpSet(StandardOps.ALL);

  private final ImmutableList<OpDef> all;
  private final ImmutableMap<String, OpDef> byName;
  private final ImmutableMap<String, OpDef> byHloName;
  private final ConcurrentMap<String, OpDef> unregistered = new ConcurrentHashMap<>();

  /** Creates a set; names in either syntax must be unique. */
  public OpSet(Iterable<OpDef> defs) {
    this.all = ImmutableList.copyOf(defs);
    ImmutableMap.Builder<String, OpDef> names = ImmutableMap.builder();
    ImmutableMap.Builder<String, OpDef> hloNames = ImmutableMap.builder();
    for (OpDef def : all) {
      names.put(def.name(), def);
      if (def.hloName() != null) {
        hloNames.put(def.hloName(), def);
      }
    }
    this.byName = names.buildOrThrow();
    this.byHloName = hloNames.buildOrThrow();
  }

  /** Returns the ops that Lockstep defines. */
  public static OpSet standard() {
    return STANDARD;
  }

  /** Returns all ops in documentation order. */
  public ImmutableList<OpDef> all() {
    return all;
  }

  /** Returns the op that MLIR calls {@code name}, or null. */
  public @Nullable OpDef byName(String name) {
    return byName.get(name);
  }

  /** Returns the op whose HLO opcode is {@code opcode}, or null. */
  public @Nullable OpDef byHloName(String opcode) {
    return byHloName.get(opcode);
  }

  /** Returns the op that MLIR calls {@code name}, or the one stand-in for it. */
  public OpDef byNameOrUnregistered(String name) {
    OpDef def = byName.get(name);
    return def != null ? def : unregistered.computeIfAbsent(name, OpDef::unregistered);
  }
}
