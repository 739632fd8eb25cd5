package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.split.Family.Place;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Chooses where a family's programs are cut. The cuts are the same in all of them, and every range
 * that holds a collective has one text for all of them.
 */
final class Cutter {
  /** How to cut. */
  enum Style {
    /** Collectives apart, those next to each other together. */
    SKINNY,
    /** Every collective by itself. */
    ALONE,
    /** Only around what differs. */
    AUTO
  }

  private final Family family;
  private final Style style;
  private final Set<Integer> differing;
  private final List<Range> ranges = new ArrayList<>();
  private int first = -1;

  private Cutter(Family family, Style style, Set<Integer> differing) {
    this.family = family;
    this.style = style;
    this.differing = differing;
  }

  /**
   * Returns the ranges in order; items that hold nothing may be in none.
   *
   * @param differing numbers of regions to cut around although they may be equal here
   */
  static ImmutableList<Range> cut(Family family, Style style, Set<Integer> differing) {
    Cutter cutter = new Cutter(family, style, differing);
    cutter.cut();
    return ImmutableList.copyOf(cutter.ranges);
  }

  private void cut() {
    ImmutableList<Item> items = family.items();
    int region = 0;
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      boolean isDifferent = !item.isSame() || item.isRegion() && differing.contains(region);
      boolean isAlone =
          isDifferent
              || style != Style.AUTO && item.isRegion() && !item.isEmpty()
              || style != Style.AUTO && item.isNested()
              || style == Style.ALONE && !item.isRegion();
      if (isAlone) {
        close(i - 1);
        ranges.add(new Range(i, i, item.isSame()));
      } else if (first >= 0 && (item.startsProgram() || conflicts(i))) {
        close(i - 1);
        first = i;
      } else if (first < 0) {
        first = i;
      }
      region += item.isRegion() ? 0 : 1;
    }
    close(items.size() - 1);
  }

  private void close(int last) {
    if (first >= 0) {
      ranges.add(new Range(first, last, true));
    }
    first = -1;
  }

  /**
   * Returns whether item {@code i} cannot go on with what was collected: some program uses a value
   * from within, and another one there uses something else.
   */
  private boolean conflicts(int i) {
    Item item = family.items().get(i);
    ImmutableList<Operation> ours = item.operations(0);
    for (int o = 0; o < ours.size(); o++) {
      List<ImmutableList<Leaf>> uses = new ArrayList<>();
      for (int c = 0; c < family.codes().size(); c++) {
        uses.add(item.parts().get(c).get(0).flow().uses(item.operations(c).get(o)));
      }
      for (int u = 0; u < uses.get(0).size(); u++) {
        if (conflicts(i, o, u, uses)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean conflicts(int i, int operation, int use, List<ImmutableList<Leaf>> uses) {
    boolean inside = false;
    boolean outside = false;
    Place common = null;
    ImmutableList<Integer> path = null;
    for (int c = 0; c < uses.size(); c++) {
      Leaf leaf = uses.get(c).get(use);
      Operation user = family.items().get(i).operations(c).get(operation);
      if (leaf.isToken() || family.isRepeated(c, user, use, leaf)) {
        return false;
      }
      Place place = family.place(c, leaf);
      if (place == null || place.item() < first || place.item() > i) {
        outside = true;
      } else {
        boolean isLike = !inside || place.equals(common) && leaf.path().equals(path);
        if (!isLike) {
          return true;
        }
        inside = true;
        common = place;
        path = leaf.path();
      }
    }
    return inside && outside;
  }
}
