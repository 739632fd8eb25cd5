package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.MlirAssembly;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.text.mlir.AttributeWriter.Entry;
import dev.lockstep.hlo.type.FunctionType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints modules as MLIR's own printer does, character for character. */
public final class MlirPrinter {
  final StringBuilder out = new StringBuilder();
  final AttributeWriter attributes;
  private final FormatWriter formats;
  private final FunctionPrinter functions;
  private final ValueNames names;
  private final LocationAliases aliases = new LocationAliases();
  private final boolean locations;
  private int indent;

  /** Whether the operations being printed stand directly in a function. */
  private boolean inFunction;

  private MlirPrinter(Module module) {
    this.locations = LocationVisitor.hasLocations(module);
    if (locations) {
      new LocationVisitor(aliases).visit(module);
      aliases.number();
    }
    this.names = new ValueNames(module.operations());
    this.attributes = new AttributeWriter(out, aliases);
    this.formats = new FormatWriter(this);
    this.functions = new FunctionPrinter(this);
  }

  /** Returns {@code module} as text that ends with a line end. */
  public static String print(Module module) {
    MlirPrinter printer = new MlirPrinter(module);
    printer.aliases.define(printer.out, false);
    printer.module(module);
    printer.out.append('\n');
    printer.aliases.define(printer.out, true);
    String resources = Resources.of(module);
    if (resources != null) {
      printer.out.append('\n').append(resources).append('\n');
    }
    return printer.out.toString();
  }

  private void module(Module module) {
    out.append("module");
    String name = module.name();
    if (name != null) {
      out.append(' ');
      AttributeWriter.symbolName(out, name);
    }
    keywordAttributes(AttributeWriter.list(module.attributes().without(Resources.NAME)));
    out.append(" {\n");
    operations(module.operations());
    out.append('}');
    location(module.debugLocation());
  }

  /** Writes {@code attributes {...}} if there are any. */
  void keywordAttributes(List<Entry> entries) {
    if (!entries.isEmpty()) {
      out.append(" attributes {");
      attributes.entries(entries);
      out.append('}');
    }
  }

  void location(@Nullable Attribute location) {
    if (locations) {
      out.append(' ');
      aliases.write(out, location == null ? Locations.UNKNOWN : location, true);
    }
  }

  private void operations(List<Operation> operations) {
    indent += 2;
    for (Operation operation : operations) {
      indent();
      operation(operation);
      out.append('\n');
    }
    indent -= 2;
  }

  private void indent() {
    for (int i = 0; i < indent; i++) {
      out.append(' ');
    }
  }

  /** Returns the indentation of the operation that is being printed. */
  int depth() {
    return indent;
  }

  private void operation(Operation operation) {
    results(operation);
    OpDef def = operation.def();
    if (def == BuiltinOps.FUNC && FunctionPrinter.isWritable(operation)) {
      functions.function(operation);
    } else if (def == BuiltinOps.MODULE) {
      functions.nestedModule(operation);
    } else {
      MlirAssembly assembly = MlirAssembly.of(def);
      if (assembly.isCustom() && formats.canWrite(assembly, operation)) {
        name(def.name());
        formats.write(assembly, operation);
      } else {
        generic(operation);
      }
    }
    location(operation.debugLocation());
  }

  private void name(String name) {
    out.append(name, inFunction && name.startsWith("func.") ? 5 : 0, name.length());
  }

  private void results(Operation operation) {
    ImmutableList<Value> results = operation.results();
    if (results.isEmpty()) {
      return;
    }
    String name = names.of(results.get(0));
    if (results.size() == 1) {
      out.append(name);
    } else if (name.indexOf('#') > 0) {
      out.append(name, 0, name.indexOf('#')).append(':').append(results.size());
    } else {
      operands(results);
    }
    out.append(" = ");
  }

  void operand(Value value) {
    out.append(names.of(value));
  }

  void operands(List<Value> values) {
    for (int i = 0; i < values.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      operand(values.get(i));
    }
  }

  private void generic(Operation operation) {
    AttributeWriter.quote(out, Attribute.Str.of(operation.def().name()));
    genericRest(operation);
  }

  /** Writes the generic form but for the name. */
  void genericRest(Operation operation) {
    out.append('(');
    operands(operation.operands());
    out.append(')');
    List<Entry> properties = new ArrayList<>();
    List<Entry> others = new ArrayList<>();
    split(operation, properties, others);
    if (!properties.isEmpty()) {
      out.append(" <{");
      attributes.entries(properties);
      out.append("}>");
    }
    if (!operation.regions().isEmpty()) {
      out.append(' ');
      regions(operation.regions());
    }
    dictionary(others);
    out.append(" : ");
    functionType(operation);
  }

  /** Writes regions in parentheses. */
  void regions(List<Region> regions) {
    out.append('(');
    for (int i = 0; i < regions.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      region(regions.get(i), true);
    }
    out.append(')');
  }

  void dictionary(List<Entry> entries) {
    if (!entries.isEmpty()) {
      out.append(" {");
      attributes.entries(entries);
      out.append('}');
    }
  }

  /** Writes {@code (T, U) -> R} of an operation. */
  void functionType(Operation operation) {
    out.append('(');
    for (int i = 0; i < operation.operands().size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      attributes.type(operation.operands().get(i).type());
    }
    out.append(") -> ");
    ImmutableList<Value> results = operation.results();
    if (results.size() == 1 && !(results.get(0).type() instanceof FunctionType)) {
      attributes.type(results.get(0).type());
      return;
    }
    out.append('(');
    attributes.types(operation.resultTypes());
    out.append(')');
  }

  /** Parts the attributes as the generic form does. */
  private static void split(Operation operation, List<Entry> properties, List<Entry> others) {
    OpDef def = operation.def();
    boolean known = MlirAssembly.named(def.name()) != null;
    Attributes all = operation.attributes();
    for (int i = 0; i < all.size(); i++) {
      String name = all.name(i);
      Attribute value = all.value(i);
      if (!known && name.equals("properties") && value instanceof Attribute.Dict) {
        properties.addAll(AttributeWriter.list(((Attribute.Dict) value).entries()));
      } else if (MlirAssembly.isProperty(def, name)) {
        properties.add(new Entry(name, value));
      } else {
        others.add(new Entry(name, value));
      }
    }
  }

  // Regions.

  /** Writes a region in braces; {@code header} says whether the first block shows its arguments. */
  void region(Region region, boolean header) {
    boolean outer = inFunction;
    inFunction = false;
    bareRegion(region, header);
    inFunction = outer;
  }

  /** Writes the body of a function. */
  void functionBody(Region body) {
    boolean outer = inFunction;
    inFunction = true;
    bareRegion(body, false);
    inFunction = outer;
  }

  private void bareRegion(Region region, boolean header) {
    out.append("{\n");
    for (int i = 0; i < region.blocks().size(); i++) {
      Block block = region.blocks().get(i);
      if (i > 0 || header && !block.arguments().isEmpty()) {
        indent();
        out.append("^bb").append(i);
        if (!block.arguments().isEmpty()) {
          out.append('(');
          arguments(block);
          out.append(')');
        }
        out.append(":\n");
      }
      operations(block.operations());
    }
    indent();
    out.append('}');
  }

  /** Writes {@code %a: T, %b: T} with locations. */
  void arguments(Block block) {
    for (int i = 0; i < block.arguments().size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      argument(block, i);
    }
  }

  void argument(Block block, int i) {
    Value argument = block.arguments().get(i);
    operand(argument);
    out.append(": ");
    attributes.type(argument.type());
    argumentLocation(block, i);
  }

  /** Writes where an argument of a block is from, if locations are printed. */
  void argumentLocation(Block block, int i) {
    if (locations) {
      out.append(' ');
      aliases.write(out, LocationVisitor.ofArgument(block, i), false);
    }
  }
}
