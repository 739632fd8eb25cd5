package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of a computation while it is being read. */
final class ComputationFrame {
  /** What a symbol named before this computation hid it. */
  private record Hidden(Symbol symbol, @Nullable Value value, int scope) {}

  final Symbol name;
  final int scope;
  final Location location;
  final List<Operation> operations = new ArrayList<>();
  final Attributes.Builder attributes = Attributes.builder();
  private final List<Hidden> hidden = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();

  /** Whether this holds the single instruction that the text is. */
  boolean bare;

  boolean rootSeen;
  @Nullable Operation root;
  @Nullable Type result;
  Location resultLocation = Location.UNKNOWN;
  int end;

  /** The attribute that this is the inline body of, or null. */
  @Nullable Symbol key;

  ComputationFrame(Symbol name, int scope, Location location) {
    this.name = name;
    this.scope = scope;
    this.location = location;
  }

  /** Makes {@code symbol} name {@code value} here. */
  void define(Symbol symbol, Value value) {
    if (key != null) {
      hidden.add(new Hidden(symbol, symbol.value, symbol.scope));
    }
    symbol.value = value;
    symbol.scope = scope;
  }

  /** Makes {@code symbol} name a new parameter. */
  Value parameter(Symbol symbol, Type type) {
    Value value = new Value(type, symbol.text);
    define(symbol, value);
    operations.add(
        new Operation(
            BuiltinOps.PARAMETER,
            ImmutableList.of(),
            ImmutableList.of(value),
            Attributes.of(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(operations.size())),
            ImmutableList.of(),
            location,
            null));
    return value;
  }

  /** Gives the enclosing computation its names back. */
  void restore() {
    for (Hidden entry : hidden) {
      entry.symbol.value = entry.value;
      entry.symbol.scope = entry.scope;
    }
  }

  /** Returns {@code base}, with a number if it was asked for before. */
  String unique(String base) {
    String unique = base;
    for (int i = 1; !taken.add(unique); i++) {
      unique = base + "." + i;
    }
    return unique;
  }

  /** Parameters are numbered from zero without gaps. */
  private void checkParameters() {
    List<@Nullable Operation> parameters = new ArrayList<>();
    for (Operation operation : operations) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        Attribute number = operation.attribute(BuiltinOps.PARAMETER_NUMBER);
        if (!(number instanceof Attribute.Int)) {
          throw DiagnosticException.error(
              "parameter-number", "a parameter needs its number", operation.location());
        }
        long at = ((Attribute.Int) number).value();
        if (at >= operations.size()) {
          throw DiagnosticException.error(
              "parameter-number",
              "parameter " + at + " has none before it: numbers run from 0 without gaps",
              operation.location());
        }
        while (parameters.size() <= at) {
          parameters.add(null);
        }
        if (parameters.set((int) at, operation) != null) {
          throw DiagnosticException.error(
              "parameter-number", "parameter " + at + " is defined twice", operation.location());
        }
      }
    }
    int missing = parameters.indexOf(null);
    if (missing >= 0) {
      throw DiagnosticException.error(
          "parameter-number",
          "parameter " + missing + " of " + name.text + " is missing",
          location);
    }
  }

  Operation build(Source source) {
    if (operations.isEmpty()) {
      throw DiagnosticException.error("empty-computation", "a computation has a ROOT", location);
    }
    checkParameters();
    Operation last = root != null ? root : operations.get(operations.size() - 1);
    Type declared = result;
    if (declared != null && !declared.isSameShape(last.result().type())) {
      throw DiagnosticException.error(
          "result-shape",
          "the signature of "
              + name.text
              + " gives "
              + TypePrinter.text(declared)
              + ", but ROOT has shape "
              + TypePrinter.text(last.result().type()),
          resultLocation);
    }
    Block block =
        new Block(ImmutableList.of(), ImmutableList.copyOf(operations), last, ImmutableList.of());
    Attributes own = attributes.build();
    Attributes all = Attributes.of(BuiltinOps.SYM_NAME, Attribute.Str.of(name.text));
    if (!own.isEmpty()) {
      Attributes.Builder both = all.toBuilder();
      own.forEach(both::put);
      all = both.build();
    }
    return new Operation(
        requireNonNull(BuiltinOps.FUNC),
        ImmutableList.of(),
        ImmutableList.of(),
        all,
        ImmutableList.of(Region.of(block)),
        new Location(source, location.begin(), end),
        null);
  }
}
