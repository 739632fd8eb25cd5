package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.analysis.Effects;
import dev.lockstep.pass.region.split.Piece.Member;
import dev.lockstep.pass.region.split.Piece.Spot;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Gives the results of collectives out of a segment in which nothing else keeps them alive: a
 * compiler that drops one on a rank where it is unused would leave the others waiting.
 */
final class LiveCollectives {
  private final Piece piece;
  private final Member model;
  private final Set<Spot> outputs;
  private final Set<Leaf> liveLeaves = new HashSet<>();

  private LiveCollectives(Piece piece, Member model, Set<Spot> outputs) {
    this.piece = piece;
    this.model = model;
    this.outputs = outputs;
  }

  /** Adds to {@code outputs} what keeps the collectives of {@code piece} alive. */
  static void keep(Piece piece, Member model, Set<Spot> outputs) {
    new LiveCollectives(piece, model, outputs).keep();
  }

  private void keep() {
    if (piece.onlyCommunicates()) {
      // Whoever else has this segment gives the same, whatever each rank uses.
      for (int o = 0; o < model.operations().size(); o++) {
        if (!isFinishedLater(o)) {
          giveResults(o);
        }
      }
      return;
    }
    Effects effects = new Effects(model.flow().module());
    for (Spot spot : outputs) {
      liveLeaves.add(Leaf.of(model.flow(), model.leaf(spot).base()));
    }
    for (int o = model.operations().size() - 1; o >= 0; o--) {
      Operation operation = model.operations().get(o);
      boolean communicates =
          model.flow().communication().in(operation) || piece.sites().contains(operation);
      boolean isLive =
          operation.results().stream()
              .anyMatch(result -> liveLeaves.contains(Leaf.of(model.flow(), result)));
      if (communicates && !isLive) {
        giveResults(o);
        isLive = true;
      }
      if (isLive || !communicates && effects.mustStay(operation)) {
        for (Leaf leaf : model.flow().uses(operation)) {
          liveLeaves.add(Leaf.of(leaf.flow(), leaf.base()));
        }
      }
    }
  }

  /** Returns whether a later operation of the piece ends what operation {@code o} starts. */
  private boolean isFinishedLater(int o) {
    List<Operation> operations = model.operations();
    for (int later = o + 1; later < operations.size(); later++) {
      if (Communication.follows(operations.get(later))) {
        for (Leaf leaf : model.flow().uses(operations.get(later))) {
          if (operations.get(o).results().contains(leaf.base())) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private void giveResults(int o) {
    List<Value> results = model.operations().get(o).results();
    for (int r = 0; r < results.size(); r++) {
      for (Leaf leaf : Leaf.of(model.flow(), results.get(r)).leaves()) {
        if (leaf.isTensor()) {
          outputs.add(new Spot(o, r, ImmutableList.copyOf(leaf.path())));
        }
      }
    }
  }
}
