package dev.lockstep.pass.region.split;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Arguments whose memory a program may take over: {@code tf.aliasing_output} and {@code
 * jax.buffer_donor} in StableHLO, {@code input_output_alias} and {@code buffer_donor} in HLO.
 */
final class Donations {
  static final String ALIASING_OUTPUT = "tf.aliasing_output";
  static final String BUFFER_DONOR = "jax.buffer_donor";
  static final String INPUT_OUTPUT_ALIAS = "input_output_alias";
  static final String HLO_BUFFER_DONOR = "buffer_donor";

  /** {@code {0}: (1, {2}, may-alias)}: output, parameter, part of it, kind. */
  private static final Pattern ALIAS =
      Pattern.compile(
          "\\{([0-9, ]*)\\}\\s*:\\s*\\((\\d+),\\s*\\{([0-9, ]*)\\}(?:,\\s*([a-z-]+))?\\s*\\)");

  private static final Pattern DONOR = Pattern.compile("\\((\\d+),\\s*\\{([0-9, ]*)\\}\\s*\\)");

  /**
   * One donated argument of a segment.
   *
   * @param output the output that is written over it; -1 when any may be
   * @param kind HLO's kind of aliasing, or null
   */
  record Donation(int output, @Nullable String kind) {}

  private final Flow flow;
  private final Map<Leaf, Donation> donated = new LinkedHashMap<>();

  /** Reads what the program of {@code flow} says; outputs are indices into its results. */
  Donations(Flow flow) {
    this.flow = flow;
    if (flow.module().syntax() == Syntax.HLO) {
      readHeader();
    } else {
      readArguments(flow.entry());
    }
    donated.keySet().retainAll(flow.arguments());
  }

  private void readArguments(Function entry) {
    ImmutableList<Value> parameters = entry.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      Attributes attributes = argumentAttributes(entry, i);
      Attribute donor = attributes.get(BUFFER_DONOR);
      if (attributes.get(ALIASING_OUTPUT) instanceof Attribute.Int output) {
        put(parameters.get(i), ImmutableList.of(), (int) output.value(), null);
      } else if (donor instanceof Attribute.Unit
          || donor instanceof Attribute.Bool bool && bool.value()) {
        put(parameters.get(i), ImmutableList.of(), -1, null);
      }
    }
  }

  /** Returns the attributes of argument {@code i} of an MLIR function. */
  static Attributes argumentAttributes(Function function, int i) {
    return attributesOf(function, BuiltinOps.ARG_ATTRS, i);
  }

  /** Returns the attributes of result {@code i} of an MLIR function. */
  static Attributes resultAttributes(Function function, int i) {
    return attributesOf(function, BuiltinOps.RES_ATTRS, i);
  }

  private static Attributes attributesOf(Function function, String name, int i) {
    return function.operation().attribute(name) instanceof Attribute.Array list
            && i < list.elements().size()
            && list.elements().get(i) instanceof Attribute.Dict dict
        ? dict.entries()
        : Attributes.EMPTY;
  }

  private void put(Value parameter, List<Integer> path, int output, @Nullable String kind) {
    Leaf leaf = Leaf.of(flow, parameter);
    for (int index : path) {
      leaf = leaf.element(index);
    }
    donated.put(leaf, new Donation(output, kind));
  }

  private void readHeader() {
    ImmutableList<Value> parameters = flow.entry().parameters();
    Module module = flow.module();
    List<List<Integer>> outputs = new ArrayList<>();
    collectPaths(flow, outputs);
    if (module.attributes().get(INPUT_OUTPUT_ALIAS) instanceof Attribute.Raw alias) {
      Matcher matcher = ALIAS.matcher(alias.text());
      while (matcher.find()) {
        put(
            parameters.get(Integer.parseInt(matcher.group(2))),
            numbers(matcher.group(3)),
            outputs.indexOf(numbers(matcher.group(1))),
            matcher.group(4));
      }
    }
    if (module.attributes().get(HLO_BUFFER_DONOR) instanceof Attribute.Raw donor) {
      Matcher matcher = DONOR.matcher(donor.text());
      while (matcher.find()) {
        put(
            parameters.get(Integer.parseInt(matcher.group(1))),
            numbers(matcher.group(2)),
            -1,
            null);
      }
    }
  }

  private static void collectPaths(Flow flow, List<List<Integer>> out) {
    for (Value returned : flow.entry().body().returned()) {
      Leaf whole = Leaf.of(flow, returned);
      whole.leaves().forEach(leaf -> out.add(leaf.path()));
    }
  }

  private static List<Integer> numbers(String text) {
    List<Integer> out = new ArrayList<>();
    for (String word : Splitter.on(',').split(text)) {
      if (!word.isBlank()) {
        out.add(Integer.parseInt(word.strip()));
      }
    }
    return out;
  }

  /** Returns how {@code leaf} is donated, or null. */
  @Nullable Donation of(Leaf leaf) {
    return donated.get(leaf);
  }

  /** Returns the header of an HLO segment that is donated parameters by number. */
  static Attributes header(Attributes header, SortedMap<Integer, Donation> donations, int outputs) {
    StringBuilder alias = new StringBuilder();
    StringBuilder donor = new StringBuilder();
    donations.forEach(
        (parameter, donation) -> {
          if (donation.output() < 0) {
            donor.append(donor.length() == 0 ? "" : ", ");
            donor.append("(").append(parameter).append(", {})");
          } else {
            alias.append(alias.length() == 0 ? "" : ", ");
            alias.append('{').append(outputs == 1 ? "" : donation.output()).append("}: (");
            alias.append(parameter).append(", {}, ");
            alias.append(donation.kind() == null ? "may-alias" : donation.kind()).append(')');
          }
        });
    Attributes out = header.without(INPUT_OUTPUT_ALIAS).without(HLO_BUFFER_DONOR);
    if (alias.length() > 0) {
      out = out.with(INPUT_OUTPUT_ALIAS, new Attribute.Raw("{ " + alias + " }"));
    }
    return donor.length() > 0
        ? out.with(HLO_BUFFER_DONOR, new Attribute.Raw("{ " + donor + " }"))
        : out;
  }
}
