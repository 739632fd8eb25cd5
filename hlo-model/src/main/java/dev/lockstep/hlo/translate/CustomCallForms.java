package dev.lockstep.hlo.translate;

import com.google.common.collect.ImmutableBiMap;
import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.op.control.CustomCall;
import org.jspecify.annotations.Nullable;

/** The attributes of custom calls that say how code from outside is called. */
final class CustomCallForms {
  private static final ImmutableBiMap<Long, String> VERSIONS =
      ImmutableBiMap.of(
          1L, "API_VERSION_ORIGINAL",
          2L, "API_VERSION_STATUS_RETURNING",
          3L, "API_VERSION_STATUS_RETURNING_UNIFIED",
          4L, "API_VERSION_TYPED_FFI");

  /** What only calls of HLO text say, and their code may depend on. */
  static final ImmutableList<String> ONLY_HLO =
      ImmutableList.of(
          "output_to_operand_aliasing",
          "window",
          "dim_labels",
          "feature_group_count",
          "batch_group_count",
          "literal",
          "padding_type",
          "schedule");

  private CustomCallForms() {}

  /**
   * Returns the op that a call of its name stands for, {@code mhlo.topk} for one, as texts for
   * older consumers have them; null for any other call.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if there is no such op
   */
  static @Nullable Operation named(Operation operation) {
    String target = CustomCall.TARGET.get(operation);
    if (!target.startsWith("mhlo.") && !target.startsWith("chlo.")) {
      return null;
    }
    String name = target.substring(target.indexOf('.') + 1);
    OpDef def = OpSet.standard().byName("chlo." + (name.equals("topk") ? "top_k" : name));
    if (def == null) {
      throw Untranslatable.op(operation, "there is no op " + target);
    }
    Attributes attributes = Attributes.EMPTY;
    for (String key : new String[] {"mhlo.attributes", "chlo.attributes"}) {
      if (operation.attribute(key) instanceof Attribute.Dict dict) {
        attributes = dict.entries();
      }
    }
    return new Operation(
        def,
        operation.operands(),
        operation.results(),
        attributes,
        ImmutableList.of(),
        operation.location(),
        operation.debugLocation());
  }

  static void toHlo(Operation operation, Attributes.Builder out) {
    Attribute version = operation.attribute("api_version");
    Long number = version == null ? null : AttrKeys.asLong(version);
    if (number != null && number != 1) {
      String word = VERSIONS.get(number);
      if (word == null) {
        throw Untranslatable.attribute(operation, "api_version");
      }
      out.put("api_version", new Attribute.Word("", word));
    }
    Attribute config = operation.attribute("backend_config");
    if (config != null) {
      out.put("backend_config", config);
    }
  }

  static void toMlir(Operation operation, Attributes.Builder out) {
    Attribute version = operation.attribute("api_version");
    if (version != null) {
      Long number = VERSIONS.inverse().get(String.valueOf(AttrKeys.asWord(version)));
      if (number == null) {
        throw Untranslatable.attribute(operation, "api_version");
      }
      out.put("api_version", Attribute.Int.i32(number));
    }
    Attribute config = operation.attribute("backend_config");
    if (config instanceof Attribute.Raw) {
      // HLO text leaves out the quotes around braces; it is a string all the same.
      out.put("backend_config", Attribute.Str.of(((Attribute.Raw) config).text()));
    } else if (config != null) {
      out.put("backend_config", config);
    }
  }
}
