package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.split.RankCode.Part;
import java.util.List;

/**
 * A region or a site of several programs that stand side by side: what each of them has there.
 *
 * @param kind what it is
 * @param startsProgram whether another program starts here, in all of them
 * @param parts for each program its parts: one, but for a region in which programs end at different
 *     places
 * @param isSame whether all of them say the same, up to the values that come from elsewhere
 */
record Item(Kind kind, boolean startsProgram, ImmutableList<List<Part>> parts, boolean isSame) {
  /** What an item is. */
  enum Kind {
    REGION,
    SITE,
    /** A loop, branch or other code that communicates inside. */
    NESTED_SITE
  }

  boolean isRegion() {
    return kind == Kind.REGION;
  }

  boolean isNested() {
    return kind == Kind.NESTED_SITE;
  }

  /** Returns the operations of program {@code index}, of all its parts. */
  ImmutableList<Operation> operations(int index) {
    ImmutableList.Builder<Operation> out = ImmutableList.builder();
    parts.get(index).forEach(part -> out.addAll(part.operations()));
    return out.build();
  }

  /** Returns whether no program has any operation here. */
  boolean isEmpty() {
    return parts.stream().allMatch(all -> all.stream().allMatch(p -> p.operations().isEmpty()));
  }

  Item different() {
    return new Item(kind, startsProgram, parts, false);
  }
}
