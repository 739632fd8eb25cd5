package dev.lockstep.hlo.proto;

import com.google.common.base.Ascii;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.proto.xla.CustomCallApiVersion;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.PrecisionConfig;
import dev.lockstep.hlo.proto.xla.PrimitiveType;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import dev.lockstep.hlo.text.hlo.HloFragments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes an instruction of a proto as a line of HLO text. */
final class InstructionText {
  private final HloInstructionProto proto;
  private final HloInstructionProto.Builder rest;
  private final ProtoNames names;
  private final StringBuilder out;
  private final AttributeText attributes;

  private InstructionText(HloInstructionProto proto, ProtoNames names, StringBuilder out) {
    this.proto = proto;
    this.rest = proto.toBuilder();
    this.names = names;
    this.out = out;
    this.attributes = new AttributeText(out);
  }

  /** Appends {@code proto}, without line end; {@code keepId} also keeps its id. */
  static void append(
      HloInstructionProto proto, ProtoNames names, boolean keepId, StringBuilder out) {
    new InstructionText(proto, names, out).append(keepId);
  }

  private void append(boolean keepId) {
    String opcode = proto.getOpcode();
    out.append('%').append(names.instruction(proto.getId())).append(" = ");
    out.append(ShapeForms.text(proto.getShape())).append(' ').append(opcode).append('(');
    switch (opcode) {
      case "parameter" -> out.append(proto.getParameterNumber());
      case "constant" -> constant();
      default -> {
        for (int i = 0; i < proto.getOperandIdsCount(); i++) {
          out.append(i == 0 ? "%" : ", %").append(names.instruction(proto.getOperandIds(i)));
        }
      }
    }
    out.append(')');
    rest.clearName()
        .clearOpcode()
        .clearOperandIds()
        .clearParameterNumber()
        .setShape(Rest.ofShape(proto.getShape()));
    if (!keepId) {
      rest.clearId();
    }
    PlainFields.read(proto, attributes, rest);
    GroupForms.read(proto, attributes, rest);
    SliceForms.read(proto, names, attributes, rest);
    WindowForms.read(proto, attributes, rest);
    CalleeForms.read(proto, names, attributes, rest);
    counts();
    comparison();
    precision();
    customCall();
    dictionaries();
    if (!proto.getControlPredecessorIdsList().isEmpty()) {
      StringBuilder text = new StringBuilder("{");
      for (long id : proto.getControlPredecessorIdsList()) {
        text.append(text.length() == 1 ? "%" : ", %").append(names.instruction(id));
      }
      attributes.put("control-predecessors", text.append('}').toString());
      rest.clearControlPredecessorIds();
    }
    Attribute.Str kept = Rest.attribute(rest.build());
    if (kept != null) {
      attributes.putQuoted(Rest.NAME, kept);
    }
  }

  private void constant() {
    Literal literal = proto.hasLiteral() ? LiteralForms.literal(proto.getLiteral()) : null;
    if (literal == null) {
      out.append("{...}");
      return;
    }
    rest.clearLiteral();
    HloFragments.literal(out, literal);
  }

  private void counts() {
    if (proto.getFeatureGroupCount() > 1) {
      attributes.put("feature_group_count", Long.toString(proto.getFeatureGroupCount()));
    }
    if (proto.getBatchGroupCount() > 1) {
      attributes.put("batch_group_count", Long.toString(proto.getBatchGroupCount()));
    }
    rest.clearFeatureGroupCount().clearBatchGroupCount();
  }

  /** Text names the type of a comparison only where it is not the usual one of its operands. */
  private void comparison() {
    rest.clearComparisonType();
    String type = proto.getComparisonType();
    if (!type.isEmpty() && proto.getOperandIdsCount() > 0) {
      ShapeProto operand = names.proto(proto.getOperandIds(0)).getShape();
      if (!type.equals(usualComparison(operand.getElementType()))) {
        attributes.put("type", type);
      }
    }
  }

  /** Returns the comparison type that XLA takes for {@code type} when text names none. */
  static String usualComparison(PrimitiveType type) {
    return switch (type) {
      case S2, S4, S8, S16, S32, S64, S1 -> "SIGNED";
      case PRED, U2, U4, U8, U16, U32, U64, U1 -> "UNSIGNED";
      default -> "FLOAT";
    };
  }

  private void precision() {
    PrecisionConfig config = proto.getPrecisionConfig();
    boolean plain =
        config.getOperandPrecisionList().stream()
            .allMatch(p -> p == PrecisionConfig.Precision.DEFAULT);
    if (!plain) {
      StringBuilder text = new StringBuilder("{");
      for (PrecisionConfig.Precision precision : config.getOperandPrecisionList()) {
        text.append(text.length() == 1 ? "" : ",").append(Ascii.toLowerCase(precision.name()));
      }
      attributes.put("operand_precision", text.append('}').toString());
    }
    if (config.getAlgorithm() != PrecisionConfig.Algorithm.ALG_UNSET) {
      String name = config.getAlgorithm().name();
      attributes.put("algorithm", Ascii.toLowerCase(name.substring("ALG_".length())));
    }
    rest.getPrecisionConfigBuilder().clearOperandPrecision().clearAlgorithm();
  }

  private void customCall() {
    CustomCallApiVersion version = proto.getCustomCallApiVersion();
    if (version != CustomCallApiVersion.API_VERSION_UNSPECIFIED
        && version != CustomCallApiVersion.API_VERSION_ORIGINAL
        && version != CustomCallApiVersion.UNRECOGNIZED) {
      attributes.put("api_version", version.name());
    }
    rest.clearCustomCallApiVersion();
    boolean custom = proto.getOpcode().equals("custom-call");
    if (custom && proto.getConstrainLayout() || proto.getOperandShapesWithLayoutCount() > 0) {
      List<String> shapes = new ArrayList<>();
      for (ShapeProto shape : proto.getOperandShapesWithLayoutList()) {
        shapes.add(ShapeForms.text(shape));
      }
      attributes.put("operand_layout_constraints", "{" + String.join(", ", shapes) + "}");
    }
    rest.clearOperandShapesWithLayout();
    if (custom) {
      rest.clearConstrainLayout();
    }
    if (proto.getOutputOperandAliasingCount() > 0) {
      attributes.put("output_to_operand_aliasing", AliasForms.text(proto));
      rest.clearOutputOperandAliasing();
    }
    if (custom && proto.hasLiteral()) {
      Literal literal = LiteralForms.literal(proto.getLiteral());
      if (literal != null) {
        StringBuilder text = new StringBuilder(ShapeForms.text(proto.getLiteral().getShape()));
        HloFragments.literal(text.append(' '), literal);
        attributes.put("literal", text.toString());
        rest.clearLiteral();
      }
    }
    String thread = proto.getAsyncExecutionThread();
    if (!thread.isEmpty() && !thread.equals("main")) {
      attributes.putQuoted("async_execution_thread", Attribute.Str.of(thread));
    }
    rest.clearAsyncExecutionThread();
  }

  private void dictionaries() {
    if (proto.hasOutfeedShape() && proto.getOpcode().equals("outfeed")) {
      attributes.put("outfeed_shape", ShapeForms.text(proto.getOutfeedShape()));
      rest.clearOutfeedShape();
    }
    String sharding = proto.hasSharding() ? ShardingForms.text(proto.getSharding()) : null;
    if (sharding != null) {
      attributes.put("sharding", sharding);
      rest.clearSharding();
    }
    // XLA's text calls the one of users the entry, its proto the one of the operand.
    String entry = ShardingForms.text(proto.getDomainExitSharding());
    String exit = ShardingForms.text(proto.getDomainEntrySharding());
    if (proto.getOpcode().equals("domain") && entry != null && exit != null) {
      attributes.put("domain", "{kind=\"sharding\", entry=" + entry + ", exit=" + exit + "}");
      rest.clearDomainEntrySharding().clearDomainExitSharding();
    }
    if (proto.getParameterReplication().getReplicatedAtLeafBuffersCount() > 0) {
      String leaves = proto.getParameterReplication().getReplicatedAtLeafBuffersList().toString();
      attributes.put(
          "parameter_replication",
          "{" + leaves.substring(1, leaves.length() - 1).replace(" ", "") + "}");
      rest.clearParameterReplication();
    }
    if (proto.getFrontendAttributes().getMapCount() > 0) {
      attributes.put("frontend_attributes", strings(proto.getFrontendAttributes().getMapMap()));
    }
    rest.getFrontendAttributesBuilder().clearMap();
    if (proto.getStatisticsViz().getStatisticsCount() > 0) {
      attributes.put("statistics", MetadataForms.statistics(proto.getStatisticsViz()));
    }
    rest.clearStatisticsViz();
    if (proto.hasResultAccuracy()) {
      if (proto.getResultAccuracy().hasTolerance()
          || proto.getResultAccuracy().getModeValue() != 0) {
        attributes.put("result_accuracy", MetadataForms.accuracy(proto.getResultAccuracy()));
      }
      rest.clearResultAccuracy();
    }
    if (proto.hasOriginalValue()) {
      attributes.put("origin", OriginForms.text(proto.getOriginalValue()));
      rest.clearOriginalValue();
    }
    if (proto.hasMetadata()) {
      String text = MetadataForms.text(proto.getMetadata());
      if (!text.equals("{}")) {
        attributes.put("metadata", text);
      }
      MetadataForms.clear(rest.getMetadataBuilder());
    }
    if (!proto.getBackendConfig().isEmpty()) {
      attributes.putQuoted("backend_config", ProtoStrings.attribute(proto.getBackendConfig()));
      rest.clearBackendConfig();
    }
  }

  /** Returns {@code {a="x",b={json}}}, sorted. */
  static String strings(Map<String, String> map) {
    StringBuilder text = new StringBuilder("{");
    new TreeMap<>(map)
        .forEach(
            (key, value) -> {
              text.append(text.length() == 1 ? "" : ",").append(key).append('=');
              HloFragments.quoted(text, Attribute.Str.of(value));
            });
    return text.append('}').toString();
  }
}
