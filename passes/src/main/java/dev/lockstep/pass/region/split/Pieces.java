package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.split.RankCode.Part;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The pieces that the ranges of a family make, in the order in which they run. */
final class Pieces {
  private final Family family;
  private final List<Piece> pieces = new ArrayList<>();
  private int number;

  private Pieces(Family family) {
    this.family = family;
  }

  /** Returns the pieces; programs that have nothing in a range have no part of its piece. */
  static ImmutableList<Piece> of(Family family, List<Range> ranges) {
    Pieces made = new Pieces(family);
    ranges.forEach(made::add);
    return ImmutableList.copyOf(made.pieces);
  }

  private void add(Range range) {
    int most = 0;
    // Programs that say the same share a segment, even where others say something else.
    Map<Object, List<Integer>> alike = new LinkedHashMap<>();
    for (int c = 0; c < family.codes().size(); c++) {
      Object content = range.isCommon() ? "common" : content(range, c);
      alike.computeIfAbsent(content, key -> new ArrayList<>()).add(c);
    }
    for (List<Integer> programs : alike.values()) {
      most = Math.max(most, add(range, programs));
    }
    number += most;
  }

  private Object content(Range range, int c) {
    ImmutableList.Builder<Object> out = ImmutableList.builder();
    for (int i = range.first(); i <= range.last(); i++) {
      out.add(family.content(family.items().get(i), c));
    }
    return out.build();
  }

  /** Returns how many pieces were made. */
  private int add(Range range, List<Integer> programs) {
    List<List<Piece.Member>> columns = new ArrayList<>();
    Set<Operation> sites = new HashSet<>();
    for (int c : programs) {
      List<Part> parts = merged(range, c, sites);
      for (int p = 0; p < parts.size(); p++) {
        if (columns.size() <= p) {
          columns.add(new ArrayList<>());
        }
        columns.get(p).add(new Piece.Member(c, parts.get(p).flow(), parts.get(p).operations()));
      }
    }
    int made = 0;
    for (List<Piece.Member> column : columns) {
      if (!column.get(0).operations().isEmpty()) {
        pieces.add(new Piece("s" + (number + made++), column, sites));
      }
    }
    return made;
  }

  /** Returns the operations of program {@code c}, one list for each program file. */
  private List<Part> merged(Range range, int c, Set<Operation> sites) {
    List<Part> out = new ArrayList<>();
    for (int i = range.first(); i <= range.last(); i++) {
      Item item = family.items().get(i);
      for (Part part : item.parts().get(c)) {
        if (out.isEmpty() || out.get(out.size() - 1).flow() != part.flow()) {
          out.add(new Part(part.flow(), new ArrayList<>()));
        }
        out.get(out.size() - 1).operations().addAll(part.operations());
        if (item.kind() == Item.Kind.SITE) {
          sites.addAll(part.operations());
        }
      }
    }
    return out;
  }
}
