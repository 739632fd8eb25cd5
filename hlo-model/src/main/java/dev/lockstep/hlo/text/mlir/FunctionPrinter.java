package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.text.mlir.AttributeWriter.Entry;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes functions and modules within modules. */
final class FunctionPrinter {
  private final MlirPrinter printer;
  private final StringBuilder out;
  private final AttributeWriter attributes;

  FunctionPrinter(MlirPrinter printer) {
    this.printer = printer;
    this.out = printer.out;
    this.attributes = printer.attributes;
  }

  /** Returns whether a function has what its own form needs: a name and a type. */
  static boolean isWritable(Operation operation) {
    return operation.attribute(BuiltinOps.SYM_NAME) instanceof Attribute.Str
        && operation.attribute(BuiltinOps.FUNCTION_TYPE) instanceof Attribute.TypeOf type
        && type.type() instanceof FunctionType;
  }

  void nestedModule(Operation operation) {
    out.append("module");
    List<Entry> entries = new ArrayList<>();
    Attributes all = operation.attributes();
    Attribute visibility = all.get(BuiltinOps.SYM_VISIBILITY);
    if (visibility instanceof Attribute.Str) {
      out.append(' ').append(((Attribute.Str) visibility).value());
    }
    Attribute name = all.get(BuiltinOps.SYM_NAME);
    if (name instanceof Attribute.Str) {
      out.append(' ');
      AttributeWriter.symbolName(out, ((Attribute.Str) name).value());
    }
    for (Entry entry : AttributeWriter.list(all)) {
      if (!entry.name().equals(BuiltinOps.SYM_NAME)
          && !entry.name().equals(BuiltinOps.SYM_VISIBILITY)) {
        entries.add(entry);
      }
    }
    printer.keywordAttributes(entries);
    out.append(' ');
    printer.region(operation.regions().isEmpty() ? Region.EMPTY : operation.regions().get(0), true);
  }

  void function(Operation operation) {
    Attribute name = operation.attribute(BuiltinOps.SYM_NAME);
    Attribute type = operation.attribute(BuiltinOps.FUNCTION_TYPE);
    if (!(name instanceof Attribute.Str text) || !(type instanceof Attribute.TypeOf typeOf)) {
      throw new IllegalArgumentException("a function without name or type");
    }
    out.append("func.func ");
    Attribute visibility = operation.attribute(BuiltinOps.SYM_VISIBILITY);
    if (visibility instanceof Attribute.Str) {
      out.append(((Attribute.Str) visibility).value()).append(' ');
    }
    AttributeWriter.symbolName(out, text.value());
    FunctionType signature = (FunctionType) typeOf.type();
    Region body = operation.regions().isEmpty() ? Region.EMPTY : operation.regions().get(0);
    parameters(operation, signature, body);
    functionResults(operation, signature);
    List<Entry> others = new ArrayList<>();
    for (Entry entry : AttributeWriter.list(operation.attributes())) {
      switch (entry.name()) {
        case BuiltinOps.SYM_NAME,
            BuiltinOps.SYM_VISIBILITY,
            BuiltinOps.FUNCTION_TYPE,
            BuiltinOps.ARG_ATTRS,
            BuiltinOps.RES_ATTRS -> {}
        default -> others.add(entry);
      }
    }
    printer.keywordAttributes(others);
    if (!body.isEmpty()) {
      out.append(' ');
      printer.functionBody(body);
    }
  }

  private void parameters(Operation operation, FunctionType signature, Region body) {
    out.append('(');
    ImmutableList<Type> inputs = signature.inputs();
    Attribute dictionaries = operation.attribute(BuiltinOps.ARG_ATTRS);
    for (int i = 0; i < inputs.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      if (!body.isEmpty()) {
        printer.operand(body.entry().arguments().get(i));
        out.append(": ");
      }
      attributes.type(inputs.get(i));
      printer.dictionary(entries(dictionaries, i));
      if (!body.isEmpty()) {
        printer.argumentLocation(body.entry(), i);
      }
    }
    out.append(')');
  }

  private static List<Entry> entries(@Nullable Attribute dictionaries, int i) {
    if (dictionaries instanceof Attribute.Array) {
      ImmutableList<Attribute> all = ((Attribute.Array) dictionaries).elements();
      if (i < all.size() && all.get(i) instanceof Attribute.Dict) {
        return AttributeWriter.list(((Attribute.Dict) all.get(i)).entries());
      }
    }
    return new ArrayList<>();
  }

  private void functionResults(Operation operation, FunctionType signature) {
    ImmutableList<Type> types = signature.results();
    if (types.isEmpty()) {
      return;
    }
    Attribute dictionaries = operation.attribute(BuiltinOps.RES_ATTRS);
    out.append(" -> ");
    boolean plain =
        types.size() == 1
            && !(types.get(0) instanceof FunctionType)
            && entries(dictionaries, 0).isEmpty();
    if (!plain) {
      out.append('(');
    }
    for (int i = 0; i < types.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      attributes.type(types.get(i));
      printer.dictionary(entries(dictionaries, i));
    }
    if (!plain) {
      out.append(')');
    }
  }
}
