package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.op.BuiltinOps;

/** Reads MLIR text: builtin, func, StableHLO, CHLO, Shardy, and any dialect in generic form. */
public final class MlirReader {
  private MlirReader() {}

  /**
   * Returns the module that {@code source} holds. A text without a {@code module} is one whose
   * operations stand at the top level.
   *
   * @throws DiagnosticException if the text is wrong
   */
  public static Module read(Source source) {
    Utf8.check(source);
    int resources = Resources.begin(source);
    MlirLexer lexer = new MlirLexer(source, resources, new Symbols(source.bytes()));
    MlirText parser = new MlirText(new TokenRing(lexer));
    parser.setBuildParseTree(false);
    parser.removeErrorListeners();
    parser.setErrorHandler(new PointingErrors(source));
    parser.file();
    Module module = module(ImmutableList.copyOf(parser.topLevel()), source);
    SymbolChecks.check(module);
    return Resources.keep(module, source, resources);
  }

  private static Module module(ImmutableList<Operation> operations, Source source) {
    Location whole = new Location(source, 0, source.length());
    if (operations.size() == 1
        && operations.get(0).is(BuiltinOps.MODULE)
        && operations.get(0).regions().size() == 1) {
      Operation operation = operations.get(0);
      Attribute name = operation.attribute(BuiltinOps.SYM_NAME);
      return new Module(
          Syntax.STABLEHLO,
          name instanceof Attribute.Str ? ((Attribute.Str) name).value() : null,
          operation.attributes().without(BuiltinOps.SYM_NAME),
          body(operation.regions().get(0), operation),
          null,
          whole,
          operation.debugLocation());
    }
    return new Module(Syntax.STABLEHLO, null, Attributes.EMPTY, operations, null, whole, null);
  }

  private static ImmutableList<Operation> body(Region region, Operation module) {
    if (region.isEmpty()) {
      return ImmutableList.of();
    }
    if (region.blocks().size() > 1) {
      throw DiagnosticException.error("module-blocks", "a module has one block", module.location());
    }
    return region.entry().operations();
  }
}
