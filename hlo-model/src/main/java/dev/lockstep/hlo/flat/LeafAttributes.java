package dev.lockstep.hlo.flat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.shard.LeafShardings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands on a parameter or result that is a tuple, said of each of its leaves: shardings and
 * replications name leaves in order, the rest holds for all of them.
 */
final class LeafAttributes {
  private static final String REPLICATION = "parameter_replication";
  private static final String MHLO_REPLICATION = "mhlo.parameter_replication";

  private LeafAttributes() {}

  /**
   * Returns what {@code attributes} say of each of {@code leaves} that is kept.
   *
   * @throws IllegalArgumentException if a sharding does not fit the leaves
   */
  static ImmutableList<Attributes> of(Attributes attributes, ImmutableList<Leaf> leaves) {
    ImmutableList<Boolean> kept =
        leaves.stream().map(Leaf::isKept).collect(ImmutableList.toImmutableList());
    ImmutableList<Attributes> sharded = LeafShardings.of(attributes, kept);
    ImmutableList.Builder<Attributes> out = ImmutableList.builder();
    int next = 0;
    for (int i = 0; i < leaves.size(); i++) {
      if (kept.get(i)) {
        // The tree of values that XLA once had in the place of this one.
        out.add(replication(sharded.get(next++), i, leaves.size()).without("origin"));
      }
    }
    return out.build();
  }

  private static Attributes replication(Attributes attributes, int leaf, int count) {
    @Nullable Attribute text = attributes.get(REPLICATION);
    if (text instanceof Attribute.Raw raw) {
      List<String> flags = flags(raw);
      return flags.size() == count
          ? attributes.with(REPLICATION, new Attribute.Raw("{" + flags.get(leaf) + "}"))
          : attributes.without(REPLICATION);
    }
    if (attributes.get(MHLO_REPLICATION) instanceof Attribute.Array flags) {
      return flags.elements().size() == count
          ? attributes.with(
              MHLO_REPLICATION, new Attribute.Array(ImmutableList.of(flags.elements().get(leaf))))
          : attributes.without(MHLO_REPLICATION);
    }
    return attributes;
  }

  /** Returns the words of a list in braces, such as {@code {true,false}}. */
  static List<String> flags(Attribute.Raw list) {
    return Splitter.on(',').omitEmptyStrings().splitToList(list.text().replaceAll("[{}\\s]", ""));
  }
}
