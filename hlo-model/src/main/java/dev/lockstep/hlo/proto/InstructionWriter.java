package dev.lockstep.hlo.proto;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.proto.xla.CustomCallApiVersion;
import dev.lockstep.hlo.proto.xla.DotDimensionNumbers;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.PrecisionConfig;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import dev.lockstep.hlo.proto.xla.Window;
import dev.lockstep.hlo.text.mlir.MlirAttributes;
import dev.lockstep.hlo.type.Type;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes an operation in HLO syntax as an instruction of a proto. */
final class InstructionWriter {
  private final Operation operation;
  private final ProtoIds ids;
  private final HloInstructionProto.Builder out = HloInstructionProto.newBuilder();

  private InstructionWriter(Operation operation, ProtoIds ids) {
    this.operation = operation;
    this.ids = ids;
  }

  /**
   * Returns the proto of {@code operation}.
   *
   * @throws DiagnosticException if it has an attribute that no proto holds
   */
  static HloInstructionProto write(Operation operation, ProtoIds ids) {
    return new InstructionWriter(operation, ids).write();
  }

  private DiagnosticException error(String message) {
    return DiagnosticException.error("hlo-proto-attribute", message, operation.location());
  }

  private HloInstructionProto write() {
    Location location = operation.location();
    Rest.restore(operation.attributes(), location, out);
    String opcode = operation.def().hloName();
    if (opcode == null) {
      throw error("HLO has no opcode for " + operation.def().name());
    }
    ShapeProto shape = ShapeForms.proto(operation.result().type(), location);
    out.setName(ids.name(operation.result()))
        .setId(ids.of(operation.result()))
        .setOpcode(opcode)
        .setShape(Rest.withShape(shape, out.getShape()));
    operation.operands().forEach(operand -> out.addOperandIds(ids.of(operand)));
    ToLongFunction<String> callees = name -> ids.computation(name, operation);
    CalleeForms.write(operation, callees, out);
    Attributes attributes = operation.attributes();
    for (int i = 0; i < attributes.size(); i++) {
      String name = attributes.name(i);
      if (!CalleeForms.ATTRIBUTES.contains(name) && !name.equals(Rest.NAME)) {
        if (!attribute(name, attributes.value(i), opcode)) {
          throw error(
              "attribute '"
                  + name
                  + "' of "
                  + opcode
                  + " has no place in an HLO proto in this form");
        }
      }
    }
    defaults(opcode);
    return out.build();
  }

  /** Sets what text leaves out and a proto says. */
  private void defaults(String opcode) {
    switch (opcode) {
      case "convolution" -> {
        counts();
        if (!out.hasWindow()) {
          out.setWindow(Window.getDefaultInstance());
        }
      }
      case "dot" -> {
        if (!out.hasDotDimensionNumbers()) {
          out.setDotDimensionNumbers(DotDimensionNumbers.getDefaultInstance());
        }
      }
      case "outfeed" -> {
        if (!out.hasOutfeedShape()) {
          out.setOutfeedShape(ShapeForms.proto(operation.operand(0).type(), operation.location()));
        }
      }
      case "custom-call" -> {
        counts();
        if (out.getCustomCallApiVersionValue() == 0) {
          out.setCustomCallApiVersion(CustomCallApiVersion.API_VERSION_ORIGINAL);
        }
      }
      case "compare" -> {
        if (out.getComparisonType().isEmpty()) {
          ShapeProto operand = ShapeForms.proto(operation.operand(0).type(), operation.location());
          out.setComparisonType(InstructionText.usualComparison(operand.getElementType()));
        }
      }
      case "async-start", "async-update", "async-done" -> {
        if (out.getAsyncExecutionThread().isEmpty()) {
          out.setAsyncExecutionThread(ids.thread(operation.result()));
        }
      }
      default -> {}
    }
  }

  private void counts() {
    if (out.getFeatureGroupCount() == 0) {
      out.setFeatureGroupCount(1);
    }
    if (out.getBatchGroupCount() == 0) {
      out.setBatchGroupCount(1);
    }
  }

  private boolean attribute(String name, Attribute value, String opcode) {
    Location location = operation.location();
    String raw = value instanceof Attribute.Raw ? ((Attribute.Raw) value).text() : null;
    switch (name) {
      case BuiltinOps.PARAMETER_NUMBER -> {
        out.setParameterNumber(requireNonNull(AttrKeys.asLong(value)));
        return true;
      }
      case "channel_id" -> {
        long channel = number(value);
        out.setChannelId(channel == 0 ? Collectives.NOT_ZERO : channel);
        return true;
      }
      case "value", "literal" -> {
        return literal(name, value);
      }
      case "replica_groups" -> {
        return GroupForms.writeGroups(value, location, out);
      }
      case "source_target_pairs" -> {
        return GroupForms.writePairs(value, out);
      }
      case "slice_sizes" -> {
        return GroupForms.isPaired(opcode)
            ? SliceForms.write(value, out)
            : PlainFields.write(name, value, opcode, out);
      }
      case "window", "slice", "padding", "dim_labels" -> {
        return WindowForms.write(name, value, location, out);
      }
      case "feature_group_count" -> {
        out.setFeatureGroupCount(number(value));
        return true;
      }
      case "batch_group_count" -> {
        out.setBatchGroupCount(number(value));
        return true;
      }
      case "type" -> {
        out.setComparisonType(word(name, value));
        return true;
      }
      case "algorithm" -> {
        if (opcode.equals("rng-bit-generator")) {
          return PlainFields.write(name, value, opcode, out);
        }
        String algorithm = "ALG_" + Ascii.toUpperCase(word(name, value));
        out.getPrecisionConfigBuilder()
            .setAlgorithm(choice(PrecisionConfig.Algorithm.class, algorithm));
        return true;
      }
      case "operand_precision" -> {
        return precision(raw);
      }
      case "api_version" -> {
        out.setCustomCallApiVersion(choice(CustomCallApiVersion.class, word(name, value)));
        return true;
      }
      case "operand_layout_constraints" -> {
        return shapes(value);
      }
      case "outfeed_shape" -> {
        if (value instanceof Attribute.TypeOf) {
          out.setOutfeedShape(ShapeForms.proto(((Attribute.TypeOf) value).type(), location));
        }
        return value instanceof Attribute.TypeOf;
      }
      case "async_execution_thread" -> {
        out.setAsyncExecutionThread(word(name, value));
        return true;
      }
      case "frontend_attributes" -> {
        return value instanceof Attribute.Dict && strings((Attribute.Dict) value);
      }
      case "backend_config" -> {
        return backendConfig(value);
      }
      case "control-predecessors" -> {
        return predecessors(value);
      }
      default -> {
        return raw != null && text(name, raw) || PlainFields.write(name, value, opcode, out);
      }
    }
  }

  private boolean text(String name, String text) {
    Location location = operation.location();
    switch (name) {
      case "output_to_operand_aliasing" -> AliasForms.write(text, location, out);
      case "sharding" -> out.setSharding(ShardingForms.proto(text, location));
      case "metadata" ->
          out.setMetadata(
              MetadataForms.proto(text, location).toBuilder().mergeFrom(out.getMetadata()));
      case "statistics" -> out.setStatisticsViz(MetadataForms.statistics(text, location));
      case "result_accuracy" -> out.setResultAccuracy(MetadataForms.accuracy(text, location));
      case "domain" -> domain(new TextScanner(text, location));
      case "parameter_replication" -> {
        TextScanner in = new TextScanner(text, location);
        in.expect("{");
        while (!in.accept("}")) {
          out.getParameterReplicationBuilder().addReplicatedAtLeafBuffers(in.word().equals("true"));
          in.accept(",");
        }
      }
      case "origin" -> out.setOriginalValue(OriginForms.proto(text, location));
      default -> {
        return false;
      }
    }
    return true;
  }

  private void domain(TextScanner in) {
    in.expect("{");
    while (!in.accept("}")) {
      String name = in.word();
      in.expect("=");
      if (name.equals("kind")) {
        in.string();
      } else {
        in.expect("{");
        String sharding = "{" + in.untilClosed() + "}";
        // XLA's text calls the one of users the entry, its proto the one of the operand.
        if (name.equals("entry")) {
          out.setDomainExitSharding(ShardingForms.proto(sharding, operation.location()));
        } else {
          out.setDomainEntrySharding(ShardingForms.proto(sharding, operation.location()));
        }
      }
      in.accept(",");
    }
  }

  private boolean literal(String name, Attribute value) {
    if (value instanceof Attribute.Dense) {
      Attribute.Dense dense = (Attribute.Dense) value;
      Type type = name.equals("value") ? operation.result().type() : dense.type();
      out.setLiteral(LiteralForms.proto(dense.literal(), type, operation.location()));
      return true;
    }
    if (value instanceof Attribute.Raw) {
      throw DiagnosticException.error(
          "elided-literal",
          "the values of this constant are not in the program, and a proto without them is none",
          operation.location());
    }
    return false;
  }

  private long number(Attribute value) {
    Long number = AttrKeys.asLong(value);
    if (number == null) {
      throw error("expected a number");
    }
    return number;
  }

  private String word(String name, Attribute value) {
    String word = AttrKeys.asWord(value);
    if (word == null) {
      throw error("attribute '" + name + "' must be a word");
    }
    return word;
  }

  private <E extends Enum<E>> E choice(Class<E> type, String name) {
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw error("'" + name + "' is no " + type.getSimpleName() + " that an HLO proto knows");
    }
  }

  private boolean precision(@Nullable String text) {
    if (text == null) {
      return false;
    }
    TextScanner in = new TextScanner(text, operation.location());
    in.expect("{");
    while (!in.accept("}")) {
      String name = Ascii.toUpperCase(in.word());
      out.getPrecisionConfigBuilder()
          .addOperandPrecision(choice(PrecisionConfig.Precision.class, name));
      in.accept(",");
    }
    return true;
  }

  private boolean shapes(Attribute value) {
    if (!(value instanceof Attribute.Array)) {
      return false;
    }
    out.setConstrainLayout(true);
    for (Attribute element : ((Attribute.Array) value).elements()) {
      if (!(element instanceof Attribute.TypeOf)) {
        return false;
      }
      Type type = ((Attribute.TypeOf) element).type();
      out.addOperandShapesWithLayout(ShapeForms.proto(type, operation.location()));
    }
    return true;
  }

  private boolean strings(Attribute.Dict dict) {
    dict.entries()
        .forEach((key, value) -> out.getFrontendAttributesBuilder().putMap(key, string(value)));
    return true;
  }

  /** Returns what a string says, or the text of braces. */
  static String string(Attribute value) {
    return value instanceof Attribute.Str
        ? ((Attribute.Str) value).value()
        : value instanceof Attribute.Raw ? ((Attribute.Raw) value).text() : value.toString();
  }

  private boolean backendConfig(Attribute value) {
    if (value instanceof Attribute.Str) {
      out.setBackendConfig(ProtoStrings.bytes((Attribute.Str) value));
    } else if (value instanceof Attribute.Raw) {
      out.setBackendConfig(ProtoStrings.bytes(Attribute.Str.of(((Attribute.Raw) value).text())));
    } else if (value instanceof Attribute.Dict) {
      StringBuilder text = new StringBuilder();
      MlirAttributes.writeInOrder(text, (Attribute.Dict) value);
      out.setBackendConfig(ProtoStrings.bytes(Attribute.Str.of(text.toString())));
    } else {
      return false;
    }
    return true;
  }

  private boolean predecessors(Attribute value) {
    if (!(value instanceof Attribute.Array)) {
      return false;
    }
    for (Attribute element : ((Attribute.Array) value).elements()) {
      if (!(element instanceof Attribute.Symbol)) {
        return false;
      }
      out.addControlPredecessorIds(ids.instruction(((Attribute.Symbol) element).name(), operation));
    }
    return true;
  }
}
