package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the places where a program's rank meets others, in program order from its entry function
 * on. Functions are followed at each call, loops and branches once.
 */
public final class CollectiveSites {
  private final Communicators communicators;
  private final Map<Operation, SiteMeaning> meanings = new IdentityHashMap<>();
  private final ImmutableList.Builder<CollectiveSite> out = ImmutableList.builder();
  private final Set<Operation> open = new HashSet<>();

  private CollectiveSites(Module module) {
    this.communicators = new Communicators(module);
  }

  /** Returns the sites of {@code module}; none when it has no entry function. */
  public static ImmutableList<CollectiveSite> of(Module module) {
    CollectiveSites sites = new CollectiveSites(module);
    module.entryFunction().ifPresent(function -> sites.walk(function.body()));
    return sites.out.build();
  }

  private void walk(Block block) {
    Map<Operation, Operation> dones = null;
    for (Operation operation : block.operations()) {
      Communicators.Role role = communicators.role(operation);
      if (role == Communicators.Role.SITE) {
        dones = dones == null ? Communicators.dones(block) : dones;
        add(operation, dones.get(operation));
      } else if (role == Communicators.Role.AROUND && open.add(operation)) {
        communicators.bodies(operation).forEach(this::walk);
        open.remove(operation);
      }
    }
  }

  private void add(Operation operation, @Nullable Operation done) {
    SiteMeaning meaning = meanings.get(operation);
    if (meaning == null) {
      meaning = communicators.meaning(operation, done);
      if (meaning == null) {
        return;
      }
      meanings.put(operation, meaning);
    }
    out.add(new CollectiveSite(operation, done, meaning));
  }
}
