package dev.lockstep.pass.analysis;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many rounds a loop takes: what XLA wrote beside it, else what a counter says that starts at a
 * constant, grows by a constant and is compared with a constant bound.
 */
public final class TripCount {
  private static final AttrKey<String> DIRECTION =
      AttrKeys.word("comparison_direction", "direction");
  private static final AttrKey<Long> INDEX = AttrKeys.integer("index", "index");
  private static final Pattern KNOWN =
      Pattern.compile("\"known_trip_count\"\\s*:\\s*\\{\\s*\"n\"\\s*:\\s*\"(\\d{1,18})\"");

  /** The values of one block by who makes them. */
  private final Map<Value, Operation> makers = new HashMap<>();

  private TripCount(Block... blocks) {
    for (Block block : blocks) {
      for (Operation operation : block.operations()) {
        for (Value result : operation.results()) {
          makers.put(result, operation);
        }
      }
    }
  }

  /** Returns the rounds of {@code loop}, which stands in {@code around}, if they can be seen. */
  public static OptionalLong of(Operation loop, Block around, Module module) {
    Attribute config = loop.attribute("backend_config");
    if (config != null) {
      Matcher matcher = KNOWN.matcher(config.toString());
      if (matcher.find()) {
        return OptionalLong.of(Long.parseLong(matcher.group(1)));
      }
    }
    ImmutableList<Block> bodies = Bodies.of(loop, module);
    if (bodies.size() != 2) {
      return OptionalLong.empty();
    }
    return new TripCount(around, bodies.get(0), bodies.get(1))
        .count(loop, bodies.get(0), bodies.get(1));
  }

  private OptionalLong count(Operation loop, Block condition, Block body) {
    ImmutableList<Value> decided = condition.returned();
    Operation compare = decided.size() == 1 ? makers.get(decided.get(0)) : null;
    if (compare == null || !compare.def().shortName().equals("compare")) {
      return OptionalLong.empty();
    }
    String direction = DIRECTION.find(compare);
    int counter = carried(compare.operand(0), condition);
    if (counter < 0 || direction == null) {
      return OptionalLong.empty();
    }
    Long bound = constant(compare.operand(1));
    int boundAt = carried(compare.operand(1), condition);
    if (bound == null && boundAt >= 0) {
      Value next = next(body, boundAt);
      bound = next != null && carried(next, body) == boundAt ? start(loop, boundAt) : null;
    }
    Long first = start(loop, counter);
    Long step = step(body, counter);
    if (bound == null || first == null || step == null || step <= 0) {
      return OptionalLong.empty();
    }
    long distance =
        switch (direction) {
          case "LT" -> bound - first;
          case "LE" -> bound - first + 1;
          default -> -1;
        };
    return distance < 0 ? OptionalLong.empty() : OptionalLong.of((distance + step - 1) / step);
  }

  /** Returns which carried value {@code value} is in {@code block}, or -1. */
  private int carried(Value value, Block block) {
    ImmutableList<Value> parameters = Function.parametersOf(block);
    int direct = parameters.indexOf(value);
    if (direct >= 0 && (parameters.size() > 1 || !block.arguments().isEmpty())) {
      return direct;
    }
    Operation maker = makers.get(value);
    if (maker == null || !maker.def().shortName().equals("get_tuple_element")) {
      return -1;
    }
    Long index = INDEX.find(maker);
    return index != null && parameters.contains(maker.operand(0)) ? Math.toIntExact(index) : -1;
  }

  private @Nullable Long start(Operation loop, int index) {
    ImmutableList<Value> operands = loop.operands();
    if (operands.size() == 1) {
      Operation tuple = makers.get(operands.get(0));
      operands = tuple == null ? operands : tuple.operands();
    }
    return index < operands.size() ? constant(operands.get(index)) : null;
  }

  private @Nullable Value next(Block body, int index) {
    ImmutableList<Value> returned = body.returned();
    if (returned.size() == 1) {
      Operation tuple = makers.get(returned.get(0));
      if (tuple != null && tuple.def().shortName().equals("tuple")) {
        returned = tuple.operands();
      }
    }
    return index < returned.size() ? returned.get(index) : null;
  }

  private @Nullable Long step(Block body, int counter) {
    Value next = next(body, counter);
    Operation add = next == null ? null : makers.get(next);
    if (add == null || !add.def().shortName().equals("add")) {
      return null;
    }
    int counterAt = carried(add.operand(0), body) == counter ? 0 : 1;
    return carried(add.operand(counterAt), body) == counter
        ? constant(add.operand(1 - counterAt))
        : null;
  }

  private @Nullable Long constant(Value value) {
    Operation maker = makers.get(value);
    return maker != null && maker.def().shortName().equals("constant") ? constantOf(maker) : null;
  }

  private static @Nullable Long constantOf(Operation operation) {
    Attribute value = operation.attribute("value");
    return value == null ? null : AttrKeys.asLong(value);
  }
}
