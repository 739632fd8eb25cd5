package dev.lockstep.hlo.build;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The layer of {@link OpBuilder} that knows no op but tuples: attributes, results and places. */
abstract class BuilderCore {
  private final BuildScope scope;
  private final List<Operation> operations = new ArrayList<>();
  private Location location = Location.UNKNOWN;
  private @Nullable Attribute debugLocation;
  private @Nullable Attribute metadata;

  BuilderCore(BuildScope scope) {
    this.scope = scope;
  }

  /** Returns what is shared by the builders of the module. */
  public BuildScope scope() {
    return scope;
  }

  final boolean isHlo() {
    return scope.isHlo();
  }

  final void place(Operation from) {
    location = from.location();
    debugLocation = from.debugLocation();
    metadata = isHlo() ? from.attribute("metadata") : null;
  }

  final void place(Location place) {
    location = place;
    debugLocation = null;
    metadata = null;
  }

  /** Returns what was built so far. */
  public ImmutableList<Operation> operations() {
    return ImmutableList.copyOf(operations);
  }

  /** Returns what was built since the last call, and forgets it. */
  public ImmutableList<Operation> take() {
    ImmutableList<Operation> taken = ImmutableList.copyOf(operations);
    operations.clear();
    return taken;
  }

  /** Adds an operation that was made elsewhere. */
  public void add(Operation operation) {
    operations.add(operation);
  }

  /** Returns a new value for a result; in HLO it has a fresh name after {@code base}. */
  public Value newValue(Type type, String base) {
    return isHlo() ? new Value(type, scope.freshName(base)) : new Value(type);
  }

  /** Builds an operation with one result and no regions. */
  public Value emit(OpDef def, ImmutableList<Value> operands, Type result, Attributes attributes) {
    return emit(def, operands, ImmutableList.of(result), attributes, ImmutableList.of()).result();
  }

  /** Builds an operation with exactly these results and regions; in HLO it must have one result. */
  public Operation emit(
      OpDef def,
      ImmutableList<Value> operands,
      ImmutableList<? extends Type> results,
      Attributes attributes,
      ImmutableList<Region> regions) {
    checkArgument(!isHlo() || results.size() == 1, "an HLO operation has one result");
    ImmutableList.Builder<Value> values = ImmutableList.builder();
    for (Type type : results) {
      values.add(newValue(type, baseName(def)));
    }
    Attribute trace = metadata;
    Attributes written =
        trace == null || attributes.has("metadata")
            ? attributes
            : attributes.with("metadata", trace);
    Operation operation =
        new Operation(
            def,
            operands,
            values.build(),
            AttributeOrder.of(scope.syntax(), written),
            regions,
            location,
            debugLocation);
    operations.add(operation);
    return operation;
  }

  /** Returns an operation at the current place that is not among those built. */
  final Operation detached(OpDef def, ImmutableList<Value> operands, ImmutableList<Value> results) {
    return new Operation(
        def, operands, results, Attributes.EMPTY, ImmutableList.of(), location, debugLocation);
  }

  /**
   * Builds an operation with any number of results: in HLO, unless there is exactly one, it gives a
   * tuple whose elements are picked by get-tuple-elements.
   */
  public ImmutableList<Value> emitAll(
      OpDef def,
      ImmutableList<Value> operands,
      ImmutableList<? extends Type> results,
      Attributes attributes,
      ImmutableList<Region> regions) {
    if (!isHlo() || results.size() == 1) {
      return emit(def, operands, results, attributes, regions).results();
    }
    TupleType type = new TupleType(ImmutableList.copyOf(results));
    Value tuple = emit(def, operands, type, attributes);
    ImmutableList.Builder<Value> elements = ImmutableList.builder();
    for (int i = 0; i < results.size(); i++) {
      elements.add(getTupleElement(tuple, i));
    }
    return elements.build();
  }

  /** Returns a tuple of {@code elements}. */
  public Value tuple(List<Value> elements) {
    ImmutableList.Builder<Type> types = ImmutableList.builder();
    for (Value element : elements) {
      types.add(element.type());
    }
    return emit(
        named("stablehlo.tuple"),
        ImmutableList.copyOf(elements),
        new TupleType(types.build()),
        Attributes.EMPTY);
  }

  /** Returns element {@code index} of a tuple. */
  public Value getTupleElement(Value tuple, int index) {
    Attribute number = isHlo() ? Attribute.Int.untyped(index) : Attribute.Int.i32(index);
    return emit(
        named("stablehlo.get_tuple_element"),
        ImmutableList.of(tuple),
        ((TupleType) tuple.type()).elements().get(index),
        Attributes.of("index", number));
  }

  private static String baseName(OpDef def) {
    String opcode = def.hloName();
    return opcode == null ? def.shortName() : opcode;
  }

  /** Returns the definition of an op by its MLIR name. */
  static OpDef named(String mlirName) {
    return OpSet.standard().byNameOrUnregistered(mlirName);
  }

  /** Returns an integer as the syntax has it: {@code 1 : i64}, or a bare number. */
  final Attribute integer(long value) {
    return isHlo() ? Attribute.Int.untyped(value) : Attribute.Int.i64(value);
  }

  /** Returns a word as the syntax has it: {@code #stablehlo<kind EQ>}, or the bare word. */
  final Attribute word(String kind, String value) {
    return new Attribute.Word(isHlo() ? "" : "stablehlo." + kind, value);
  }

  /** Returns a list of integers, in either syntax. */
  static Attribute longs(ImmutableLongArray values) {
    return Attribute.Longs.of(values.toArray());
  }

  /** Returns pairs of integers: a rank-2 tensor in StableHLO, nested lists in HLO. */
  final Attribute rows(ImmutableList<ImmutableLongArray> rows) {
    if (isHlo()) {
      ImmutableList.Builder<Attribute> lists = ImmutableList.builder();
      for (ImmutableLongArray row : rows) {
        lists.add(longs(row));
      }
      return new Attribute.Array(lists.build());
    }
    return Attribute.Dense.of(Rows.literal(rows, 2));
  }

  /** Returns the tensor type of {@code value}, which must be a tensor. */
  static TensorType tensor(Value value) {
    checkArgument(value.type() instanceof TensorType, "%s is not a tensor", value);
    return (TensorType) value.type();
  }

  /** Returns a constant. */
  public Value constant(Literal literal) {
    return emit(
        named("stablehlo.constant"),
        ImmutableList.of(),
        literal.type(),
        Attributes.of("value", Attribute.Dense.of(literal)));
  }
}
