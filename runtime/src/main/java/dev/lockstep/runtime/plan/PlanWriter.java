package dev.lockstep.runtime.plan;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.plan.RankPlans.PlanClass;
import dev.lockstep.hlo.plan.Segment;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.TensorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes plans as {@code plan.json} and one text a segment; see docs/plans.md for the schema. */
public final class PlanWriter {
  private static final ObjectMapper JSON = new ObjectMapper();

  private PlanWriter() {}

  /** Returns the contents of the files of a plan's folder by name, {@code plan.json} first. */
  public static ImmutableMap<String, String> files(RankPlans plans) {
    ImmutableMap.Builder<String, String> out = ImmutableMap.builder();
    out.put(PlanFormat.FILE, json(plans));
    for (Segment segment : plans.segments()) {
      out.put(PlanFormat.fileName(segment.name(), segment.module()), Texts.print(segment.module()));
    }
    return out.buildOrThrow();
  }

  /** Returns the text of {@code plan.json}. */
  public static String json(RankPlans plans) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultPrettyPrinter.FixedSpaceIndenter());
    try {
      return JSON.writer(printer).writeValueAsString(tree(plans)) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what {@code plan.json} holds. */
  public static ObjectNode tree(RankPlans plans) {
    ObjectNode out = JSON.createObjectNode();
    out.put("schema", PlanFormat.SCHEMA);
    out.put("mode", plans.mode().word());
    plans.replicas().ifPresent(count -> out.put("replicas", count));
    plans.partitions().ifPresent(count -> out.put("partitions", count));
    ArrayNode segments = out.putArray("segments");
    for (Segment segment : plans.segments()) {
      ObjectNode node = segments.addObject();
      node.put("name", segment.name());
      node.put("file", PlanFormat.fileName(segment.name(), segment.module()));
      node.put("kind", segment.kind().word());
      strings(node.putArray("collectives"), segment.collectives());
      types(node.putArray("inputs"), segment.inputs());
      types(node.putArray("outputs"), segment.outputs());
      segment.donated().forEach(node.putArray("donated")::add);
    }
    ArrayNode classes = out.putArray("plans");
    for (PlanClass each : plans.classes()) {
      plan(each, classes.addObject());
    }
    return out;
  }

  private static void plan(PlanClass each, ObjectNode out) {
    if (each.ranks().isEmpty()) {
      out.put("ranks", "all");
    } else {
      each.ranks().forEach(out.putArray("ranks")::add);
    }
    ExecutionPlan plan = each.plan();
    ArrayNode arguments = out.putArray("arguments");
    for (PlanValue argument : plan.arguments()) {
      ObjectNode node = arguments.addObject();
      node.put("name", argument.name());
      node.put("type", argument.type().toString());
    }
    ArrayNode steps = out.putArray("steps");
    for (PlanStep step : plan.steps()) {
      ObjectNode node = steps.addObject();
      node.put("segment", step.segment().name());
      strings(node.putArray("inputs"), step.inputs());
      strings(node.putArray("outputs"), step.outputs());
    }
    strings(out.putArray("results"), plan.results());
  }

  private static void strings(ArrayNode out, List<String> values) {
    values.forEach(out::add);
  }

  private static void types(ArrayNode out, List<TensorType> types) {
    types.forEach(type -> out.add(type.toString()));
  }
}
