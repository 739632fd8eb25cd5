package dev.lockstep.pass.region;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Semantics;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * A block cut at the operations that reach other ranks: pieces in program order. A piece that
 * communicates holds one site, or one loop, branch or call around sites, together with the waits
 * and tuple elements that only hand on its results, wherever these stand; a piece that computes
 * holds a maximal run of other operations. Parameters and the terminator belong to no piece.
 */
public final class Regions {
  /**
   * A piece of a block.
   *
   * @param communicates whether it holds a site, which is its first operation
   * @param operations its operations in program order
   */
  public record Piece(boolean communicates, ImmutableList<Operation> operations) {}

  private Regions() {}

  /** Returns the pieces of the entry function of {@code module}; none when there is none. */
  public static ImmutableList<Piece> of(Module module) {
    return module
        .entryFunction()
        .map(function -> of(function.body(), new Communicators(module)))
        .orElse(ImmutableList.of());
  }

  /** Returns the pieces of {@code block}, which stands in the module of {@code communicators}. */
  public static ImmutableList<Piece> of(Block block, Communicators communicators) {
    IdentityHashMap<Operation, ImmutableList.Builder<Operation>> sites = new IdentityHashMap<>();
    IdentityHashMap<Value, Operation> givenBy = new IdentityHashMap<>();
    Set<Operation> followers = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Operation operation : block.operations()) {
      Communicators.Role role = communicators.role(operation);
      Operation site = null;
      if (role == Communicators.Role.SITE || role == Communicators.Role.AROUND) {
        site = operation;
        sites.put(site, ImmutableList.builder());
      } else if (handsOn(operation, role)) {
        site = givenBy.get(operation.operand(0));
        if (site != null) {
          followers.add(operation);
        }
      }
      if (site != null) {
        requireNonNull(sites.get(site)).add(operation);
        for (Value result : operation.results()) {
          givenBy.put(result, site);
        }
      }
    }
    ImmutableList.Builder<Piece> out = ImmutableList.builder();
    ImmutableList.Builder<Operation> run = ImmutableList.builder();
    for (Operation operation : block.operations()) {
      ImmutableList.Builder<Operation> site = sites.get(operation);
      if (site != null) {
        addRun(run, out);
        run = ImmutableList.builder();
        out.add(new Piece(true, site.build()));
      } else if (!followers.contains(operation)
          && !operation.is(BuiltinOps.PARAMETER)
          && !operation.def().isTerminator()) {
        run.add(operation);
      }
    }
    addRun(run, out);
    return out.build();
  }

  private static boolean handsOn(Operation operation, Communicators.Role role) {
    return !operation.operands().isEmpty()
        && (role == Communicators.Role.WAIT
            || operation.def().semantics() == Semantics.Control.GET_TUPLE_ELEMENT);
  }

  private static void addRun(
      ImmutableList.Builder<Operation> run, ImmutableList.Builder<Piece> out) {
    ImmutableList<Operation> operations = run.build();
    if (!operations.isEmpty()) {
      out.add(new Piece(false, operations));
    }
  }
}
