package dev.lockstep.pass.region;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.pass.analysis.DistributedCall;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which operations of a module reach other ranks, by themselves or through what they run. */
public final class Communicators {
  /** What one operation does. */
  public enum Role {
    /** Computes on its own rank. */
    LOCAL,
    /** Is a place where ranks meet or exchange messages, or starts one. */
    SITE,
    /** Runs code that holds such places. */
    AROUND,
    /** Hands on what a site gives: done operations and torch's wait. */
    WAIT
  }

  private final Module module;
  private final Map<Operation, Role> roles = new IdentityHashMap<>();
  private final Map<String, Boolean> functions = new HashMap<>();

  /** Creates the analysis of {@code module}. */
  public Communicators(Module module) {
    this.module = module;
  }

  /** Returns what {@code operation}, which stands in the module, does. */
  public Role role(Operation operation) {
    if (operation.regions().isEmpty() && operation.attributes().isEmpty()) {
      return ofControl(operation);
    }
    Role known = roles.get(operation);
    if (known == null) {
      known = compute(operation);
      roles.put(operation, known);
    }
    return known;
  }

  /** Returns whether {@code block} holds a site, or something around one. */
  public boolean communicates(Block block) {
    for (Operation operation : block.operations()) {
      Role role = role(operation);
      if (role == Role.SITE || role == Role.AROUND) {
        return true;
      }
    }
    return false;
  }

  private static Role ofControl(Operation operation) {
    Semantics semantics = operation.def().semantics();
    if (semantics instanceof Semantics.Collective
        || semantics == Semantics.Control.SEND
        || semantics == Semantics.Control.RECV) {
      return Role.SITE;
    }
    boolean waits =
        semantics == Semantics.Control.SEND_DONE
            || semantics == Semantics.Control.RECV_DONE
            || semantics == Semantics.Control.ASYNC_DONE
            || semantics == Semantics.Control.ASYNC_UPDATE;
    return waits ? Role.WAIT : Role.LOCAL;
  }

  private Role compute(Operation operation) {
    Role plain = ofControl(operation);
    if (plain != Role.LOCAL) {
      return plain;
    }
    String target = DistributedCall.target(operation);
    if (target != null) {
      return target.equals(DistributedCall.WAIT) ? Role.WAIT : Role.SITE;
    }
    if (operation.is(dev.lockstep.hlo.op.collective.AsyncStart.DEF)
        && Collectives.collective(operation, module) != null) {
      return Role.SITE;
    }
    if (!runsBodies(operation)) {
      return Role.LOCAL;
    }
    if (!operation.regions().isEmpty()) {
      for (Region region : operation.regions()) {
        if (!region.isEmpty() && communicates(region.entry())) {
          return Role.AROUND;
        }
      }
      return Role.LOCAL;
    }
    for (String callee : Bodies.callees(operation)) {
      if (functionCommunicates(callee)) {
        return Role.AROUND;
      }
    }
    return Role.LOCAL;
  }

  /** Returns whether bodies of the operation may communicate; a reducer's may not. */
  private static boolean runsBodies(Operation operation) {
    Semantics semantics = operation.def().semantics();
    return semantics == Semantics.Control.CALL
        || semantics == Semantics.Control.WHILE
        || semantics == Semantics.Control.IF
        || semantics == Semantics.Control.CASE
        || semantics == Semantics.Control.CONDITIONAL
        || semantics == Semantics.Control.ASYNC_START
        || operation.def().has(Trait.UNREGISTERED);
  }

  private boolean functionCommunicates(String name) {
    Boolean known = functions.get(name);
    if (known != null) {
      return known;
    }
    functions.put(name, false);
    Function function = module.function(name).orElse(null);
    boolean found = function != null && !function.isDeclaration() && communicates(function.body());
    functions.put(name, found);
    return found;
  }

  /**
   * Returns for each operation of {@code block} that starts something the operation that waits for
   * it; synchronous operations and starts that nobody waits for are left out.
   */
  public static Map<Operation, Operation> dones(Block block) {
    Map<Object, Operation> started = new IdentityHashMap<>();
    Map<Operation, Operation> out = new IdentityHashMap<>();
    for (Operation operation : block.operations()) {
      Operation origin = operation.operands().isEmpty() ? null : started.get(operation.operand(0));
      if (origin != null) {
        boolean passes =
            operation.def().semantics() == Semantics.Control.ASYNC_UPDATE
                || operation.def().semantics() == Semantics.Control.GET_TUPLE_ELEMENT;
        if (!passes) {
          if (operation.def().has(Trait.ASYNC)) {
            out.putIfAbsent(origin, operation);
          }
          continue;
        }
      } else if (starts(operation)) {
        origin = operation;
      }
      if (origin != null) {
        for (Object result : operation.results()) {
          started.put(result, origin);
        }
      }
    }
    return out;
  }

  /** Returns whether a later operation gives the results; HLO's sends and receives make a tuple. */
  private static boolean starts(Operation operation) {
    Semantics semantics = operation.def().semantics();
    boolean moves = semantics == Semantics.Control.SEND || semantics == Semantics.Control.RECV;
    return operation.def().has(Trait.ASYNC)
        && !operation.results().isEmpty()
        && (!moves || XlaTransfers.isStart(operation));
  }

  /**
   * Returns what the site {@code operation} means; null for operations that are no site.
   *
   * @param done the operation that waits for it, or null
   */
  @Nullable SiteMeaning meaning(Operation operation, @Nullable Operation done) {
    if (role(operation) != Role.SITE) {
      return null;
    }
    String target = DistributedCall.target(operation);
    if (target != null) {
      return CallTransfers.TARGETS.contains(target)
          ? new CallTransfers(operation)
          : new CallMeaning(operation);
    }
    if (operation.def().semantics() instanceof Semantics.Control
        && operation.def().semantics() != Semantics.Control.ASYNC_START) {
      return new XlaTransfers(module, operation);
    }
    Operation collective = Collectives.collective(operation, module);
    return collective == null ? null : new XlaMeaning(module, collective, done);
  }

  /**
   * Returns the site {@code operation} without regard to what is around it.
   *
   * @param done the operation that waits for it, or null
   * @throws IllegalArgumentException if it is no site
   */
  public CollectiveSite site(Operation operation, @Nullable Operation done) {
    SiteMeaning meaning = meaning(operation, done);
    checkArgument(meaning != null, "%s is no site", operation);
    return new CollectiveSite(operation, done, requireNonNull(meaning));
  }

  /** Returns the bodies of {@code operation}; none for ops whose callees are not there. */
  ImmutableList<Block> bodies(Operation operation) {
    return Bodies.of(operation, module);
  }
}
