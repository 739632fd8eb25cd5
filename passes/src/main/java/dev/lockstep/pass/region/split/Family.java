package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.region.split.RankCode.Part;
import dev.lockstep.pass.region.split.RankCode.Site;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Programs that issue like collectives in like order, side by side: item by item, with what is the
 * same in all of them. The programs may be those of one rank or of many; see the decision record on
 * how differing regions are aligned.
 */
final class Family {
  /** Where a value is given: the {@code result}-th of the {@code operation}-th of item. */
  record Place(int item, int operation, int result) {}

  private enum Label {
    TOKEN,
    ELSEWHERE
  }

  private record Repeated(Object key, ImmutableList<Object> operands) {}

  private record Inner(int operation, int result, ImmutableList<Integer> path) {}

  private final ImmutableList<RankCode> codes;
  private final ImmutableList<Item> items;
  private final List<Map<Leaf, Place>> places = new ArrayList<>();

  /** Uses, by number, of cheap values that others have no like of there; they come from before. */
  private final List<Map<Operation, Set<Integer>>> pinned = new ArrayList<>();

  private Family(List<RankCode> codes) {
    this.codes = ImmutableList.copyOf(codes);
    codes.forEach(code -> pinned.add(new HashMap<>()));
    pinUnlike();
    ImmutableList<Item> all = align();
    for (int c = 0; c < codes.size(); c++) {
      places.add(places(all, c));
    }
    ImmutableList.Builder<Item> compared = ImmutableList.builder();
    for (Item item : all) {
      compared.add(item.isSame() && !isSame(item) ? item.different() : item);
    }
    this.items = compared.build();
  }

  /** Returns the family of programs whose {@link #signature} is equal. */
  static Family of(List<RankCode> codes) {
    return new Family(codes);
  }

  /**
   * Returns what programs must have in common to be aligned: the ops of their sites, one after the
   * other. Groups, types and whatever else may differ at a site; such a site is cut apart.
   */
  static Object signature(RankCode code) {
    ImmutableList.Builder<Object> out = ImmutableList.builder();
    for (Site site : code.sites()) {
      Operation head = site.head();
      out.add(site.isNested() ? head.def().name() : site.flow().communication().names(head));
    }
    return out.build();
  }

  /** Returns the programs. */
  ImmutableList<RankCode> codes() {
    return codes;
  }

  /** Returns regions and sites in turn, with what is the same in all programs. */
  ImmutableList<Item> items() {
    return items;
  }

  private ImmutableList<Item> align() {
    ImmutableList.Builder<Item> out = ImmutableList.builder();
    int sites = codes.get(0).sites().size();
    for (int i = 0; i <= sites; i++) {
      addRegion(i, out);
      if (i < sites) {
        int number = i;
        out.add(
            new Item(
                codes.get(0).sites().get(i).isNested() ? Item.Kind.NESTED_SITE : Item.Kind.SITE,
                false,
                each(code -> List.of(code.sites().get(number).part())),
                true));
      }
    }
    return out.build();
  }

  private void addRegion(int number, ImmutableList.Builder<Item> out) {
    int parts = codes.get(0).regions().get(number).size();
    boolean sameParts = codes.stream().allMatch(code -> code.regions().get(number).size() == parts);
    if (!sameParts) {
      out.add(new Item(Item.Kind.REGION, false, each(code -> code.regions().get(number)), false));
      return;
    }
    for (int p = 0; p < parts; p++) {
      int part = p;
      out.add(
          new Item(
              Item.Kind.REGION,
              p > 0,
              each(code -> List.of(code.regions().get(number).get(part))),
              true));
    }
  }

  private ImmutableList<List<Part>> each(java.util.function.Function<RankCode, List<Part>> parts) {
    return codes.stream().map(parts).collect(ImmutableList.toImmutableList());
  }

  private static Map<Leaf, Place> places(List<Item> items, int c) {
    Map<Leaf, Place> out = new HashMap<>();
    for (int i = 0; i < items.size(); i++) {
      int number = 0;
      for (Part part : items.get(i).parts().get(c)) {
        for (Operation operation : part.operations()) {
          for (int r = 0; r < operation.results().size(); r++) {
            out.putIfAbsent(
                Leaf.of(part.flow(), operation.results().get(r)), new Place(i, number, r));
          }
          number++;
        }
      }
    }
    return out;
  }

  /**
   * A site that gets a constant on one rank and something else on another cannot hold the constant
   * if its text is to be the same: there the constant is given by the region before.
   */
  private void pinUnlike() {
    for (int s = 0; s < codes.get(0).sites().size(); s++) {
      Map<Object, List<Integer>> alike = new LinkedHashMap<>();
      for (int c = 0; c < codes.size(); c++) {
        alike
            .computeIfAbsent(keys(codes.get(c).sites().get(s).part()), unused -> new ArrayList<>())
            .add(c);
      }
      for (List<Integer> programs : alike.values()) {
        Part first = codes.get(programs.get(0)).sites().get(s).part();
        for (int o = 0; o < first.operations().size(); o++) {
          pinUnlike(s, o, programs);
        }
      }
    }
  }

  private static ImmutableList<Object> keys(Part part) {
    return part.operations().stream()
        .map(operation -> OpKey.of(operation, part.flow().module()))
        .collect(ImmutableList.toImmutableList());
  }

  private void pinUnlike(int site, int operation, List<Integer> programs) {
    List<ImmutableList<Object>> labels = new ArrayList<>();
    for (int c : programs) {
      Part part = codes.get(c).sites().get(site).part();
      labels.add(labels(part, part.operations().get(operation), Map.of()));
    }
    for (int u = 0; u < labels.get(0).size(); u++) {
      int use = u;
      Object first = labels.get(0).get(use);
      if (labels.stream().allMatch(label -> label.get(use).equals(first))) {
        continue;
      }
      for (int i = 0; i < programs.size(); i++) {
        if (labels.get(i).get(use) instanceof Repeated) {
          int c = programs.get(i);
          Part part = codes.get(c).sites().get(site).part();
          Operation user = part.operations().get(operation);
          Leaf leaf = part.flow().uses(user).get(use);
          pinned.get(c).computeIfAbsent(user, key -> new HashSet<>()).add(use);
          codes.get(c).keep(leaf, site);
        }
      }
    }
  }

  /**
   * Returns whether {@code leaf}, the {@code use}-th that {@code user} uses, is computed again for
   * it instead of being passed.
   */
  boolean isRepeated(int c, Operation user, int use, Leaf leaf) {
    return leaf.flow().repeated(leaf) != null
        && !pinned.get(c).getOrDefault(user, Set.of()).contains(use);
  }

  /** Returns where {@code leaf} of program {@code c} is given; null for an argument. */
  @Nullable Place place(int c, Leaf leaf) {
    return places.get(c).get(Leaf.of(leaf.flow(), leaf.base()));
  }

  private boolean isSame(Item item) {
    Object first = content(item, 0);
    for (int c = 1; c < codes.size(); c++) {
      if (!content(item, c).equals(first)) {
        return false;
      }
    }
    return true;
  }

  /** Returns what program {@code c} says in {@code item}, but for where values come from. */
  Object content(Item item, int c) {
    ImmutableList.Builder<Object> out = ImmutableList.builder();
    for (Part part : item.parts().get(c)) {
      Map<Leaf, Inner> inner = new HashMap<>();
      ImmutableList.Builder<Object> here = ImmutableList.builder();
      for (int o = 0; o < part.operations().size(); o++) {
        Operation operation = part.operations().get(o);
        here.add(OpKey.of(operation, part.flow().module()));
        if (item.isRegion()) {
          here.add(labels(part, operation, inner));
        }
        for (int r = 0; r < operation.results().size(); r++) {
          inner.put(
              Leaf.of(part.flow(), operation.results().get(r)),
              new Inner(o, r, ImmutableList.of()));
        }
      }
      out.add(here.build());
    }
    return out.build();
  }

  private ImmutableList<Object> labels(Part part, Operation operation, Map<Leaf, Inner> inner) {
    ImmutableList.Builder<Object> out = ImmutableList.builder();
    for (Leaf leaf : part.flow().uses(operation)) {
      Inner given = inner.get(Leaf.of(leaf.flow(), leaf.base()));
      if (given != null) {
        out.add(new Inner(given.operation(), given.result(), leaf.path()));
      } else {
        out.add(label(leaf));
      }
    }
    return out.build();
  }

  private static Object label(Leaf leaf) {
    if (leaf.isToken()) {
      return Label.TOKEN;
    }
    Operation repeated = leaf.flow().repeated(leaf);
    if (repeated == null) {
      return Label.ELSEWHERE;
    }
    ImmutableList.Builder<Object> operands = ImmutableList.builder();
    for (Value operand : repeated.operands()) {
      operands.add(label((Leaf) leaf.flow().tree(operand)));
    }
    return new Repeated(OpKey.of(repeated, leaf.flow().module()), operands.build());
  }
}
