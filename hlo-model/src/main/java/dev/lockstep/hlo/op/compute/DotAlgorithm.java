package dev.lockstep.hlo.op.compute;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.Constraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules about the algorithm that a dot_general asks for. */
public final class DotAlgorithm {
  /** Types of left, right and accumulator, and the number of primitive operations. */
  private static final ImmutableSet<String> KNOWN =
      ImmutableSet.of(
          "f16 f16 f16 1",
          "f16 f16 f32 1",
          "bf16 bf16 bf16 1",
          "bf16 bf16 f32 1",
          "bf16 bf16 f32 3",
          "bf16 bf16 f32 6",
          "bf16 bf16 f32 9",
          "tf32 tf32 f32 1",
          "tf32 tf32 f32 3",
          "f32 f32 f32 1",
          "f64 f64 f64 1");

  private DotAlgorithm() {}

  private static @Nullable Attributes fields(Operation operation) {
    Attribute algorithm = operation.attribute("algorithm");
    return algorithm instanceof Attribute.Struct ? ((Attribute.Struct) algorithm).fields() : null;
  }

  /** With an algorithm all precisions are the default. */
  static void precision(Operation operation, String code, DiagnosticSink sink) {
    Attribute given = operation.attribute("precision_config");
    if (fields(operation) == null || !(given instanceof Attribute.Array)) {
      return;
    }
    for (Attribute precision : ((Attribute.Array) given).elements()) {
      if (precision instanceof Attribute.Word
          && !((Attribute.Word) precision).value().equals("DEFAULT")) {
        sink.error(code, "precisions must be DEFAULT with an algorithm", operation.location());
        return;
      }
    }
  }

  /** The number under {@code name} is positive. */
  static Constraint.Check positive(String name) {
    return (operation, code, sink) -> {
      Attributes fields = fields(operation);
      Attribute value = fields == null ? null : fields.get(name);
      if (value instanceof Attribute.Int && ((Attribute.Int) value).value() < 1) {
        sink.error(
            code,
            name + " is " + ((Attribute.Int) value).value() + ", must be above zero",
            operation.location());
      }
    };
  }

  /** Some hardware knows the algorithm. */
  static void known(Operation operation, String code, DiagnosticSink sink) {
    Attributes fields = fields(operation);
    if (fields == null) {
      return;
    }
    String left = word(fields, "lhs_precision_type");
    String right = word(fields, "rhs_precision_type");
    String sum = word(fields, "accumulation_type");
    String count = word(fields, "num_primitive_operations");
    boolean single =
        word(fields, "lhs_component_count").equals("1")
            && word(fields, "rhs_component_count").equals("1");
    boolean imprecise = word(fields, "allow_imprecise_accumulation").equals("true");
    boolean small =
        left.startsWith("f8") && right.startsWith("f8") && sum.equals("f32") && count.equals("1");
    String all = left + " " + right + " " + sum + " " + count;
    if (!single || !small && (imprecise || !KNOWN.contains(all))) {
      sink.error(
          code,
          "no hardware is known for the algorithm " + operation.attribute("algorithm"),
          operation.location());
    }
  }

  private static String word(Attributes fields, String name) {
    Attribute value = fields.get(name);
    if (value instanceof Attribute.Int) {
      return Long.toString(((Attribute.Int) value).value());
    }
    if (value instanceof Attribute.Bool) {
      return Boolean.toString(((Attribute.Bool) value).value());
    }
    return value instanceof Attribute.Word
        ? ((Attribute.Word) value).value()
        : value instanceof Attribute.TypeOf ? ((Attribute.TypeOf) value).type().toString() : "";
  }

  /** Returns how HLO calls the algorithm that {@code operation} asks for, or null. */
  public static @Nullable String hloName(Operation operation) {
    Attributes fields = fields(operation);
    if (fields == null) {
      return null;
    }
    String left = word(fields, "lhs_precision_type");
    String count = word(fields, "num_primitive_operations");
    if (left.startsWith("f8")) {
      boolean fast = word(fields, "allow_imprecise_accumulation").equals("true");
      return "dot_any_f8_any_f8_f32" + (fast ? "_fast_accum" : "");
    }
    String types = left + "_" + word(fields, "rhs_precision_type");
    String sum = word(fields, "accumulation_type");
    return "dot_" + types + "_" + sum + (count.equals("1") ? "" : "_x" + count);
  }

  /** Returns the algorithm that HLO calls {@code name} as StableHLO writes it, or null. */
  public static @Nullable Attribute named(String name) {
    boolean any = name.startsWith("dot_any_f8_any_f8_f32");
    List<String> words = Splitter.on('_').splitToList(any ? "dot_f8E5M2_f8E5M2_f32" : name);
    String count = words.size() > 4 ? words.get(4).substring(1) : "1";
    if (words.size() < 4
        || !any && !KNOWN.contains(String.join(" ", words.subList(1, 4)) + " " + count)) {
      return null;
    }
    Attributes.Builder out = Attributes.builder();
    out.put("lhs_precision_type", new Attribute.Word("", words.get(1)));
    out.put("rhs_precision_type", new Attribute.Word("", words.get(2)));
    out.put("accumulation_type", new Attribute.Word("", words.get(3)));
    out.put("lhs_component_count", Attribute.Int.untyped(1));
    out.put("rhs_component_count", Attribute.Int.untyped(1));
    out.put("num_primitive_operations", Attribute.Int.untyped(Long.parseLong(count)));
    out.put("allow_imprecise_accumulation", Attribute.Bool.of(name.endsWith("_fast_accum")));
    return new Attribute.Struct("stablehlo.dot_algorithm", out.build());
  }
}
