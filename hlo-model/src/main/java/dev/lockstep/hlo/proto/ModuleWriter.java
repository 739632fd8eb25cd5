package dev.lockstep.hlo.proto;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.control.Fusion;
import dev.lockstep.hlo.proto.xla.HloComputationProto;
import dev.lockstep.hlo.proto.xla.HloModuleProto;
import dev.lockstep.hlo.proto.xla.HloScheduleProto;
import dev.lockstep.hlo.proto.xla.ProgramShapeProto;
import dev.lockstep.hlo.proto.xla.StackFrameIndexProto;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import java.util.HashSet;
import java.util.Set;

/** Writes a module in HLO syntax as a proto. */
final class ModuleWriter {
  /** Header attributes that a proto does not hold: they travel in a config or in options. */
  private static final ImmutableSet<String> BESIDE =
      ImmutableSet.of(
          Module.REPLICA_COUNT,
          Module.NUM_PARTITIONS,
          "allow_spmd_sharding_propagation_to_parameters",
          "allow_spmd_sharding_propagation_to_output",
          "alias_passthrough_params");

  private final Module module;
  private final ProtoIds ids;
  private final Set<String> fused = new HashSet<>();
  private final HloModuleProto.Builder out = HloModuleProto.newBuilder();

  private ModuleWriter(Module module) {
    this.module = module;
    this.ids = new ProtoIds(module);
  }

  /**
   * Returns the proto of {@code module}.
   *
   * @throws DiagnosticException if it holds something that no proto does
   */
  static HloModuleProto write(Module module) {
    return new ModuleWriter(module).write();
  }

  private HloModuleProto write() {
    Rest.restore(module.attributes(), module.location(), out);
    String name = module.name();
    out.setName(name == null ? "module" : name);
    for (Function function : module.functions()) {
      for (Operation operation : function.body().operations()) {
        if (operation.is(Fusion.DEF)) {
          fused.addAll(Bodies.callees(operation));
        }
      }
    }
    Function entry = module.requireEntry();
    boolean scheduled = module.attributes().get("is_scheduled") == Attribute.Bool.TRUE;
    HloScheduleProto.Builder schedule = HloScheduleProto.newBuilder();
    for (Function function : module.functions()) {
      HloComputationProto computation = computation(function);
      out.addComputations(computation);
      if (scheduled && !fused.contains(function.name())) {
        HloScheduleProto.InstructionSequence.Builder sequence =
            HloScheduleProto.InstructionSequence.newBuilder();
        computation.getInstructionsList().forEach(i -> sequence.addInstructionIds(i.getId()));
        schedule.putSequences(computation.getId(), sequence.build());
      }
    }
    if (scheduled) {
      out.setSchedule(schedule);
    }
    out.setEntryComputationName(entry.name())
        .setEntryComputationId(ids.computation(entry.name(), entry.operation()));
    header(entry);
    return out.build();
  }

  private HloComputationProto computation(Function function) {
    ids.enter(function);
    Operation operation = function.operation();
    HloComputationProto.Builder computation = HloComputationProto.newBuilder();
    Rest.restore(operation.attributes(), operation.location(), computation);
    computation
        .setName(function.name())
        .setId(ids.computation(function.name(), operation))
        .setIsFusionComputation(fused.contains(function.name()))
        .setRootId(ids.of(requireNonNull(function.body().root()).result()));
    ProgramShapeProto.Builder shape = computation.getProgramShapeBuilder();
    for (Value parameter : function.parameters()) {
      shape.addParameters(ShapeForms.proto(parameter.type(), operation.location()));
      shape.addParameterNames(ids.name(parameter));
    }
    shape.setResult(ShapeForms.proto(function.resultTypes().get(0), operation.location()));
    for (Operation instruction : function.body().operations()) {
      computation.addInstructions(InstructionWriter.write(instruction, ids));
    }
    operation
        .attributes()
        .forEach(
            (name, value) -> {
              if (name.equals("execution_thread")) {
                computation.setExecutionThread(InstructionWriter.string(value));
              } else if (!name.equals(BuiltinOps.SYM_NAME) && !name.equals(Rest.NAME)) {
                throw unplaced(name, operation.location());
              }
            });
    return computation.build();
  }

  private static DiagnosticException unplaced(String name, Location location) {
    return DiagnosticException.error(
        "hlo-proto-attribute", "attribute '" + name + "' has no place in an HLO proto", location);
  }

  private void header(Function entry) {
    Location location = module.location();
    FunctionType layout = null;
    Attributes header = module.attributes();
    for (int i = 0; i < header.size(); i++) {
      String name = header.name(i);
      Attribute value = header.value(i);
      String raw = value instanceof Attribute.Raw ? ((Attribute.Raw) value).text() : "";
      switch (name) {
        case "is_scheduled", Rest.NAME -> {}
        case "input_output_alias" -> out.setInputOutputAlias(AliasForms.aliases(raw, location));
        case "buffer_donor" -> out.setBufferDonor(AliasForms.donors(raw, location));
        case "entry_computation_layout" -> {
          if (value instanceof Attribute.TypeOf) {
            layout = (FunctionType) ((Attribute.TypeOf) value).type();
          }
        }
        case "frontend_attributes" ->
            ((Attribute.Dict) value)
                .entries()
                .forEach(
                    (key, text) ->
                        out.getFrontendAttributesBuilder()
                            .putMap(key, InstructionWriter.string(text)));
        default -> {
          if (!StackTables.NAMES.contains(name) && !BESIDE.contains(name)) {
            throw unplaced(name, location);
          }
        }
      }
    }
    StackFrameIndexProto tables = StackTables.proto(header, location);
    if (tables.getSerializedSize() > 0) {
      out.setStackFrameIndex(tables);
    }
    ProgramShapeProto.Builder shape =
        out.getComputations((int) out.getEntryComputationId()).getProgramShape().toBuilder();
    if (layout != null && layout.inputs().size() == shape.getParametersCount()) {
      // Passes change the entry's shapes; a layout that does not fit them any more says nothing.
      for (int i = 0; i < layout.inputs().size(); i++) {
        Type type = layout.inputs().get(i);
        if (type.isSameShape(entry.parameters().get(i).type())) {
          shape.setParameters(i, ShapeForms.proto(type, location));
        }
      }
      if (layout.results().get(0).isSameShape(entry.resultTypes().get(0))) {
        shape.setResult(ShapeForms.proto(layout.results().get(0), location));
      }
    }
    out.setHostProgramShape(shape.build().toBuilder().mergeFrom(out.getHostProgramShape()).build());
  }
}
