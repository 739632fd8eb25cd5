package dev.lockstep.hlo.build;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Syntax;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which the syntaxes' own printers write attributes, so that what was built looks like
 * what was read: by name in MLIR, and collectives' as {@code HloInstruction::ToString} has them in
 * HLO.
 */
final class AttributeOrder {
  private static final ImmutableList<String> HLO =
      ImmutableList.of(
          "channel_id",
          "replica_groups",
          "source_target_pairs",
          "dimensions",
          "use_global_device_ids",
          "custom_call_target",
          "custom_call_has_side_effect",
          "to_apply");

  private AttributeOrder() {}

  /** Returns {@code attributes} in the order of {@code syntax}. */
  static Attributes of(Syntax syntax, Attributes attributes) {
    if (attributes.size() < 2) {
      return attributes;
    }
    List<String> names = new ArrayList<>();
    attributes.forEach((name, value) -> names.add(name));
    names.sort(
        syntax == Syntax.HLO
            ? Comparator.comparingInt(AttributeOrder::rank)
            : Comparator.naturalOrder());
    Attributes.Builder out = Attributes.builder();
    for (String name : names) {
      out.put(name, java.util.Objects.requireNonNull(attributes.get(name)));
    }
    return out.build();
  }

  private static int rank(String name) {
    int at = HLO.indexOf(name);
    return at < 0 ? HLO.size() : at;
  }
}
