package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.MlirAssembly.Element;
import dev.lockstep.hlo.text.mlir.AttributeWriter.Entry;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes operations by the assembly formats of their ops. */
final class FormatWriter {
  private final MlirPrinter printer;
  private final StringBuilder out;
  private final AttributeWriter attributes;
  private final CustomWriter customs;

  FormatWriter(MlirPrinter printer) {
    this.printer = printer;
    this.out = printer.out;
    this.attributes = printer.attributes;
    this.customs = new CustomWriter(printer);
  }

  /**
   * Returns whether {@code operation} has what its format needs; else it is printed generically.
   */
  boolean canWrite(MlirAssembly assembly, Operation operation) {
    int operands = 0;
    boolean variadic = false;
    ImmutableList<Element> elements = assembly.elements();
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      switch (element.kind()) {
        case OPERAND -> operands++;
        case OPERANDS -> variadic = true;
        case ATTRIBUTE -> {
          if (!fits(element, operation.attribute(element.attribute()))) {
            return false;
          }
        }
        case OPTIONAL, LABELLED -> {
          Attribute value = operation.attribute(element.attribute());
          if (value != null && !fits(element, value)) {
            return false;
          }
        }
        case TYPES -> {
          if (!fits(element.signature(), operation)) {
            return false;
          }
        }
        case CUSTOM -> {
          variadic |= CustomForms.takesOperands(element.custom());
          if (!CustomForms.canWrite(element.custom(), operation)) {
            return false;
          }
        }
        default -> {}
      }
    }
    return (variadic
            ? operation.operands().size() >= operands
            : operation.operands().size() == operands)
        && regionsFit(assembly, operation);
  }

  /** Returns whether the types of {@code operation} can be written in this way. */
  private static boolean fits(MlirAssembly.Signature signature, Operation operation) {
    int results = operation.results().size();
    return switch (signature) {
      case FN, ARROW, TO -> true;
      case SAME, COMPLEX, SELECT, TUPLE -> results == 1;
      case RESULTS -> results > 0 && operation.operands().isEmpty();
      case PAIRS -> operation.operandTypes().equals(operation.resultTypes());
      case OPERANDS -> results == 0;
      case ALL -> results <= 1 && results + operation.operands().size() > 0 && oneType(operation);
    };
  }

  private static boolean oneType(Operation operation) {
    Type type =
        operation.results().isEmpty()
            ? operation.operands().get(0).type()
            : operation.results().get(0).type();
    return operation.operandTypes().stream().allMatch(type::equals);
  }

  private static boolean regionsFit(MlirAssembly assembly, Operation operation) {
    for (Element element : assembly.elements()) {
      if (element.kind() == MlirAssembly.Kind.CUSTOM && CustomForms.hasRegions(element.custom())) {
        return true;
      }
    }
    return operation.regions().isEmpty();
  }

  private static boolean fits(Element element, @Nullable Attribute value) {
    if (value == null) {
      return false;
    }
    return switch (element.value()) {
      case LONGS, BOOLS -> value instanceof Attribute.Longs;
      case INT -> value instanceof Attribute.Int;
      case WORD -> value instanceof Attribute.Word;
      case WORDS -> CustomForms.isWords(value);
      case ATTR -> true;
      case BARE ->
          value instanceof Attribute.Int
              || value instanceof Attribute.Str
              || value instanceof Attribute.Real
              || value instanceof Attribute.Bool;
      case WRAPPED ->
          value instanceof Attribute.Raw
              && ((Attribute.Raw) value).text().startsWith(element.detail());
      case BODY ->
          value instanceof Attribute.Raw
              && ((Attribute.Raw) value).text().startsWith(element.detail() + "<");
    };
  }

  void write(MlirAssembly assembly, Operation operation) {
    ImmutableList<Element> elements = assembly.elements();
    int operand = 0;
    boolean space = true;
    for (int i = 0; i < elements.size(); i++) {
      Element element = elements.get(i);
      switch (element.kind()) {
        case LITERAL -> space = literal(element.text(), space);
        case OPERAND -> {
          space(space);
          printer.operand(operation.operands().get(operand++));
          space = true;
        }
        case OPERANDS -> {
          space(space);
          printer.operands(operation.operands());
          space = true;
        }
        case ATTRIBUTE -> {
          space(space);
          value(element, operation);
          space = true;
        }
        case LABELLED -> {
          if (operation.attribute(element.attribute()) != null) {
            out.append(' ');
            if (!element.text().isEmpty()) {
              out.append(element.text()).append('=');
            }
            value(element, operation);
          }
        }
        case OPTIONAL -> {
          if (operation.attribute(element.attribute()) != null) {
            out.append(", ");
            if (!element.text().isEmpty()) {
              out.append(element.text()).append(" = ");
            }
            value(element, operation);
          }
        }
        case DICTIONARY -> printer.dictionary(others(assembly, operation));
        case TYPES -> types(element.signature(), operation);
        case CUSTOM -> {
          customs.write(element.custom(), operation, others(assembly, operation));
          space = true;
        }
      }
    }
  }

  private void space(boolean wanted) {
    if (wanted) {
      out.append(' ');
    }
  }

  /** Writes a literal; returns whether a blank follows it. */
  private boolean literal(String text, boolean space) {
    switch (text) {
      case ",", ")", "]" -> out.append(text);
      case "(", "[" -> {
        out.append(text);
        return false;
      }
      default -> {
        space(space);
        out.append(text);
        return text.length() == 1 || !text.endsWith("=");
      }
    }
    return true;
  }

  private void value(Element element, Operation operation) {
    Attribute value = operation.attribute(element.attribute());
    if (value == null) {
      return;
    }
    switch (element.value()) {
      case LONGS, BOOLS -> customs.longs(value);
      case INT -> out.append(((Attribute.Int) value).value());
      case WORD -> out.append(((Attribute.Word) value).value());
      case WORDS -> customs.words(value);
      case ATTR -> attributes.write(value);
      case BARE -> {
        attributes.bare(value);
      }
      case BODY -> {
        String text = ((Attribute.Raw) value).text();
        out.append(text, element.detail().length(), text.length());
      }
      case WRAPPED -> {
        String text = ((Attribute.Raw) value).text();
        out.append(text, element.detail().length(), text.length() - 1);
      }
    }
  }

  /** Returns the attributes that the format itself does not write and that are not defaults. */
  private List<Entry> others(MlirAssembly assembly, Operation operation) {
    Attributes all = operation.attributes();
    if (all.isEmpty()) {
      return new ArrayList<>(0);
    }
    List<Entry> list = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String name = all.name(i);
      if (!assembly.writes(name) && !isDefault(assembly, name, all.value(i))) {
        list.add(new Entry(name, all.value(i)));
      }
    }
    return list;
  }

  private boolean isDefault(MlirAssembly assembly, String name, Attribute value) {
    for (MlirAssembly.Default entry : assembly.defaults()) {
      if (entry.name().equals(name) && !entry.value().isEmpty()) {
        int mark = out.length();
        attributes.write(value);
        boolean same = out.substring(mark).equals(entry.value());
        out.setLength(mark);
        return same;
      }
    }
    return false;
  }

  // Types.

  private void types(MlirAssembly.Signature signature, Operation operation) {
    out.append(" : ");
    switch (signature) {
      case FN -> printer.functionType(operation);
      case SAME -> {
        if (allSame(operation)) {
          attributes.type(operation.results().get(0).type());
        } else {
          printer.functionType(operation);
        }
      }
      case COMPLEX -> {
        if (isComplexOfParts(operation)) {
          attributes.type(operation.results().get(0).type());
        } else {
          printer.functionType(operation);
        }
      }
      case SELECT -> {
        ImmutableList<Value> operands = operation.operands();
        boolean same = operands.size() == 3 && operation.results().size() == 1;
        for (int i = 1; same && i < 3; i++) {
          same = operands.get(i).type().equals(operation.results().get(0).type());
        }
        if (same) {
          attributes.type(operands.get(0).type());
          out.append(", ");
          attributes.type(operands.get(1).type());
        } else {
          printer.functionType(operation);
        }
      }
      case PAIRS, OPERANDS -> {
        if (operation.operands().isEmpty()) {
          out.append("()");
        }
        attributes.types(operation.operandTypes());
      }
      case ALL ->
          attributes.type(
              operation.results().isEmpty()
                  ? operation.operands().get(0).type()
                  : operation.results().get(0).type());
      case RESULTS -> attributes.types(operation.resultTypes());
      case TUPLE -> attributes.types(operation.resultTypes());
      case ARROW -> {
        attributes.types(operation.operandTypes());
        out.append(" -> ");
        attributes.results(operation.resultTypes());
      }
      case TO -> {
        attributes.types(operation.operandTypes());
        out.append(" to ");
        attributes.types(operation.resultTypes());
      }
    }
  }

  private static boolean allSame(Operation operation) {
    if (operation.results().size() != 1) {
      return false;
    }
    Type type = operation.results().get(0).type();
    for (Value operand : operation.operands()) {
      if (operand.type() != type && !operand.type().equals(type)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isComplexOfParts(Operation operation) {
    Type type = operation.results().get(0).type();
    if (!(type instanceof TensorType)) {
      return false;
    }
    TensorType tensor = (TensorType) type;
    Type part = tensor.withElement(tensor.element().realPart());
    for (Value operand : operation.operands()) {
      if (!operand.type().equals(part)) {
        return false;
      }
    }
    return tensor.element().isComplex();
  }

  /** Returns whether {@code operation} is a reduce that is written with {@code applies}. */
  static boolean isCompactReduce(MlirAssembly assembly, Operation operation) {
    for (Element element : assembly.elements()) {
      if (element.kind() == MlirAssembly.Kind.CUSTOM
          && element.custom() == MlirAssembly.Custom.REDUCE) {
        return compact(operation);
      }
    }
    return false;
  }

  private static boolean compact(Operation operation) {
    if (operation.regions().size() != 1 || operation.regions().get(0).blocks().size() != 1) {
      return false;
    }
    Region region = operation.regions().get(0);
    Block block = region.entry();
    if (block.arguments().size() != 2 || block.operations().size() != 2) {
      return false;
    }
    Operation inner = block.operations().get(0);
    Operation back = block.operations().get(1);
    Attribute place = operation.debugLocation();
    Type init = operation.operands().get(1).type();
    return MlirAssembly.isCommutative(inner.def())
        && operation.operands().size() == 2
        && init instanceof TensorType
        && ((TensorType) init).rank() == 0
        && operation.results().get(0).type() instanceof TensorType
        && ((TensorType) operation.results().get(0).type()).element()
            == ((TensorType) init).element()
        && block.arguments().get(0).type().equals(init)
        && inner.attributes().isEmpty()
        && inner.operands().equals(block.arguments())
        && inner.results().size() == 1
        && allSame(inner)
        && back.operands().equals(inner.results())
        && back.attributes().isEmpty()
        && samePlace(inner.debugLocation(), place)
        && samePlace(back.debugLocation(), place)
        && block.argumentLocations().stream().allMatch(l -> samePlace(l, place));
  }

  private static boolean samePlace(@Nullable Attribute inner, @Nullable Attribute outer) {
    return inner == null || inner.equals(outer);
  }
}
