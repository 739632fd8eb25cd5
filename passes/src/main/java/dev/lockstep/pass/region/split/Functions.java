package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.pass.analysis.Mentions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Keeps of a module what its entry function needs. */
final class Functions {
  private Functions() {}

  /**
   * Returns {@code module} with {@code entry} for its entry function, and without the functions
   * that nothing kept mentions. What is no function, such as a mesh, stays.
   */
  static Module reachable(Module module, Operation entry) {
    String name = new Function(entry).name();
    Map<String, Operation> byName = new HashMap<>();
    Deque<String> work = new ArrayDeque<>(Mentions.of(entry));
    for (Operation top : module.operations()) {
      if (top.is(BuiltinOps.FUNC)) {
        byName.putIfAbsent(new Function(top).name(), top);
      } else {
        work.addAll(Mentions.of(top));
      }
    }
    Set<String> live = new HashSet<>();
    while (!work.isEmpty()) {
      String mentioned = work.remove();
      Operation function = byName.get(mentioned);
      if (function != null && !mentioned.equals(name) && live.add(mentioned)) {
        work.addAll(Mentions.of(function));
      }
    }
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    for (Operation top : module.operations()) {
      if (!top.is(BuiltinOps.FUNC)) {
        out.add(top);
        continue;
      }
      String function = new Function(top).name();
      if (function.equals(name)) {
        out.add(entry);
      } else if (live.contains(function)) {
        out.add(top);
      }
    }
    return module.withOperations(out.build());
  }
}
