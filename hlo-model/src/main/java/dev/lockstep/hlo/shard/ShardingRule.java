package dev.lockstep.hlo.shard;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.QuantizedTensor;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Shardy's {@code #sdy.op_sharding_rule<([i, jk])->([i, jk]) {i=2, j=4, k=8} reduction={k}>}: which
 * factors the dimensions of operands and results are made of.
 */
final class ShardingRule {
  private static final String BEGIN = "#sdy.op_sharding_rule<";
  private static final ImmutableList<String> KINDS =
      ImmutableList.of("reduction", "need_replication", "permutation", "blocked_propagation");

  /** For each value and dimension, the factors. */
  private final List<List<ImmutableIntArray>> operands = new ArrayList<>();

  private final List<List<ImmutableIntArray>> results = new ArrayList<>();
  private final List<Long> sizes = new ArrayList<>();
  private final List<BitSet> special = new ArrayList<>();

  private ShardingRule() {}

  /**
   * Checks the rule that stands on {@code operation}.
   *
   * @throws IllegalArgumentException if it is wrong, in words for a diagnostic
   */
  static void check(Operation operation, Attribute attribute) {
    checkArgument(
        attribute instanceof Attribute.Raw raw && raw.text().startsWith(BEGIN),
        "sdy.sharding_rule is something else than %s...>",
        BEGIN);
    ShardingRule rule = parse(((Attribute.Raw) attribute).text());
    BitSet used = rule.used("operand", rule.operands, ShardyRules.types(operation.operands()));
    BitSet given = rule.used("result", rule.results, ShardyRules.types(operation.results()));
    used.or(given);
    int unused = used.nextClearBit(0);
    checkArgument(unused >= rule.sizes.size(), "factor %s is not used", name(unused));
    BitSet seen = new BitSet();
    for (int i = 0; i < 3; i++) {
      BitSet each = rule.special.get(i);
      checkArgument(!seen.intersects(each), "a factor is in one of %s only", KINDS.subList(0, 3));
      seen.or(each);
    }
    checkArgument(
        !rule.special.get(0).intersects(given), "what is reduced is no factor of a result");
  }

  private BitSet used(String what, List<List<ImmutableIntArray>> mappings, List<Type> types) {
    checkArgument(
        mappings.size() == types.size(),
        "the rule is for %s %ss, there are %s",
        mappings.size(),
        what,
        types.size());
    checkArgument(!mappings.isEmpty(), "an op with a rule has operands and results");
    BitSet all = new BitSet();
    for (int i = 0; i < types.size(); i++) {
      QuantizedTensor quantized = QuantizedTensor.of(types.get(i));
      Type type = quantized == null ? types.get(i) : quantized.stored();
      if (type instanceof OpaqueType) {
        mappings.get(i).forEach(factors -> factors.forEach(all::set));
        continue;
      }
      checkArgument(
          type instanceof TensorType tensor && tensor.isStatic(),
          "%s %s is %s, which has no fixed size",
          what,
          i,
          type);
      checkArgument(
          mappings.get(i).size() == ((TensorType) type).rank(),
          "the rule gives %s %s %s dimensions, it is %s",
          what,
          i,
          mappings.get(i).size(),
          type);
      all.or(factors(what + " " + i, mappings.get(i)));
    }
    return all;
  }

  private BitSet factors(String what, List<ImmutableIntArray> mapping) {
    BitSet own = new BitSet();
    for (ImmutableIntArray factors : mapping) {
      checkArgument(!factors.isEmpty(), "a dimension of %s has no factor", what);
      for (int factor : factors.asList()) {
        checkArgument(factor < sizes.size(), "factor %s has no size", name(factor));
        checkArgument(!own.get(factor), "%s has the factor %s twice", what, name(factor));
        checkArgument(
            factors.length() == 1 || sizes.get(factor) != 1,
            "a factor of size 1 stands alone, not as %s of %s",
            name(factor),
            what);
        own.set(factor);
      }
    }
    return own;
  }

  private static String name(int factor) {
    return factor < 18 ? String.valueOf((char) ('i' + factor)) : "z_" + (factor - 17);
  }

  private static ShardingRule parse(String text) {
    ShardingText in = new ShardingText(text);
    ShardingRule out = new ShardingRule();
    in.expect(BEGIN);
    mappings(in, out.operands);
    in.expect("->");
    mappings(in, out.results);
    in.expect("{");
    if (!in.eat("}")) {
      do {
        int factor = factor(in);
        checkArgument(
            factor == out.sizes.size(),
            "sizes of factors stand in order: %s before %s",
            name(out.sizes.size()),
            name(factor));
        in.expect("=");
        out.sizes.add((long) in.integer());
      } while (in.eat(","));
      in.expect("}");
    }
    for (String kind : KINDS) {
      BitSet factors = new BitSet();
      if (in.eat(kind)) {
        in.expect("=");
        in.expect("{");
        int last = -1;
        do {
          int factor = factor(in);
          checkArgument(factor > last, "the factors of %s stand in order, each once", kind);
          checkArgument(factor < out.sizes.size(), "factor %s has no size", name(factor));
          factors.set(factor);
          last = factor;
        } while (in.eat(","));
        in.expect("}");
      }
      out.special.add(factors);
    }
    if (in.eat(",")) {
      in.expect("custom");
    }
    in.expect(">");
    if (!in.isAtEnd()) {
      throw in.error("the end");
    }
    return out;
  }

  private static void mappings(ShardingText in, List<List<ImmutableIntArray>> out) {
    in.expect("(");
    if (in.eat(")")) {
      return;
    }
    do {
      List<ImmutableIntArray> dims = new ArrayList<>();
      in.expect("[");
      if (!in.eat("]")) {
        do {
          ImmutableIntArray.Builder factors = ImmutableIntArray.builder();
          if (!in.eat("{}")) {
            do {
              factors.add(factor(in));
            } while (!in.comes(",") && !in.comes("]"));
          }
          dims.add(factors.build());
        } while (in.eat(","));
        in.expect("]");
      }
      out.add(dims);
    } while (in.eat(","));
    in.expect(")");
  }

  /** Reads {@code i} to {@code z}, {@code z_1} and so on. */
  private static int factor(ShardingText in) {
    for (char c = 'i'; c <= 'z'; c++) {
      if (in.eat(String.valueOf(c))) {
        if (c != 'z' || !in.eat("_")) {
          return c - 'i';
        }
        if (in.comes("0")) {
          throw in.error("a number from 1 on");
        }
        return 17 + in.integer();
      }
    }
    throw in.error("a factor, i to z, z_1 and so on");
  }
}
