package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What becomes one segment: operations of one program, and of each other program of a family that
 * gets the same segment.
 */
final class Piece {
  /** A value given in a piece, alike in all programs that share it. */
  record Spot(int operation, int result, ImmutableList<Integer> path) implements Comparable<Spot> {
    @Override
    public int compareTo(Spot other) {
      int order = Integer.compare(operation, other.operation);
      order = order != 0 ? order : Integer.compare(result, other.result);
      for (int i = 0; order == 0 && i < Math.min(path.size(), other.path.size()); i++) {
        order = Integer.compare(path.get(i), other.path.get(i));
      }
      return order != 0 ? order : Integer.compare(path.size(), other.path.size());
    }
  }

  /** What one program has in the piece. */
  static final class Member {
    private final int program;
    private final Flow flow;
    private final List<Operation> operations;
    private final Map<Leaf, Spot> given = new HashMap<>();

    Member(int program, Flow flow, List<Operation> operations) {
      this.program = program;
      this.flow = flow;
      this.operations = operations;
      for (int o = 0; o < operations.size(); o++) {
        List<Value> results = operations.get(o).results();
        for (int r = 0; r < results.size(); r++) {
          given.put(Leaf.of(flow, results.get(r)), new Spot(o, r, ImmutableList.of()));
        }
      }
    }

    /** Returns the number of the program in its family. */
    int program() {
      return program;
    }

    Flow flow() {
      return flow;
    }

    /** Returns the operations, those at the same place alike in all members. */
    List<Operation> operations() {
      return operations;
    }

    /** Returns where {@code leaf} is given here, or null when it is not. */
    @Nullable Spot spot(Leaf leaf) {
      Spot whole = given.get(Leaf.of(leaf.flow(), leaf.base()));
      return whole == null ? null : new Spot(whole.operation(), whole.result(), leaf.path());
    }

    /** Returns what stands at {@code spot}. */
    Leaf leaf(Spot spot) {
      Leaf leaf = Leaf.of(flow, operations.get(spot.operation()).results().get(spot.result()));
      for (int index : spot.path()) {
        leaf = leaf.element(index);
      }
      return leaf;
    }

    /** Returns whether this is all that the program does. */
    boolean isWhole() {
      // A cheap operation that is given here as well must not be counted for one of the program.
      return operations.size() == flow.operations().size()
          && new HashSet<>(operations).containsAll(flow.operations());
    }
  }

  private final String number;
  private final ImmutableList<Member> members;
  private final Set<Operation> sites;

  /**
   * Creates a piece.
   *
   * @param number its number among the pieces of a program
   * @param sites the operations of all members that communicate, or finish what does, themselves
   */
  Piece(String number, List<Member> members, Set<Operation> sites) {
    this.number = number;
    this.members = ImmutableList.copyOf(members);
    this.sites = sites;
  }

  String number() {
    return number;
  }

  ImmutableList<Member> members() {
    return members;
  }

  /** Returns the member whose text all of them get: the one that waits for most, else the first. */
  Member model() {
    Member best = members.get(0);
    for (Member member : members) {
      if (waits(member) > waits(best)) {
        best = member;
      }
    }
    return best;
  }

  private static long waits(Member member) {
    return member.operations().stream()
        .flatMap(operation -> operation.results().stream())
        .flatMap(result -> Leaf.of(member.flow(), result).leaves().stream())
        .filter(leaf -> member.flow().waitFor(leaf) != null)
        .count();
  }

  Set<Operation> sites() {
    return sites;
  }

  /** Returns whether nothing in the piece computes. */
  boolean onlyCommunicates() {
    return sites.containsAll(members.get(0).operations());
  }

  /** Returns the member of program {@code program}, or null when it has none here. */
  @Nullable Member of(int program) {
    for (Member member : members) {
      if (member.program() == program) {
        return member;
      }
    }
    return null;
  }
}
