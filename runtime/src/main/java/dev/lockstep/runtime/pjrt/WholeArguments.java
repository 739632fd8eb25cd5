package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.shard.DeviceMesh;
import dev.lockstep.hlo.shard.Shardings;
import dev.lockstep.hlo.type.TensorType;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * Says how arguments lie over devices where a program over global arrays leaves it open: a
 * partitioner would choose, and its caller must know before; and how they lie in memory.
 */
final class WholeArguments {
  private static final String SHARDY = "sdy.sharding";
  private static final String GSPMD = "mhlo.sharding";
  private static final String LAYOUT = "mhlo.layout_mode";

  private WholeArguments() {}

  /**
   * Returns {@code module} with shardings of all its arguments, if it is partitioned, and without
   * layouts of its arguments and results: values go in and out row by row.
   */
  static Module of(Module given, int partitions) {
    Module module =
        given.syntax() == Syntax.HLO ? given : given.mapFunctions(WholeArguments::withoutLayouts);
    if (module.syntax() == Syntax.HLO || partitions < 2 || !Shardings.of(module).isGlobal()) {
      return module;
    }
    String mesh = mesh(module, partitions);
    return module.mapEntry(entry -> closed(entry, mesh));
  }

  private static Function withoutLayouts(Function function) {
    Operation operation = function.operation();
    Attributes attributes = operation.attributes();
    for (String name : new String[] {BuiltinOps.ARG_ATTRS, BuiltinOps.RES_ATTRS}) {
      if (attributes.get(name) instanceof Attribute.Array all) {
        ImmutableList.Builder<Attribute> out = ImmutableList.builder();
        for (Attribute each : all.elements()) {
          out.add(
              each instanceof Attribute.Dict dict && dict.entries().has(LAYOUT)
                  ? new Attribute.Dict(dict.entries().without(LAYOUT))
                  : each);
        }
        attributes = attributes.with(name, new Attribute.Array(out.build()));
      }
    }
    return attributes.equals(operation.attributes())
        ? function
        : new Function(operation.withAttributes(attributes));
  }

  /** Returns the name of a mesh of all devices, or null where Shardy does not partition. */
  private static @Nullable String mesh(Module module, int partitions) {
    for (Operation operation : module.operations()) {
      if (operation.attribute("mesh") instanceof Attribute.Raw mesh
          && operation.attribute(BuiltinOps.SYM_NAME) instanceof Attribute.Str name
          && DeviceMesh.parse(mesh.text()).size() == partitions) {
        return name.value();
      }
    }
    return null;
  }

  private static Function closed(Function function, @Nullable String mesh) {
    Operation operation = function.operation();
    if (function.parameters().isEmpty()) {
      return function;
    }
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (int i = 0; i < function.parameters().size(); i++) {
      Attributes own =
          operation.attribute(BuiltinOps.ARG_ATTRS) instanceof Attribute.Array all
                  && i < all.elements().size()
                  && all.elements().get(i) instanceof Attribute.Dict dict
              ? dict.entries()
              : Attributes.EMPTY;
      out.add(new Attribute.Dict(closed(own, function.parameters().get(i), mesh)));
    }
    Attribute all = new Attribute.Array(out.build());
    return new Function(
        operation.withAttributes(operation.attributes().with(BuiltinOps.ARG_ATTRS, all)));
  }

  private static Attributes closed(Attributes own, Value argument, @Nullable String mesh) {
    if (own.get(SHARDY) instanceof Attribute.Raw given) {
      String text = given.text().replaceAll("(?:, *)?\\?", "").replaceAll("\\}p\\d+", "}");
      return own.with(SHARDY, new Attribute.Raw(text));
    }
    if (own.has(GSPMD) || own.has(SHARDY) || !(argument.type() instanceof TensorType type)) {
      return own;
    }
    String dims = String.join(", ", Collections.nCopies(type.rank(), "{}"));
    return mesh == null
        ? own.with(GSPMD, new Attribute.Str("{replicated}", false))
        : own.with(SHARDY, new Attribute.Raw("#sdy.sharding<@" + mesh + ", [" + dims + "]>"));
  }
}
