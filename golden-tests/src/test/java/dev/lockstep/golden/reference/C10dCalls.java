package dev.lockstep.golden.reference;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.control.CustomCall;
import dev.lockstep.tools.program.Programs;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A torch.distributed call as its text says it.
 *
 * @param target its name
 * @param config its dictionary
 */
record C10dCalls(String target, Attributes config) {

  /** Returns whether {@code operation} is such a call. */
  static boolean isCall(Operation operation) {
    if (!operation.is(CustomCall.DEF)) {
      return false;
    }
    String target = CustomCall.TARGET.getOr(operation, "");
    return target.startsWith("_c10d_functional.") || target.startsWith("c10d.");
  }

  /** Returns the call that {@code operation} is. */
  static C10dCalls of(Operation operation) {
    return new C10dCalls(
        CustomCall.TARGET.get(operation), dictionary(operation.attribute("backend_config")));
  }

  private static Attributes dictionary(@Nullable Attribute written) {
    if (written instanceof Attribute.Dict dict) {
      return dict.entries();
    }
    String text = written instanceof Attribute.Raw raw ? raw.text() : "";
    if (written instanceof Attribute.Str string) {
      text = string.value();
    }
    if (text.isBlank()) {
      return Attributes.EMPTY;
    }
    // HLO text keeps the dictionary as it was written, which is MLIR's form of one.
    Attribute read =
        Programs.read(Source.of("backend_config", "module attributes {t.c = " + text + "} {}"))
            .attributes()
            .get("t.c");
    return ((Attribute.Dict) Objects.requireNonNull(read)).entries();
  }

  /** Returns the groups as global ranks; all {@code ranks} in one when none are written. */
  List<List<Integer>> groups(int ranks) {
    Attribute written = config.get("groups");
    List<List<Integer>> out = new ArrayList<>();
    if (written == null) {
      List<Integer> all = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        all.add(rank);
      }
      out.add(all);
      return out;
    }
    for (ImmutableLongArray row : Objects.requireNonNull(AttrKeys.asRows(written))) {
      List<Integer> group = new ArrayList<>();
      row.forEach(
          id -> {
            if (id >= 0) {
              group.add((int) id);
            }
          });
      out.add(group);
    }
    return out;
  }

  /** Returns a word, or {@code fallback}. */
  String word(String name, String fallback) {
    Attribute value = config.get(name);
    return value == null ? fallback : Objects.requireNonNull(AttrKeys.asWord(value));
  }

  /** Returns a flag, or {@code fallback}. */
  boolean flag(String name, boolean fallback) {
    Attribute value = config.get(name);
    return value == null ? fallback : ((Attribute.Bool) value).value();
  }

  /** Returns whether there is an entry called {@code name}. */
  boolean has(String name) {
    return config.has(name);
  }

  /** Returns the number for {@code group}: one for all groups, or one a group. */
  int ofGroup(String name, int group) {
    ImmutableLongArray all = numbers(config.get(name));
    return (int) all.get(all.length() == 1 ? 0 : group);
  }

  /**
   * Returns the number of a member in a table over {@code members}, one table for all groups or one
   * a group; a single number holds for every member.
   */
  int ofMember(String name, int group, int member, int members) {
    return pick(config.get(name), 0, group, member, members);
  }

  /** As {@link #ofMember}, in row {@code index} of a list of tables. */
  int ofMember(String name, int index, int group, int member, int members) {
    Attribute value = config.get(name);
    if (value instanceof Attribute.Array list) {
      return pick(list.elements().get(index), 0, group, member, members);
    }
    Literal table = ((Attribute.Dense) Objects.requireNonNull(value)).literal();
    int width = table.count() / Math.toIntExact(table.type().dim(0));
    return pick(value, index * width, group, member, members, width);
  }

  private static int pick(@Nullable Attribute value, int base, int group, int member, int members) {
    return pick(value, base, group, member, members, numbers(value).length());
  }

  private static int pick(
      @Nullable Attribute value, int base, int group, int member, int members, int width) {
    ImmutableLongArray all = numbers(value);
    int within = width == 1 ? 0 : width == members ? member : group * members + member;
    return (int) all.get(base + within);
  }

  /** Returns number {@code index} of a list. */
  int ofIndex(String name, int index) {
    return (int) numbers(config.get(name)).get(index);
  }

  /** Returns the words of a list. */
  ImmutableList<String> words(String name) {
    return ((Attribute.Array) Objects.requireNonNull(config.get(name)))
        .elements().stream()
            .map(word -> Objects.requireNonNull(AttrKeys.asWord(word)))
            .collect(ImmutableList.toImmutableList());
  }

  private static ImmutableLongArray numbers(@Nullable Attribute value) {
    Long one = AttrKeys.asLong(Objects.requireNonNull(value));
    return one != null
        ? ImmutableLongArray.of(one)
        : Objects.requireNonNull(AttrKeys.asLongs(value));
  }
}
