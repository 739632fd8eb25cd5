package dev.lockstep.hlo.flat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.proto.ModuleAliases.Alias;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Aliases as StableHLO modules that were HLO keep them: {@code {alias = {kind = "may_alias",
 * parameter_index = array<i64: 1>, parameter_number = 0 : i64}, output_index = array<i64: 0>}}.
 */
final class MhloAliases {
  private MhloAliases() {}

  /** Returns what {@code flat} makes of an alias; itself if it has another form. */
  static ImmutableList<Attribute> flat(
      Attribute written, Function<Alias, ImmutableList<Alias>> flat) {
    if (!(written instanceof Attribute.Dict dict)
        || !(dict.entries().get("alias") instanceof Attribute.Dict alias)
        || !(alias.entries().get("parameter_number") instanceof Attribute.Int number)) {
      return ImmutableList.of(written);
    }
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    Alias old =
        new Alias(
            path(dict.entries().get("output_index")),
            number.value(),
            path(alias.entries().get("parameter_index")),
            false);
    for (Alias now : flat.apply(old)) {
      Attributes inner =
          alias
              .entries()
              .with("parameter_index", path(now.path()))
              .with("parameter_number", new Attribute.Int(now.parameter(), number.type()));
      out.add(
          new Attribute.Dict(
              dict.entries()
                  .with("alias", new Attribute.Dict(inner))
                  .with("output_index", path(now.output()))));
    }
    return out.build();
  }

  private static ImmutableList<Long> path(@Nullable Attribute written) {
    return written instanceof Attribute.Longs
        ? ImmutableList.copyOf(((Attribute.Longs) written).values().asList())
        : ImmutableList.of();
  }

  private static Attribute path(ImmutableList<Long> path) {
    return Attribute.Longs.of(path.stream().mapToLong(index -> index).toArray());
  }
}
