package dev.lockstep.pass.region.split;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.split.Donations.Donation;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entry function of an MLIR segment: its type, and what stands on arguments and results. */
final class MlirEntry {
  private static final Attribute UNKNOWN_PLACE =
      new Attribute.Struct("loc.unknown", Attributes.EMPTY);

  /** Attributes of operations that say the same of a value as they do on arguments and results. */
  private static final ImmutableList<String> OF_VALUES =
      ImmutableList.of("mhlo.sharding", "mhlo.layout_mode", "mhlo.memory_kind");

  private final Flow flow;
  private final Function old;

  private MlirEntry(Flow flow) {
    this.flow = flow;
    this.old = flow.entry();
  }

  /** Returns the function that takes {@code parameters} and gives {@code outputs}. */
  static Operation of(
      Flow flow,
      SegmentContent content,
      ImmutableList<Value> parameters,
      ImmutableList<Operation> operations,
      ImmutableList<Value> outputs) {
    MlirEntry entry = new MlirEntry(flow);
    Operation terminator = requireNonNull(flow.entry().body().last());
    ImmutableList<Operation> all =
        ImmutableList.<Operation>builder()
            .addAll(operations)
            .add(terminator.withOperands(outputs))
            .build();
    Block block = new Block(parameters, all, null, entry.places(content.inputs()));
    Operation function = flow.entry().operation();
    Attributes attributes =
        function
            .attributes()
            .with(
                BuiltinOps.FUNCTION_TYPE,
                new Attribute.TypeOf(new FunctionType(types(parameters), types(outputs))));
    attributes = set(attributes, BuiltinOps.ARG_ATTRS, entry.argumentAttributes(content));
    attributes = set(attributes, BuiltinOps.RES_ATTRS, entry.resultAttributes(content.outputs()));
    return function.withAttributes(attributes).withRegions(ImmutableList.of(Region.of(block)));
  }

  private static ImmutableList<Type> types(List<Value> values) {
    return values.stream().map(Value::type).collect(ImmutableList.toImmutableList());
  }

  private static Attributes set(
      Attributes attributes, String name, ImmutableList<Attribute> values) {
    boolean any = values.stream().anyMatch(v -> !((Attribute.Dict) v).entries().isEmpty());
    return any ? attributes.with(name, new Attribute.Array(values)) : attributes.without(name);
  }

  private ImmutableList<Attribute> places(List<Leaf> inputs) {
    ImmutableList<Attribute> before = old.body().argumentLocations();
    if (before.isEmpty()) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Leaf input : inputs) {
      int number = old.parameters().indexOf(input.base());
      Operation definition = flow.definition(input);
      Attribute place =
          number >= 0 ? before.get(number) : definition == null ? null : definition.debugLocation();
      out.add(place == null ? UNKNOWN_PLACE : place);
    }
    return out.build();
  }

  private ImmutableList<Attribute> argumentAttributes(SegmentContent content) {
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (int i = 0; i < content.inputs().size(); i++) {
      Leaf leaf = content.inputs().get(i);
      int number = old.parameters().indexOf(leaf.base());
      Attributes attributes =
          number >= 0
              ? Donations.argumentAttributes(old, number)
                  .without(Donations.ALIASING_OUTPUT)
                  .without(Donations.BUFFER_DONOR)
              : ofValue(leaf);
      Donation donation = content.donations().get(i);
      if (donation != null) {
        attributes =
            donation.output() < 0
                ? attributes.with(Donations.BUFFER_DONOR, new Attribute.Bool(true))
                : attributes.with(Donations.ALIASING_OUTPUT, Attribute.Int.i32(donation.output()));
      }
      out.add(new Attribute.Dict(attributes));
    }
    return out.build();
  }

  private ImmutableList<Attribute> resultAttributes(List<Leaf> outputs) {
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    for (Leaf leaf : outputs) {
      int number = flow.results().indexOf(leaf);
      out.add(
          new Attribute.Dict(
              number >= 0 && number == flow.results().lastIndexOf(leaf)
                  ? Donations.resultAttributes(old, number)
                  : ofValue(leaf)));
    }
    return out.build();
  }

  private Attributes ofValue(Leaf leaf) {
    Operation definition = flow.definition(leaf);
    if (definition == null || definition.results().size() != 1 || !leaf.path().isEmpty()) {
      return Attributes.EMPTY;
    }
    Attributes.Builder out = Attributes.builder();
    for (String name : OF_VALUES) {
      @Nullable Attribute value = definition.attribute(name);
      if (value != null) {
        out.put(name, value);
      }
    }
    return out.build();
  }
}
