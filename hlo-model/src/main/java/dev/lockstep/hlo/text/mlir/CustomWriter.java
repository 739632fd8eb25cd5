package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.text.mlir.AttributeWriter.Entry;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the forms that are not made of the general elements. */
final class CustomWriter {
  private final MlirPrinter printer;
  private final StringBuilder out;
  private final AttributeWriter attributes;

  CustomWriter(MlirPrinter printer) {
    this.printer = printer;
    this.out = printer.out;
    this.attributes = printer.attributes;
  }

  void write(MlirAssembly.Custom custom, Operation operation, List<Entry> others) {
    switch (custom) {
      case TARGET -> {
        out.append(' ');
        AttributeWriter.symbolName(out, text(operation, "call_target_name"));
        out.append('(');
        printer.operands(operation.operands());
        out.append(')');
      }
      case NAMED -> {
        out.append(' ');
        write(operation, "name");
        out.append(' ');
        printer.operands(operation.operands());
        if (!operation.regions().isEmpty()) {
          out.append(operation.operands().isEmpty() ? "" : " ");
          printer.regions(operation.regions());
        }
      }
      case LITERAL -> {
        Attribute value = operation.attribute("value");
        Type type = operation.results().get(0).type();
        if (value instanceof Attribute.Dense
            ? !((Attribute.Dense) value).type().equals(type)
            : !raw(operation, "value").endsWith(" : " + type)) {
          printer.genericRest(operation);
          return;
        }
        printer.dictionary(others);
        out.append(' ');
        write(operation, "value");
      }
      case SLICE -> slice(operation);
      case DOT -> dot(operation);
      case CONVOLUTION -> convolution(operation);
      case REDUCE -> reduce(operation, others);
      case WHILE -> whileLoop(operation, others);
      case FORMAT ->
          out.append(" e")
              .append(number(operation, "exponent_bits"))
              .append('m')
              .append(number(operation, "mantissa_bits"));
      case CALL -> {
        out.append(' ');
        write(operation, "callee");
        out.append('(');
        printer.operands(operation.operands());
        out.append(')');
        printer.dictionary(others);
        out.append(" : ");
        printer.functionType(operation);
      }
      case RETURN -> {
        if (!operation.operands().isEmpty()) {
          out.append(' ');
        }
        printer.operands(operation.operands());
        printer.dictionary(others);
        if (!operation.operands().isEmpty()) {
          out.append(" : ");
          attributes.types(operation.operandTypes());
        }
      }
      case MESH -> {
        out.append(' ');
        AttributeWriter.symbolName(out, text(operation, "sym_name"));
        out.append(" = ").append(raw(operation, "mesh").substring(CustomForms.MESH.length() - 1));
        printer.dictionary(others);
      }
      case MANUAL -> manual(operation, others);
      case SCAN -> scan(operation, others);
      case COMPUTATION -> computation(operation, others);
    }
  }

  private void write(Operation operation, String name) {
    Attribute value = operation.attribute(name);
    if (value != null) {
      attributes.write(value);
    }
  }

  private static String text(Operation operation, String name) {
    Attribute value = operation.attribute(name);
    return value instanceof Attribute.Str ? ((Attribute.Str) value).value() : "";
  }

  private static String raw(Operation operation, String name) {
    Attribute value = operation.attribute(name);
    return value instanceof Attribute.Raw ? ((Attribute.Raw) value).text() : "";
  }

  private static long number(Operation operation, String name) {
    Attribute value = operation.attribute(name);
    return value instanceof Attribute.Int ? ((Attribute.Int) value).value() : 0;
  }

  void longs(@Nullable Attribute value) {
    out.append('[');
    if (value instanceof Attribute.Longs) {
      Attribute.Longs longs = (Attribute.Longs) value;
      attributes.numbers(longs.values(), longs.element().isBool());
    }
    out.append(']');
  }

  void words(Attribute value) {
    out.append('[');
    String separator = "";
    for (Attribute word : ((Attribute.Array) value).elements()) {
      out.append(separator).append(((Attribute.Word) word).value());
      separator = ", ";
    }
    out.append(']');
  }

  private static ImmutableLongArray values(Operation operation, String name) {
    Attribute value = operation.attribute(name);
    return value instanceof Attribute.Longs
        ? ((Attribute.Longs) value).values()
        : ImmutableLongArray.of();
  }

  private void slice(Operation operation) {
    ImmutableLongArray starts = values(operation, "start_indices");
    ImmutableLongArray limits = values(operation, "limit_indices");
    ImmutableLongArray strides = values(operation, "strides");
    out.append(" [");
    for (int i = 0; i < starts.length(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      out.append(starts.get(i)).append(':').append(limits.get(i));
      if (strides.get(i) != 1) {
        out.append(':').append(strides.get(i));
      }
    }
    out.append(']');
  }

  private void dot(Operation operation) {
    Attribute value = operation.attribute("dot_dimension_numbers");
    if (!(value instanceof Attribute.Struct)) {
      return;
    }
    Attributes fields = ((Attribute.Struct) value).fields();
    Attribute left = fields.get("lhs_batching_dimensions");
    Attribute right = fields.get("rhs_batching_dimensions");
    if (size(left) > 0 || size(right) > 0) {
      out.append(", batching_dims = ");
      longs(left);
      out.append(" x ");
      longs(right);
    }
    out.append(", contracting_dims = ");
    longs(fields.get("lhs_contracting_dimensions"));
    out.append(" x ");
    longs(fields.get("rhs_contracting_dimensions"));
    Attribute precision = operation.attribute("precision_config");
    if (precision != null) {
      out.append(", precision = ");
      words(precision);
    }
    Attribute algorithm = operation.attribute("algorithm");
    if (algorithm instanceof Attribute.Struct) {
      out.append(", algorithm = ");
      attributes.fields((Attribute.Struct) algorithm);
    }
  }

  private static int size(@Nullable Attribute value) {
    return value instanceof Attribute.Longs ? ((Attribute.Longs) value).values().length() : 0;
  }

  private void convolution(Operation operation) {
    out.append('(');
    printer.operands(operation.operands());
    String labels = raw(operation, "dimension_numbers");
    out.append(") dim_numbers = ").append(labels, CustomForms.CONV.length(), labels.length() - 1);
    out.append(", window = {");
    String separator = "";
    separator = window("stride", operation.attribute("window_strides"), separator);
    separator = padding(operation.attribute("padding"), separator);
    separator = window("lhs_dilate", operation.attribute("lhs_dilation"), separator);
    separator = window("rhs_dilate", operation.attribute("rhs_dilation"), separator);
    window("reverse", operation.attribute("window_reversal"), separator);
    out.append('}');
  }

  private String window(String key, @Nullable Attribute value, String separator) {
    if (value == null) {
      return separator;
    }
    out.append(separator).append(key).append(" = ");
    longs(value);
    return ", ";
  }

  private String padding(@Nullable Attribute value, String separator) {
    if (!(value instanceof Attribute.Dense)) {
      return separator;
    }
    Literal literal = ((Attribute.Dense) value).literal();
    out.append(separator).append("pad = [");
    for (int i = 0; i + 1 < literal.count(); i += 2) {
      out.append(i == 0 ? "[" : ", [");
      out.append(literal.getLong(i)).append(", ").append(literal.getLong(i + 1)).append(']');
    }
    out.append(']');
    return ", ";
  }

  private void reduce(Operation operation, List<Entry> others) {
    int pairs = operation.operands().size() / 2;
    for (int i = 0; i < pairs; i++) {
      out.append(i == 0 ? "(" : ", (");
      printer.operand(operation.operands().get(i));
      out.append(" init: ");
      printer.operand(operation.operands().get(pairs + i));
      out.append(')');
    }
    boolean compact = FormatWriter.isCompactReduce(MlirAssembly.of(operation.def()), operation);
    Block block = operation.regions().get(0).entry();
    if (compact) {
      out.append(" applies ").append(block.operations().get(0).def().name());
    }
    out.append(" across dimensions = ");
    longs(operation.attribute("dimensions"));
    printer.dictionary(others);
    out.append(" : ");
    printer.functionType(operation);
    if (compact) {
      return;
    }
    out.append("\n").append(" ".repeat(printer.depth())).append(" reducer");
    for (int i = 0; i < pairs; i++) {
      out.append('(');
      printer.argument(block, i);
      out.append(", ");
      printer.argument(block, pairs + i);
      out.append(") ");
    }
    out.append(' ');
    printer.region(operation.regions().get(0), false);
  }

  private void whileLoop(Operation operation, List<Entry> others) {
    out.append('(');
    ImmutableList<Value> arguments = operation.regions().get(0).entry().arguments();
    for (int i = 0; i < operation.operands().size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      printer.operand(arguments.get(i));
      out.append(" = ");
      printer.operand(operation.operands().get(i));
    }
    out.append(')');
    if (!operation.operands().isEmpty()) {
      out.append(" : ");
      attributes.types(operation.operandTypes());
    }
    if (!others.isEmpty()) {
      out.append(" attributes");
      printer.dictionary(others);
    }
    out.append('\n').append(" ".repeat(printer.depth())).append("cond ");
    printer.region(operation.regions().get(0), false);
    out.append(" do ");
    printer.region(operation.regions().get(1), false);
  }

  private void manual(Operation operation, List<Entry> others) {
    out.append('(');
    printer.operands(operation.operands());
    out.append(") in_shardings=");
    body(raw(operation, "in_shardings"), CustomForms.PER_VALUE);
    out.append(" out_shardings=");
    body(raw(operation, "out_shardings"), CustomForms.PER_VALUE);
    out.append(" manual_axes=");
    body(raw(operation, "manual_axes"), CustomForms.AXES);
    regionWithArguments(operation, others);
  }

  private void computation(Operation operation, List<Entry> others) {
    out.append('<');
    write(operation, "name");
    out.append(">(");
    printer.operands(operation.operands());
    out.append(')');
    for (String key : new String[] {"in_shardings", "out_shardings"}) {
      if (operation.attribute(key) != null) {
        out.append(' ').append(key).append('=');
        body(raw(operation, key), CustomForms.PER_VALUE);
      }
    }
    regionWithArguments(operation, others);
  }

  private void regionWithArguments(Operation operation, List<Entry> others) {
    out.append(" (");
    printer.arguments(operation.regions().get(0).entry());
    out.append(") ");
    printer.region(operation.regions().get(0), false);
    printer.dictionary(others);
    out.append(" : ");
    printer.functionType(operation);
  }

  private void body(String text, String prefix) {
    out.append(text, prefix.length(), text.length() - 1);
  }

  private void scan(Operation operation, List<Entry> others) {
    int inputs = (int) values(operation, "operandSegmentSizes").get(0);
    out.append('(');
    printer.operands(operation.operands().subList(0, inputs));
    out.append(") inits (");
    printer.operands(operation.operands().subList(inputs, operation.operands().size()));
    out.append(") dimension=").append(number(operation, "dimension")).append(' ');
    if (!others.isEmpty()) {
      out.append(" attributes");
      printer.dictionary(others);
    }
    out.append(' ');
    printer.region(operation.regions().get(0), true);
    out.append(" : ");
    printer.functionType(operation);
  }
}
