package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.pass.analysis.TripCount;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the places where a program's rank meets others, in program order from its entry function
 * on. Functions are followed at each call, loops and branches once, with what is around a place
 * kept as its context.
 */
public final class CollectiveSites {
  private final Communicators communicators;
  private final Module module;
  private final Map<Operation, SiteMeaning> meanings = new IdentityHashMap<>();
  private final ImmutableList.Builder<CollectiveSite> out = ImmutableList.builder();
  private final Set<Operation> open = new HashSet<>();
  private int count;

  private CollectiveSites(Module module) {
    this.module = module;
    this.communicators = new Communicators(module);
  }

  /** Returns the sites of {@code module}; none when it has no entry function. */
  public static ImmutableList<CollectiveSite> of(Module module) {
    CollectiveSites sites = new CollectiveSites(module);
    module
        .entryFunction()
        .filter(function -> !function.isDeclaration())
        .ifPresent(function -> sites.walk(function.body(), ImmutableList.of()));
    return sites.out.build();
  }

  private void walk(Block block, ImmutableList<SiteContext> context) {
    Map<Operation, Operation> dones = null;
    for (Operation operation : block.operations()) {
      Communicators.Role role = communicators.role(operation);
      if (role == Communicators.Role.SITE) {
        dones = dones == null ? Communicators.dones(block) : dones;
        add(operation, dones.get(operation), context);
      } else if (role == Communicators.Role.AROUND && open.add(operation)) {
        enter(operation, block, context);
        open.remove(operation);
      }
    }
  }

  private void add(
      Operation operation, @Nullable Operation done, ImmutableList<SiteContext> context) {
    SiteMeaning meaning = meanings.get(operation);
    if (meaning == null) {
      meaning = communicators.meaning(operation, done);
      if (meaning == null) {
        return;
      }
      meanings.put(operation, meaning);
    }
    Operation inner = Collectives.collective(operation, module);
    out.add(
        new CollectiveSite(
            count++, operation, inner == null ? operation : inner, done, context, meaning));
  }

  private void enter(Operation operation, Block block, ImmutableList<SiteContext> context) {
    SiteContext.Kind kind = kind(operation);
    OptionalLong rounds =
        kind == SiteContext.Kind.LOOP
            ? TripCount.of(operation, block, module)
            : OptionalLong.empty();
    ImmutableList<Block> bodies = communicators.bodies(operation);
    for (int body = 0; body < bodies.size(); body++) {
      walk(
          bodies.get(body),
          ImmutableList.<SiteContext>builder()
              .addAll(context)
              .add(new SiteContext(kind, operation, body, rounds))
              .build());
    }
  }

  /** Returns how {@code operation} runs its bodies. */
  public static SiteContext.Kind kind(Operation operation) {
    Semantics semantics = operation.def().semantics();
    if (semantics == Semantics.Control.WHILE) {
      return SiteContext.Kind.LOOP;
    }
    return semantics == Semantics.Control.CALL || semantics == Semantics.Control.ASYNC_START
        ? SiteContext.Kind.CALL
        : SiteContext.Kind.BRANCH;
  }
}
