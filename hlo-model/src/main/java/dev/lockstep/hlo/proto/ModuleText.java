package dev.lockstep.hlo.proto;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.proto.xla.HloComputationProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.HloModuleConfigProto;
import dev.lockstep.hlo.proto.xla.HloModuleProto;
import dev.lockstep.hlo.proto.xla.HloScheduleProto.InstructionSequence;
import dev.lockstep.hlo.proto.xla.ProgramShapeProto;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a proto as the HLO text that says the same, for the reader of HLO text. */
final class ModuleText {
  private ModuleText() {}

  /** Returns the text of {@code proto}; {@code config} gives the counts that the module lacks. */
  static String of(HloModuleProto proto, HloModuleConfigProto config, Source source) {
    ProtoNames names = new ProtoNames(proto, source);
    StringBuilder out = new StringBuilder("HloModule ");
    String name = proto.getName().replaceAll("[^A-Za-z0-9_.\\-]", "_");
    out.append(name.isEmpty() ? "module" : name);
    header(proto, config, out);
    out.append("\n\n");
    StackTables.append(out, proto.getStackFrameIndex());
    Map<Long, InstructionSequence> schedule = proto.getSchedule().getSequencesMap();
    for (HloComputationProto computation : proto.getComputationsList()) {
      boolean entry =
          proto.getEntryComputationId() != 0 || proto.getEntryComputationName().isEmpty()
              ? computation.getId() == proto.getEntryComputationId()
              : computation.getName().equals(proto.getEntryComputationName());
      out.append(entry ? "ENTRY %" : "%").append(names.computation(computation.getId()));
      out.append(" {\n");
      InstructionSequence sequence = schedule.get(computation.getId());
      List<HloInstructionProto> instructions = ordered(computation, sequence, names);
      boolean keepIds = !ascending(instructions);
      for (HloInstructionProto instruction : instructions) {
        out.append(instruction.getId() == computation.getRootId() ? "  ROOT " : "  ");
        InstructionText.append(instruction, names, keepIds, out);
        out.append('\n');
      }
      out.append('}');
      AttributeText attributes = new AttributeText(out);
      String thread = computation.getExecutionThread();
      HloComputationProto.Builder rest = computation.toBuilder();
      if (!thread.isEmpty() && !thread.equals("main")) {
        attributes.putQuoted("execution_thread", Attribute.Str.of(thread));
        rest.clearExecutionThread();
      }
      rest.clearName().clearInstructions().clearProgramShape().clearId().clearRootId();
      Attribute.Str kept = Rest.attribute(rest.clearIsFusionComputation().build());
      if (kept != null) {
        attributes.putQuoted(Rest.NAME, kept);
      }
      out.append("\n\n");
    }
    return out.toString();
  }

  /**
   * Returns whether ids grow along the list. XLA puts instructions, scheduled or not, and with them
   * what they call, in the order of their ids.
   */
  private static boolean ascending(List<HloInstructionProto> instructions) {
    for (int i = 1; i < instructions.size(); i++) {
      if (instructions.get(i - 1).getId() > instructions.get(i).getId()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the instructions as they are scheduled, or else as they stand. */
  private static List<HloInstructionProto> ordered(
      HloComputationProto computation, @Nullable InstructionSequence sequence, ProtoNames names) {
    if (sequence == null
        || sequence.getInstructionIdsCount() != computation.getInstructionsCount()) {
      return computation.getInstructionsList();
    }
    List<HloInstructionProto> out = new ArrayList<>();
    for (long id : sequence.getInstructionIdsList()) {
      out.add(names.proto(id));
    }
    return out;
  }

  private static void header(HloModuleProto proto, HloModuleConfigProto config, StringBuilder out) {
    AttributeText header = new AttributeText(out);
    HloModuleProto.Builder rest = proto.toBuilder();
    if (proto.getSchedule().getSequencesCount() > 0) {
      header.put("is_scheduled", "true");
    }
    if (proto.getInputOutputAlias().getEntriesCount() > 0) {
      header.put("input_output_alias", AliasForms.text(proto.getInputOutputAlias()));
    }
    if (proto.getBufferDonor().getEntriesCount() > 0) {
      header.put("buffer_donor", AliasForms.text(proto.getBufferDonor()));
    }
    if (proto.hasHostProgramShape()) {
      header.put("entry_computation_layout", program(proto.getHostProgramShape()));
    }
    flags(
        header,
        "allow_spmd_sharding_propagation_to_parameters",
        config.getAllowSpmdShardingPropagationToParametersList());
    flags(
        header,
        "allow_spmd_sharding_propagation_to_output",
        config.getAllowSpmdShardingPropagationToOutputList());
    if (config.getReplicaCount() > 1) {
      header.put("replica_count", Long.toString(config.getReplicaCount()));
    }
    if (config.getNumPartitions() > 1) {
      header.put("num_partitions", Long.toString(config.getNumPartitions()));
    }
    if (proto.getFrontendAttributes().getMapCount() > 0) {
      header.put(
          "frontend_attributes",
          InstructionText.strings(proto.getFrontendAttributes().getMapMap()));
    }
    rest.getFrontendAttributesBuilder().clearMap();
    rest.getHostProgramShapeBuilder().clearParameters().clearResult().clearParameterNames();
    rest.clearName()
        .clearEntryComputationName()
        .clearEntryComputationId()
        .clearComputations()
        .clearSchedule()
        .clearInputOutputAlias()
        .clearBufferDonor()
        .clearStackFrameIndex();
    Attribute.Str kept = Rest.attribute(rest.build());
    if (kept != null) {
      header.putQuoted(Rest.NAME, kept);
    }
  }

  private static void flags(AttributeText header, String name, List<Boolean> flags) {
    if (!flags.isEmpty()) {
      String text = flags.toString().replace(" ", "");
      header.put(name, "{" + text.substring(1, text.length() - 1) + "}");
    }
  }

  private static String program(ProgramShapeProto shape) {
    List<String> parameters = new ArrayList<>();
    for (ShapeProto parameter : shape.getParametersList()) {
      parameters.add(ShapeForms.text(parameter));
    }
    String inputs = String.join(", ", parameters);
    return "{(" + inputs + ")->" + ShapeForms.text(shape.getResult()) + "}";
  }
}
