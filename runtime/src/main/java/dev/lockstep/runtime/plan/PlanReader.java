package dev.lockstep.runtime.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.plan.RankPlans.PlanClass;
import dev.lockstep.hlo.plan.Segment;
import dev.lockstep.hlo.plan.SegmentKind;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.json.JsonTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code plan.json} and the segments that it names, and checks that they fit: whatever a
 * damaged or foreign file holds is a diagnostic that names the place within it.
 */
public final class PlanReader {
  private final Path file;
  private final Function<Path, Module> modules;
  private final Map<String, Segment> segments = new HashMap<>();

  private PlanReader(Path file, Function<Path, Module> modules) {
    this.file = file;
    this.modules = modules;
  }

  /** Returns whether {@code path} is a plan's folder or its {@code plan.json}. */
  public static boolean isPlan(Path path) {
    return Files.isDirectory(path)
        ? Files.isRegularFile(path.resolve(PlanFormat.FILE))
        : path.getFileName() != null && path.getFileName().toString().equals(PlanFormat.FILE);
  }

  /**
   * Returns the plans in {@code path}, a folder or its {@code plan.json}.
   *
   * @param json the contents of {@code plan.json}
   * @param modules reads and verifies the text of a segment
   * @throws dev.lockstep.hlo.diag.DiagnosticException if the file is no plan, or its parts do not
   *     fit each other
   */
  public static RankPlans read(Path path, byte[] json, Function<Path, Module> modules) {
    return new PlanReader(file(path), modules).plans(json);
  }

  /** Returns the {@code plan.json} of a folder, or the file itself. */
  public static Path file(Path path) {
    return Files.isDirectory(path) ? path.resolve(PlanFormat.FILE) : path;
  }

  private RankPlans plans(byte[] json) {
    JsonTree root = JsonTree.read(Source.of(file.toString(), json), PlanFormat.CODE);
    if (!root.is(JsonTree.Kind.OBJECT)) {
      throw root.error("must hold one object");
    }
    String schema = text(root, "schema", "");
    if (!schema.equals(PlanFormat.SCHEMA)) {
      throw field(root, "schema")
          .error("schema is " + schema + ", and only " + PlanFormat.SCHEMA + " is read here");
    }
    String word = text(root, "mode", "");
    PlanMode mode =
        PlanMode.of(word)
            .orElseThrow(() -> field(root, "mode").error("mode is " + word + ", which is none"));
    int number = 0;
    for (JsonTree node : list(root, "segments", "")) {
      segment(node, "segments[" + number++ + "]");
    }
    ImmutableList.Builder<PlanClass> classes = ImmutableList.builder();
    number = 0;
    for (JsonTree node : list(root, "plans", "")) {
      classes.add(planClass(node, "plans[" + number++ + "]"));
    }
    try {
      return new RankPlans(
          mode, count(root, "replicas"), count(root, "partitions"), classes.build());
    } catch (IllegalArgumentException e) {
      throw field(root, "plans").error(String.valueOf(e.getMessage()));
    }
  }

  private void segment(JsonTree node, String at) {
    String name = text(node, "name", at);
    String word = text(node, "kind", at);
    SegmentKind kind =
        SegmentKind.of(word)
            .orElseThrow(
                () -> field(node, "kind").error(at + ".kind is " + word + ", which is none"));
    String fileName = text(node, "file", at);
    Path text = file.resolveSibling(fileName);
    if (fileName.contains("/") || fileName.contains("\\") || !Files.isRegularFile(text)) {
      throw field(node, "file").error(at + ".file is " + fileName + ", which is no file beside it");
    }
    Module module = modules.apply(text);
    SegmentTypes types = SegmentTypes.of(module);
    same(node, "inputs", at, types.inputs(), text);
    same(node, "outputs", at, types.outputs(), text);
    ImmutableSortedSet.Builder<Integer> donated = ImmutableSortedSet.naturalOrder();
    for (JsonTree index : list(node, "donated", at)) {
      donated.add(integer(index, at + ".donated"));
    }
    Segment segment;
    try {
      segment =
          new Segment(
              name,
              kind,
              module,
              types.inputs(),
              types.outputs(),
              strings(node, "collectives", at),
              donated.build());
    } catch (IllegalArgumentException e) {
      throw node.error(at + ": " + e.getMessage());
    }
    if (segments.put(name, segment) != null) {
      throw field(node, "name").error("two segments are called " + name);
    }
  }

  private static void same(
      JsonTree node, String key, String at, ImmutableList<TensorType> actual, Path text) {
    List<String> stated = strings(node, key, at);
    List<String> found = actual.stream().map(TensorType::toString).toList();
    if (!stated.equals(found)) {
      throw field(node, key)
          .error(
              String.format(
                  "%s.%s is %s, and %s has %s", at, key, stated, text.getFileName(), found));
    }
  }

  private PlanClass planClass(JsonTree node, String at) {
    ImmutableSortedSet.Builder<Integer> ranks = ImmutableSortedSet.naturalOrder();
    JsonTree of = node.get("ranks");
    if (of == null || !(of.is(JsonTree.Kind.STRING) && of.text().equals("all"))) {
      ImmutableList<JsonTree> listed = list(node, "ranks", at);
      if (listed.isEmpty()) {
        throw field(node, "ranks")
            .error(at + ".ranks is empty; the plan of every rank says \"all\"");
      }
      for (JsonTree rank : listed) {
        ranks.add(integer(rank, at + ".ranks"));
      }
    }
    List<PlanStep> steps = new ArrayList<>();
    for (JsonTree step : list(node, "steps", at)) {
      steps.add(step(step, at + ".steps[" + steps.size() + "]"));
    }
    ImmutableList<PlanValue> arguments = arguments(node, at, steps);
    ImmutableList<String> results = strings(node, "results", at);
    String problem = ExecutionPlan.problem(arguments, steps, results);
    if (problem != null) {
      throw node.error(at + ": " + problem);
    }
    return new PlanClass(
        ranks.build(), new ExecutionPlan(arguments, ImmutableList.copyOf(steps), results));
  }

  private PlanStep step(JsonTree node, String at) {
    String name = text(node, "segment", at);
    Segment segment = segments.get(name);
    if (segment == null) {
      throw field(node, "segment").error(at + ".segment is " + name + ", which is not listed");
    }
    try {
      return new PlanStep(segment, strings(node, "inputs", at), strings(node, "outputs", at));
    } catch (IllegalArgumentException e) {
      throw node.error(at + ": " + e.getMessage());
    }
  }

  /** Types of arguments are those that their users take; what is written must be the same. */
  private ImmutableList<PlanValue> arguments(JsonTree node, String at, List<PlanStep> steps) {
    ImmutableList.Builder<PlanValue> out = ImmutableList.builder();
    int number = 0;
    for (JsonTree argument : list(node, "arguments", at)) {
      String place = at + ".arguments[" + number++ + "]";
      String name = text(argument, "name", place);
      String written = text(argument, "type", place);
      TensorType used = used(name, steps);
      TensorType type = used != null ? used : SegmentTypes.parse(written);
      if (type == null || !type.toString().equals(written)) {
        throw field(argument, "type")
            .error(
                place
                    + ".type is "
                    + written
                    + (used == null ? ", which is none" : ", used as " + used));
      }
      out.add(new PlanValue(name, type));
    }
    return out.build();
  }

  private static @Nullable TensorType used(String name, List<PlanStep> steps) {
    for (PlanStep step : steps) {
      int index = step.inputs().indexOf(name);
      if (index >= 0) {
        return step.segment().inputs().get(index);
      }
    }
    return null;
  }

  private static OptionalInt count(JsonTree root, String key) {
    JsonTree node = root.get(key);
    if (node == null) {
      return OptionalInt.empty();
    }
    int value = integer(node, key);
    if (value < 1) {
      throw node.error(key + " is " + value + ", must be at least 1");
    }
    return OptionalInt.of(value);
  }

  private static int integer(JsonTree node, String at) {
    Integer value = node.integer();
    if (value == null) {
      throw node.error(at + " holds " + node + ", which is no number of an index");
    }
    return value;
  }

  /** Returns a member that was found before. */
  private static JsonTree field(JsonTree node, String key) {
    return requireNonNull(node.get(key));
  }

  private static String text(JsonTree node, String key, String at) {
    return member(node, key, at, JsonTree.Kind.STRING, "a string").text();
  }

  private static ImmutableList<JsonTree> list(JsonTree node, String key, String at) {
    return member(node, key, at, JsonTree.Kind.LIST, "a list").elements();
  }

  private static JsonTree member(
      JsonTree node, String key, String at, JsonTree.Kind kind, String what) {
    JsonTree value = node.get(key);
    if (value == null || !value.is(kind)) {
      throw (value == null ? node : value)
          .error((at.isEmpty() ? key : at + "." + key) + " must be " + what);
    }
    return value;
  }

  private static ImmutableList<String> strings(JsonTree node, String key, String at) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (JsonTree value : list(node, key, at)) {
      if (!value.is(JsonTree.Kind.STRING)) {
        throw value.error(at + "." + key + " holds " + value + ", which is no string");
      }
      out.add(value.text());
    }
    return out.build();
  }
}
