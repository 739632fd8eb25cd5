package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.text.mlir.MlirAttributes;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes a module as XLA's {@code HloModule::ToString} does with its default options. */
public final class HloPrinter {
  /** Tables stand after the header, in this order. */
  private static final ImmutableSet<String> TABLES =
      ImmutableSet.of("FileNames", "FunctionNames", "FileLocations", "StackFrames");

  /** How names of attributes begin that text has no form for: what only protos say. */
  private static final String UNWRITTEN = "proto.";

  private final StringBuilder out = new StringBuilder(1 << 12);
  private final TypePrinter types = new TypePrinter();
  private final AttributePrinter attributes = new AttributePrinter(out, types);
  private final boolean operandShapes;
  private final Map<Value, String> madeUp = new IdentityHashMap<>();
  private final AsyncSugar sugar;

  private HloPrinter(Module module, boolean operandShapes) {
    this.sugar = AsyncSugar.of(module);
    this.operandShapes = operandShapes;
  }

  /** Returns the text of {@code module}, which must be in HLO syntax. */
  public static String print(Module module) {
    return print(module, false);
  }

  /**
   * Returns the text of {@code module}.
   *
   * @param operandShapes whether operands are written with their shapes, as XLA did until 2025
   */
  public static String print(Module module, boolean operandShapes) {
    HloPrinter printer = new HloPrinter(module, operandShapes);
    printer.module(module);
    return printer.out.toString();
  }

  private void module(Module module) {
    out.append("HloModule ").append(module.name());
    Attributes header = HeaderOrder.complete(module);
    for (int i = 0; i < header.size(); i++) {
      if (!TABLES.contains(header.name(i))) {
        attribute(header.name(i), header.value(i));
      }
    }
    out.append("\n\n");
    boolean tables = false;
    for (String name : TABLES) {
      Attribute table = header.get(name);
      if (table instanceof Attribute.Raw) {
        String text = ((Attribute.Raw) table).text();
        out.append(name).append('\n').append(text).append(text.isEmpty() ? "\n" : "\n\n");
        tables = true;
      }
    }
    if (tables) {
      out.append('\n');
    }
    for (Function function : module.functions()) {
      if (sugar.hides(function.name())) {
        continue;
      }
      computation(function, function.name().equals(module.entry()));
    }
  }

  private void computation(Function function, boolean entry) {
    ImmutableList<Operation> operations = function.body().operations();
    nameAll(operations);
    out.append(entry ? "ENTRY %" : "%").append(function.name()).append(" (");
    String separator = "";
    for (Value parameter : function.parameters()) {
      out.append(separator).append(name(parameter)).append(": ");
      out.append(types.plain(parameter.type()));
      separator = ", ";
    }
    Operation root = function.body().root();
    out.append(") -> ");
    if (root != null) {
      out.append(types.plain(root.result().type()));
    }
    out.append(" {\n");
    for (Operation operation : operations) {
      out.append(operation == root ? "  ROOT %" : "  %");
      instruction(operation);
      out.append('\n');
    }
    out.append('}');
    Attributes own = function.operation().attributes();
    for (int i = 0; i < own.size(); i++) {
      if (!own.name(i).equals(BuiltinOps.SYM_NAME)) {
        attribute(own.name(i), own.value(i));
      }
    }
    out.append("\n\n");
  }

  /** Gives names to values that have none or share one. */
  private void nameAll(ImmutableList<Operation> operations) {
    Set<String> used = new HashSet<>(operations.size() * 2);
    boolean good = true;
    for (Operation operation : operations) {
      String name = operation.result().name();
      good &= name != null && used.add(name);
    }
    if (good) {
      return;
    }
    Set<String> given = new HashSet<>();
    for (Operation operation : operations) {
      String name = operation.result().name();
      if (name == null || !given.add(name)) {
        String base = name != null ? name : opcode(operation);
        int number = 1;
        while (!used.add(base + "." + number)) {
          number++;
        }
        madeUp.put(operation.result(), base + "." + number);
      }
    }
  }

  private static String opcode(Operation operation) {
    String opcode = operation.def().hloName();
    return opcode != null ? opcode : operation.def().name();
  }

  private @Nullable String name(Value value) {
    String name = madeUp.isEmpty() ? null : madeUp.get(value);
    return name != null ? name : value.name();
  }

  private void instruction(Operation operation) {
    Value result = operation.result();
    out.append(name(result)).append(" = ").append(types.withLayout(result.type())).append(' ');
    String started = sugar.opcode(operation);
    Attributes own;
    if (started != null) {
      String opcode = opcode(operation);
      out.append(started).append(opcode, opcode.indexOf('-'), opcode.length());
      own = AttributeOrder.sorted(sugar.attributes(operation));
    } else {
      out.append(opcode(operation));
      own = AttributeOrder.sorted(operation.attributes());
    }
    out.append('(');
    String inParentheses = null;
    if (operation.is(BuiltinOps.PARAMETER)) {
      inParentheses = BuiltinOps.PARAMETER_NUMBER;
      attributes.print(requireNonNull(own.get(inParentheses)));
    } else if (operation.operands().isEmpty() && own.has(OpcodeTable.VALUE)) {
      inParentheses = OpcodeTable.VALUE;
      Attribute value = requireNonNull(own.get(inParentheses));
      if (value instanceof Attribute.Dense) {
        LiteralPrinter.print(out, ((Attribute.Dense) value).literal());
      } else {
        attributes.print(value);
      }
    } else {
      operands(operation.operands());
    }
    out.append(')');
    for (int i = 0; i < own.size(); i++) {
      String key = own.name(i);
      if (!key.equals(inParentheses) && !AttributeOrder.isOrdinary(key, own.value(i))) {
        attribute(key, own.value(i));
      }
    }
  }

  private void operands(ImmutableList<Value> operands) {
    for (int i = 0; i < operands.size(); i++) {
      if (i > 0) {
        out.append(", ");
        if (i % 5 == 0) {
          out.append("/*index=").append(i).append("*/");
        }
      }
      Value operand = operands.get(i);
      if (operandShapes) {
        out.append(types.withLayout(operand.type())).append(' ');
      }
      out.append('%').append(name(operand));
    }
  }

  private void attribute(String name, Attribute value) {
    if (name.startsWith(UNWRITTEN)) {
      return;
    }
    out.append(", ").append(name).append('=');
    if (value instanceof Attribute.Dict && name.equals("backend_config")) {
      MlirAttributes.writeInOrder(out, (Attribute.Dict) value);
      return;
    }
    attributes.print(value);
  }
}
