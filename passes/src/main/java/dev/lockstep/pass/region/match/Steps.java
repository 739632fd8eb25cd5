package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.pass.region.CollectiveSite;
import dev.lockstep.pass.region.Communicators;
import dev.lockstep.pass.region.fingerprint.OperationFingerprints;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps of one module's blocks that matter to other ranks. Worked out once a block. */
final class Steps {
  /** Something that a strand does or waits for. */
  sealed interface Step {
    /** Returns the operation. */
    Operation operation();
  }

  /**
   * Comes to a site; goes on at once when {@code starts}, and waits at the done operation.
   *
   * @param starts whether a later operation waits
   */
  record Come(Operation operation, CollectiveSite site, boolean starts) implements Step {}

  /**
   * Waits for what {@code start} started.
   *
   * @param start the operation of a {@link Come}
   */
  record Await(Operation operation, Operation start) implements Step {}

  /**
   * Runs bodies of which at least one holds steps.
   *
   * @param kind how
   * @param bodies the bodies
   */
  record Enter(Operation operation, Kind kind, ImmutableList<Block> bodies) implements Step {
    /** How bodies are run. */
    enum Kind {
      /** Once: call, fusion, composite, an asynchronous computation. */
      CALL,
      /** As often as the condition, body 0, says. */
      LOOP,
      /** If a value chooses it. */
      BRANCH
    }

    private static Kind kind(Operation operation) {
      Semantics semantics = operation.def().semantics();
      if (semantics == Semantics.Control.WHILE) {
        return Kind.LOOP;
      }
      return semantics == Semantics.Control.CALL || semantics == Semantics.Control.ASYNC_START
          ? Kind.CALL
          : Kind.BRANCH;
    }
  }

  /** The values of a block by who makes them. */
  static final class Definitions {
    private final Map<Value, Operation> makers = new IdentityHashMap<>();
    private final Map<Value, Integer> parameters = new IdentityHashMap<>();

    private Definitions(Block block) {
      ImmutableList<Value> arguments = Function.parametersOf(block);
      for (int i = 0; i < arguments.size(); i++) {
        parameters.put(arguments.get(i), i);
      }
      for (Operation operation : block.operations()) {
        for (Value result : operation.results()) {
          makers.put(result, operation);
        }
      }
    }

    /** Returns which parameter {@code value} is, or -1. */
    int parameter(Value value) {
      return parameters.getOrDefault(value, -1);
    }

    /** Returns who makes {@code value}, or null when nobody in the block does. */
    @Nullable Operation maker(Value value) {
      return makers.get(value);
    }
  }

  private final Module module;
  private final int number;
  private final Communicators communicators;
  private final OperationFingerprints fingerprints;
  private final Map<Block, ImmutableList<Step>> steps = new IdentityHashMap<>();
  private final Map<Block, Definitions> definitions = new IdentityHashMap<>();
  private final Map<Operation, CollectiveSite> sites = new IdentityHashMap<>();

  /**
   * Creates the steps of {@code module}.
   *
   * @param number which of the modules of the job it is
   */
  Steps(Module module, int number) {
    this.module = module;
    this.number = number;
    this.communicators = new Communicators(module);
    this.fingerprints = new OperationFingerprints(module, null);
  }

  Module module() {
    return module;
  }

  /** Returns whether there is a function to start at. */
  boolean hasEntry() {
    return module.entryFunction().isPresent();
  }

  /** Returns the block to start at. */
  Block entry() {
    return module.entryFunction().orElseThrow().body();
  }

  int number() {
    return number;
  }

  Communicators communicators() {
    return communicators;
  }

  OperationFingerprints fingerprints() {
    return fingerprints;
  }

  /** Returns the steps of {@code block} in program order. */
  ImmutableList<Step> of(Block block) {
    ImmutableList<Step> known = steps.get(block);
    if (known == null) {
      known = compute(block);
      steps.put(block, known);
    }
    return known;
  }

  /** Returns who makes the values of {@code block}. */
  Definitions definitions(Block block) {
    return definitions.computeIfAbsent(block, Definitions::new);
  }

  private ImmutableList<Step> compute(Block block) {
    ImmutableList.Builder<Step> out = ImmutableList.builder();
    Map<Operation, Operation> dones = null;
    Map<Operation, Operation> starts = new IdentityHashMap<>();
    for (Operation operation : block.operations()) {
      Operation start = starts.get(operation);
      if (start != null) {
        out.add(new Await(operation, start));
        continue;
      }
      Communicators.Role role = communicators.role(operation);
      if (role == Communicators.Role.SITE) {
        dones = dones == null ? Communicators.dones(block) : dones;
        Operation done = dones.get(operation);
        if (done != null) {
          starts.put(done, operation);
        }
        CollectiveSite site = sites.computeIfAbsent(operation, op -> communicators.site(op, done));
        out.add(new Come(operation, site, done != null));
      } else if (role == Communicators.Role.AROUND) {
        out.add(new Enter(operation, Enter.kind(operation), Bodies.of(operation, module)));
      }
    }
    return out.build();
  }
}
