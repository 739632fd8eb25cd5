package dev.lockstep.pass.region.split;

import dev.lockstep.pass.region.split.Piece.Member;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.List;
import java.util.Objects;

/** Whether programs that do the same also take and give the same. */
final class WholePrograms {
  private WholePrograms() {}

  /** Returns whether the entry functions of both can stand for each other. */
  static boolean takeAndGiveAlike(Member a, Member b) {
    if (a == b) {
      return true;
    }
    List<Leaf> arguments = a.flow().arguments();
    List<Leaf> others = b.flow().arguments();
    if (!types(arguments).equals(types(others))
        || a.flow().results().size() != b.flow().results().size()
        || !a.flow().module().attributes().equals(b.flow().module().attributes())) {
      return false;
    }
    for (int o = 0; o < a.operations().size(); o++) {
      List<Leaf> ours = a.flow().uses(a.operations().get(o));
      List<Leaf> theirs = b.flow().uses(b.operations().get(o));
      for (int u = 0; u < ours.size(); u++) {
        if (!isLike(a, ours.get(u), b, theirs.get(u))) {
          return false;
        }
      }
    }
    for (int r = 0; r < a.flow().results().size(); r++) {
      if (!isLike(a, a.flow().results().get(r), b, b.flow().results().get(r))) {
        return false;
      }
    }
    return true;
  }

  private static List<Object> types(List<Leaf> leaves) {
    return leaves.stream().<Object>map(Leaf::type).toList();
  }

  private static boolean isLike(Member a, Leaf ours, Member b, Leaf theirs) {
    return a.flow().arguments().indexOf(ours) == b.flow().arguments().indexOf(theirs)
        && Objects.equals(a.spot(ours), b.spot(theirs));
  }
}
