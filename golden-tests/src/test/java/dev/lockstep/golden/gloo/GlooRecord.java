package dev.lockstep.golden.gloo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * One collective that gloo ran: what each of the ranks put in and got out.
 *
 * @param number place in the file
 * @param json the record as corpus/make/torch_truth.py wrote it
 */
record GlooRecord(int number, JsonNode json) {
  private static final String RESOURCE = "/real/gloo/torch_truth.world4.json";

  /** Returns all records without an error. */
  static ImmutableList<GlooRecord> all() {
    try (InputStream in = GlooRecord.class.getResourceAsStream(RESOURCE)) {
      JsonNode file = new ObjectMapper().readTree(Objects.requireNonNull(in, RESOURCE));
      ImmutableList.Builder<GlooRecord> out = ImmutableList.builder();
      for (int i = 0; i < file.size(); i++) {
        GlooRecord record = new GlooRecord(i, file.get(i));
        if (!record.failed()) {
          out.add(record);
        }
      }
      return out.build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean failed() {
    for (JsonNode rank : json.get("ranks")) {
      if (rank.has("error")) {
        return true;
      }
    }
    return false;
  }

  /** Returns the name of the case. */
  String op() {
    return json.get("op").asText();
  }

  /** Returns the number of ranks. */
  int world() {
    return json.get("world").asInt();
  }

  /** Returns the groups; one of all ranks when none were written. */
  List<List<Integer>> groups() {
    List<List<Integer>> out = new ArrayList<>();
    if (json.get("groups").isNull()) {
      List<Integer> all = new ArrayList<>();
      for (int r = 0; r < world(); r++) {
        all.add(r);
      }
      out.add(all);
      return out;
    }
    for (JsonNode group : json.get("groups")) {
      List<Integer> members = new ArrayList<>();
      group.forEach(id -> members.add(id.asInt()));
      out.add(members);
    }
    return out;
  }

  /** Returns the group of {@code rank}. */
  List<Integer> groupOf(int rank) {
    return groups().stream().filter(group -> group.contains(rank)).findFirst().orElseThrow();
  }

  /** Returns the size of the groups. */
  int groupSize() {
    return groups().get(0).size();
  }

  /** Returns the element type. */
  ElementType element() {
    return switch (json.get("dtype").asText()) {
      case "float32" -> ElementType.F32;
      case "float64" -> ElementType.F64;
      case "bfloat16" -> ElementType.BF16;
      case "int32" -> ElementType.I32;
      case "int64" -> ElementType.I64;
      case "uint8" -> ElementType.UI8;
      default -> throw new IllegalStateException(json.get("dtype").asText());
    };
  }

  /** Returns an option as a number. */
  int number(String option) {
    return json.get(option).asInt();
  }

  /** Returns the reduction in the words of a call's config. */
  String reduceOp() {
    return json.has("reduce") ? json.get("reduce").asText().toLowerCase(Locale.ROOT) : "sum";
  }

  /** Returns the shape of the case. */
  long[] shape() {
    JsonNode shape = json.get("shape");
    long[] out = new long[shape.size()];
    for (int i = 0; i < out.length; i++) {
      out[i] = shape.get(i).asLong();
    }
    return out;
  }

  /** Returns what {@code rank} put in: one tensor, several, or none. */
  JsonNode input(int rank) {
    return json.get("ranks").get(rank).get("input");
  }

  /** Returns what {@code rank} got. */
  JsonNode output(int rank) {
    return json.get("ranks").get(rank).get("output");
  }

  /**
   * Returns nested lists as a literal of {@code type}, with zeros behind where rows are missing.
   */
  static Literal literal(JsonNode nested, TensorType type) {
    LiteralBuilder out = new LiteralBuilder(type);
    List<JsonNode> flat = new ArrayList<>();
    flatten(nested, flat);
    for (int i = 0; i < flat.size(); i++) {
      if (type.element().isInteger()) {
        out.setLong(i, flat.get(i).asLong());
      } else {
        out.setDouble(i, flat.get(i).asDouble());
      }
    }
    return out.build();
  }

  private static void flatten(JsonNode nested, List<JsonNode> out) {
    if (nested.isArray()) {
      nested.forEach(element -> flatten(element, out));
    } else {
      out.add(nested);
    }
  }

  @Override
  public String toString() {
    return String.format(
        "%03d_%s_%s_%s_g%d", number, op(), json.get("dtype").asText(), reduceOp(), groupSize());
  }
}
