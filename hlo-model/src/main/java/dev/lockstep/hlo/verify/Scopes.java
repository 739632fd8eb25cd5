package dev.lockstep.hlo.verify;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.OpDef.Trait;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Values are defined once and used only after that, in the same block or one within it; what a
 * function's body uses is defined in that body.
 *
 * <p>Regions of several blocks, which nothing here runs, are only checked for double definitions:
 * any of their blocks may dominate any other.
 */
final class Scopes {
  private final Syntax syntax;
  private final DiagnosticSink sink;
  private final Map<Value, Location> definitions = new IdentityHashMap<>();
  private Set<Value> visible = Collections.newSetFromMap(new IdentityHashMap<>());

  private Scopes(Syntax syntax, DiagnosticSink sink) {
    this.syntax = syntax;
    this.sink = sink;
  }

  static void check(Module module, DiagnosticSink sink) {
    Scopes scopes = new Scopes(module.syntax(), sink);
    // Behind one another in a module, values are visible before they are defined.
    module.operations().forEach(operation -> scopes.visible.addAll(operation.results()));
    module.operations().forEach(scopes::operation);
  }

  private void operation(Operation operation) {
    for (int i = 0; i < operation.operands().size(); i++) {
      Value value = operation.operand(i);
      if (!visible.contains(value)) {
        sink.error(
            "undefined-value",
            String.format(
                "operand %d of %s is %s, which is %s",
                i,
                operation.def().nameIn(syntax),
                value,
                definitions.containsKey(value) ? "not in scope here" : "not defined before it"),
            operation.location());
      }
    }
    Set<Value> around = visible;
    if (operation.def().has(Trait.ISOLATED)) {
      visible = Collections.newSetFromMap(new IdentityHashMap<>());
    }
    for (Region region : operation.regions()) {
      region(region, operation.location());
    }
    visible = around;
    define(operation.results(), operation.location());
  }

  private void region(Region region, Location location) {
    boolean many = region.blocks().size() > 1;
    Set<Value> added = Collections.newSetFromMap(new IdentityHashMap<>());
    if (many) {
      for (Block block : region.blocks()) {
        added.addAll(block.arguments());
        block.operations().forEach(operation -> added.addAll(operation.results()));
      }
      visible.addAll(added);
    }
    for (Block block : region.blocks()) {
      define(block.arguments(), location);
      added.addAll(block.arguments());
      for (Operation operation : block.operations()) {
        operation(operation);
        added.addAll(operation.results());
      }
    }
    visible.removeAll(added);
  }

  private void define(ImmutableList<Value> values, Location location) {
    for (Value value : values) {
      Location before = definitions.putIfAbsent(value, location);
      if (before != null) {
        sink.report(
            Diagnostic.error("redefined-value", value + " is defined twice", location)
                .withNote("it is defined here", before));
      }
      visible.add(value);
    }
  }
}
