package dev.lockstep.hlo.proto;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.proto.xla.HloComputationProto;
import dev.lockstep.hlo.proto.xla.HloInstructionProto;
import dev.lockstep.hlo.proto.xla.HloModuleProto;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What the ids in a proto stand for. */
final class ProtoNames {
  private final Source source;
  private final Map<Long, HloInstructionProto> instructions = new HashMap<>();
  private final Map<Long, String> instructionNames = new HashMap<>();
  private final Map<Long, String> computationNames = new HashMap<>();

  ProtoNames(HloModuleProto module, Source source) {
    this.source = source;
    Set<String> used = new HashSet<>();
    for (HloComputationProto computation : module.getComputationsList()) {
      computationNames.put(computation.getId(), unique(used, computation.getName(), "computation"));
      Set<String> inside = new HashSet<>();
      for (HloInstructionProto instruction : computation.getInstructionsList()) {
        String opcode = instruction.getOpcode();
        if (instructions.put(instruction.getId(), instruction) != null) {
          throw error(
              "two instructions have the id " + instruction.getId() + ": " + instruction.getName());
        }
        instructionNames.put(instruction.getId(), unique(inside, instruction.getName(), opcode));
      }
    }
  }

  /** Returns {@code name} if text can hold it and nobody has it, else one like it. */
  private static String unique(Set<String> used, String name, String base) {
    String clean = name.isEmpty() ? base : name.replaceAll("[^A-Za-z0-9_.\\-]", "_");
    String free = clean;
    for (int i = 1; !used.add(free); i++) {
      free = clean + "." + i;
    }
    return free;
  }

  /** Returns an error about the whole proto. */
  DiagnosticException error(String message) {
    return DiagnosticException.error("hlo-proto", message, whole(source));
  }

  /** Returns the place of a proto as a whole: bytes are not worth showing. */
  static Location whole(Source source) {
    return new Location(Source.of(source.name(), new byte[0]), 0, 0);
  }

  /** Returns the name of instruction {@code id}. */
  String instruction(long id) {
    String name = instructionNames.get(id);
    if (name == null) {
      throw error("no instruction has the id " + id);
    }
    return name;
  }

  /** Returns instruction {@code id}. */
  HloInstructionProto proto(long id) {
    HloInstructionProto proto = instructions.get(id);
    if (proto == null) {
      throw error("no instruction has the id " + id);
    }
    return proto;
  }

  /** Returns the name of computation {@code id}. */
  String computation(long id) {
    String name = computationNames.get(id);
    if (name == null) {
      throw error("no computation has the id " + id);
    }
    return name;
  }
}
