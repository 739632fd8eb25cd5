package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The shardings of a tuple, said of its leaves. A list names the leaves in order; one that is no
 * list holds for all of them. Texts stay as they were written.
 */
public final class LeafShardings {
  private static final ImmutableList<String> OF_XLA = ImmutableList.of("sharding", "mhlo.sharding");
  private static final ImmutableList<String> FRONTEND =
      ImmutableList.of("frontend_attributes", "mhlo.frontend_attributes");
  private static final String SHARDY = "sdy.sharding";
  private static final String FRONTEND_SHARDY = "xla.sdy.sharding";

  private LeafShardings() {}

  /**
   * Returns {@code attributes} for each kept leaf, with that leaf's shardings.
   *
   * @param kept for each leaf whether it is kept; lists may name all, or those that are kept
   * @throws IllegalArgumentException if a list names another number of leaves
   */
  public static ImmutableList<Attributes> of(Attributes attributes, List<Boolean> kept) {
    ImmutableList.Builder<Attributes> out = ImmutableList.builder();
    for (int leaf = 0; leaf < kept.size(); leaf++) {
      if (kept.get(leaf)) {
        int number = leaf;
        out.add(
            mapped(
                attributes,
                text -> pick(elements(text), kept, number, text),
                text -> pick(shardy(text), kept, number, text)));
      }
    }
    return out.build();
  }

  /**
   * Returns {@code attributes} with shardings of the kept leaves alone.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static Attributes keeping(Attributes attributes, List<Boolean> kept) {
    return kept.contains(false)
        ? mapped(
            attributes,
            text -> join(elements(text), kept, text, "{", "}"),
            text -> join(shardy(text), kept, text, "#sdy.sharding_per_value<[", "]>"))
        : attributes;
  }

  private static Attributes mapped(
      Attributes attributes, UnaryOperator<String> xla, UnaryOperator<String> shardy) {
    Attributes out = attributes;
    for (String name : OF_XLA) {
      out = with(out, name, xla);
    }
    out = with(out, SHARDY, shardy);
    for (String name : FRONTEND) {
      if (out.get(name) instanceof Attribute.Dict dict && dict.entries().has(FRONTEND_SHARDY)) {
        out = out.with(name, new Attribute.Dict(with(dict.entries(), FRONTEND_SHARDY, shardy)));
      }
    }
    return out;
  }

  private static Attributes with(Attributes attributes, String name, UnaryOperator<String> change) {
    Attribute value = attributes.get(name);
    String text = ShardingAttributes.text(value);
    if (value == null || text == null) {
      return attributes;
    }
    String now = change.apply(text);
    return attributes.with(
        name,
        value instanceof Attribute.Str
            ? new Attribute.Str(now, ((Attribute.Str) value).bytes())
            : new Attribute.Raw(now));
  }

  private static @Nullable ImmutableList<String> elements(String text) {
    return text.stripLeading().startsWith("{")
        ? HloSharding.elements(text)
        : OpShardingProto.elements(text);
  }

  private static @Nullable ImmutableList<String> shardy(String text) {
    return text.contains("sharding_per_value") ? SdySharding.elements(text) : null;
  }

  private static String pick(
      @Nullable ImmutableList<String> list, List<Boolean> kept, int leaf, String text) {
    if (list == null) {
      return text;
    }
    int before = (int) kept.subList(0, leaf).stream().filter(each -> each).count();
    return list.get(namesAll(list, kept) ? leaf : before);
  }

  private static boolean namesAll(ImmutableList<String> list, List<Boolean> kept) {
    long count = kept.stream().filter(each -> each).count();
    checkArgument(
        list.size() == kept.size() || list.size() == count,
        "%s shardings stand on a tuple of %s values",
        list.size(),
        count);
    return list.size() == kept.size();
  }

  private static String join(
      @Nullable ImmutableList<String> list,
      List<Boolean> kept,
      String text,
      String open,
      String close) {
    if (list == null || !namesAll(list, kept) || !text.contains(open)) {
      return text;
    }
    StringBuilder out = new StringBuilder(open);
    for (int i = 0; i < kept.size(); i++) {
      if (kept.get(i)) {
        out.append(out.length() == open.length() ? "" : ", ").append(list.get(i));
      }
    }
    return out.append(close).toString();
  }
}
