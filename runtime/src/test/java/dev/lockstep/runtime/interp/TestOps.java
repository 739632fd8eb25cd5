package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.grid.MemberOrder;
import dev.lockstep.hlo.grid.ProcessGroups;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;

/** Ops on i64 scalars for tests of the engine alone, and code that builds with them. */
final class TestOps {
  static final TensorType I64 = TensorType.of(ElementType.I64);
  static final TensorType I1 = TensorType.of(ElementType.I1);

  private static final AttrKey<ReplicaGroups> GROUPS = AttrKeys.groups("groups", "groups");
  private static final AttrKey<Long> VALUE = AttrKeys.integer("value", "value");

  static final OpDef CONSTANT =
      OpDef.named("test.constant")
          .attributes(VALUE)
          .trait(Trait.CONSTANT)
          .local((op, in) -> longs(VALUE.get(op)))
          .build();

  static final OpDef ADD =
      OpDef.named("test.add")
          .local((op, in) -> longs(number(in.get(0)) + number(in.get(1))))
          .build();

  static final OpDef LESS =
      OpDef.named("test.less")
          .local(
              (op, in) ->
                  ImmutableList.of(
                      Literal.scalar(
                          ElementType.I1, number(in.get(0)) < number(in.get(1)) ? 1L : 0L)))
          .build();

  static final OpDef ID =
      OpDef.named("test.id")
          .semantics((Semantics.PerDevice) (op, in, device, grid) -> longs(device))
          .build();

  static final OpDef IF = OpDef.named("test.if").semantics(Semantics.Control.IF).build();
  static final OpDef WHILE = OpDef.named("test.while").semantics(Semantics.Control.WHILE).build();
  static final OpDef YIELD =
      OpDef.named("test.yield").trait(Trait.TERMINATOR).semantics(Semantics.Control.RETURN).build();

  static final OpDef START =
      OpDef.named("test.start").trait(Trait.ASYNC).semantics(Semantics.Control.ASYNC_START).build();
  static final OpDef DONE =
      OpDef.named("test.done").trait(Trait.ASYNC).semantics(Semantics.Control.ASYNC_DONE).build();

  static final OpDef SUM = collective("test.sum");
  static final OpDef TOTAL = collective("test.total");

  private TestOps() {}

  static long number(Datum datum) {
    return ((Literal) datum).getLong(0);
  }

  static ImmutableList<Datum> longs(long value) {
    return ImmutableList.of(Literal.scalar(ElementType.I64, value));
  }

  private static OpDef collective(String name) {
    return OpDef.named(name)
        .attributes(GROUPS)
        .trait(Trait.COLLECTIVE)
        .semantics(
            new Semantics.Collective() {
              @Override
              public ProcessGroups groups(Operation operation, DeviceGrid grid, MemberOrder order) {
                return ProcessGroups.resolve(
                    GroupMode.CROSS_REPLICA, GROUPS.get(operation), grid, order);
              }

              @Override
              public ImmutableList<ImmutableList<Datum>> eval(
                  Operation operation,
                  ImmutableList<ImmutableList<Datum>> operands,
                  ImmutableList<Integer> members,
                  DeviceGrid grid,
                  BodyRunner bodies) {
                long sum = 0;
                for (ImmutableList<Datum> own : operands) {
                  sum += number(own.get(0));
                }
                ImmutableList.Builder<ImmutableList<Datum>> out = ImmutableList.builder();
                for (int i = 0; i < members.size(); i++) {
                  out.add(longs(sum));
                }
                return out.build();
              }
            })
        .build();
  }

  /** Builds one block; operation {@code i} stands on line {@code i} of a made-up text. */
  static final class Code {
    private static final String LINE = "code\n";
    private static final String LINES = LINE.repeat(40);

    private final Source source;
    private final List<Operation> operations = new ArrayList<>();
    private final ImmutableList<Value> arguments;

    Code(String name, Value... arguments) {
      this.source = Source.of(name, LINES);
      this.arguments = ImmutableList.copyOf(arguments);
    }

    private Location place() {
      int begin = operations.size() * LINE.length();
      return new Location(source, begin, begin + LINE.length() - 1);
    }

    Value constant(long value) {
      return add(CONSTANT, I64, Attributes.of("value", Attribute.Int.i64(value)));
    }

    Value id() {
      return add(ID, I64, Attributes.EMPTY);
    }

    Value plus(Value a, Value b) {
      return add(ADD, I64, Attributes.EMPTY, a, b);
    }

    Value less(Value a, Value b) {
      return add(LESS, I1, Attributes.EMPTY, a, b);
    }

    Value meet(OpDef op, Value a, long[]... groups) {
      ImmutableList.Builder<Attribute> rows = ImmutableList.builder();
      for (long[] group : groups) {
        rows.add(Attribute.Longs.of(group));
      }
      return add(op, I64, Attributes.of("groups", new Attribute.Array(rows.build())), a);
    }

    Value add(OpDef op, Type type, Attributes attributes, Value... operands) {
      return region(op, type, attributes, ImmutableList.of(), operands);
    }

    Value region(
        OpDef op, Type type, Attributes attributes, List<Block> blocks, Value... operands) {
      Value result = new Value(type);
      operations.add(
          new Operation(
              op,
              ImmutableList.copyOf(operands),
              ImmutableList.of(result),
              attributes,
              blocks.stream().map(Region::of).collect(ImmutableList.toImmutableList()),
              place(),
              null));
      return result;
    }

    Block block(OpDef terminator, Value... returned) {
      operations.add(
          new Operation(
              terminator,
              ImmutableList.copyOf(returned),
              ImmutableList.of(),
              Attributes.EMPTY,
              ImmutableList.of(),
              place(),
              null));
      return Block.of(arguments, ImmutableList.copyOf(operations));
    }

    Module module(Value... returned) {
      Operation function =
          new Operation(
              BuiltinOps.FUNC,
              ImmutableList.of(),
              ImmutableList.of(),
              Attributes.of(BuiltinOps.SYM_NAME, Attribute.Str.of("main")),
              ImmutableList.of(Region.of(block(BuiltinOps.RETURN, returned))),
              new Location(source, 0, 0),
              null);
      return new Module(
          Syntax.STABLEHLO,
          null,
          Attributes.EMPTY,
          ImmutableList.of(function),
          null,
          new Location(source, 0, 0),
          null);
    }
  }
}
