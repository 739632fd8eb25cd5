package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of an instruction while it is being read. Reused for the next one. */
final class InstructionFrame {
  int begin;
  int nameEnd;
  int opcodeBegin;
  int opcodeEnd;
  boolean root;
  @Nullable Symbol name;
  @Nullable Symbol opcode;
  @Nullable OpDef def;
  @Nullable Type type;
  final List<Value> operands = new ArrayList<>();
  Attributes.Builder attributes = Attributes.builder();

  /** An operand's name, until it is clear that no parenthesis follows it. */
  @Nullable Symbol pending;

  int pendingBegin;
  int pendingEnd;
  @Nullable Type pendingType;

  void reset(int from) {
    begin = from;
    nameEnd = from;
    root = false;
    name = null;
    opcode = null;
    def = null;
    type = null;
    pending = null;
    operands.clear();
    attributes = Attributes.builder();
  }

  Symbol opcode() {
    return requireNonNull(opcode);
  }

  Location opcodeLocation(Source source) {
    return new Location(source, opcodeBegin, opcodeEnd);
  }
}
