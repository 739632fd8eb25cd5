package dev.lockstep.pass.region.split;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.plan.Segment;
import dev.lockstep.hlo.plan.SegmentKind;
import dev.lockstep.hlo.shard.Shardings;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.split.Donations.Donation;
import dev.lockstep.pass.region.split.Tree.Leaf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the module of one segment: the program's own, with another entry function and without the
 * functions that nothing in the segment mentions. Header, compile options and meshes are kept; what
 * says something of the old parameters and results goes, or is said of the new ones.
 */
final class SegmentWriter {
  /** Diagnostic code: a program that is not partitioned yet would have to be cut. */
  private static final String GLOBAL = "split-global";

  private final Flow flow;
  private final BuildScope scope;
  private final SegmentContent content;
  private final ImmutableList<Value> parameters;

  private SegmentWriter(Flow flow, SegmentContent content) {
    this.flow = flow;
    this.scope = BuildScope.of(flow.module());
    this.content = content;
    this.parameters = parameters();
  }

  /** Returns the segment {@code name} of {@code content}. */
  static Segment write(String name, SegmentContent content) {
    Flow flow = content.flow();
    if (!content.isWhole() && Shardings.of(flow.original()).isGlobal()) {
      throw DiagnosticException.error(
          GLOBAL,
          "this program is over global arrays: how the values between segments lie on devices is for"
              + " a partitioner to say, and it may say otherwise in each segment; partition first,"
              + " then split what that gives",
          flow.entry().operation().location());
    }
    Module module = content.isWhole() ? flow.original() : new SegmentWriter(flow, content).module();
    ImmutableList.Builder<String> collectives = ImmutableList.builder();
    boolean onlyCommunicates = true;
    for (Operation operation : content.operations()) {
      collectives.addAll(flow.communication().names(operation));
      onlyCommunicates &= content.isSite(operation);
    }
    ImmutableList<String> all = collectives.build();
    SegmentKind kind =
        all.isEmpty()
            ? SegmentKind.COMPUTE
            : onlyCommunicates ? SegmentKind.COLLECTIVE : SegmentKind.MIXED;
    return new Segment(
        name,
        kind,
        module,
        types(content.inputs()),
        types(content.outputs()),
        all,
        ImmutableSortedSet.copyOf(content.donations().keySet()));
  }

  private static ImmutableList<TensorType> types(List<Leaf> leaves) {
    return leaves.stream().map(Leaf::tensorType).collect(ImmutableList.toImmutableList());
  }

  private boolean isHlo() {
    return scope.isHlo();
  }

  /** Values keep their objects; what comes in twice, or may be computed here too, gets others. */
  private ImmutableList<Value> parameters() {
    Set<Value> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (Leaf leaf : content.inputs()) {
      Operation wait = flow.waitFor(leaf);
      Operation pick = flow.pick(leaf);
      Value value =
          wait != null
              ? wait.result()
              : leaf.path().isEmpty()
                  ? leaf.base()
                  : pick != null ? pick.result() : fresh(leaf.type(), leaf.base().name());
      boolean isFree = taken.add(value) && flow.repeated(leaf) == null;
      out.add(isFree ? value : fresh(value.type(), value.name()));
    }
    return out.build();
  }

  private Value fresh(dev.lockstep.hlo.type.Type type, @Nullable String base) {
    return isHlo() ? new Value(type, scope.freshName(base == null ? "p" : base)) : new Value(type);
  }

  private Module module() {
    SegmentBody body = new SegmentBody(flow, scope, content.operations(), parameters);
    for (Operation operation : content.operations()) {
      body.add(operation, content.sources(operation));
    }
    ImmutableList.Builder<Value> outputs = ImmutableList.builder();
    content.outputs().forEach(leaf -> outputs.add(body.given(leaf)));
    ImmutableList<Value> given = outputs.build();
    Operation entry = flow.entry().operation();
    Operation written =
        isHlo()
            ? entry.withRegions(ImmutableList.of(Region.of(hloBlock(body, given))))
            : MlirEntry.of(flow, content, parameters, body.operations(), given);
    Module module = flow.module();
    Attributes header =
        isHlo() ? Headers.hlo(module.attributes(), content) : Headers.mlir(module.attributes());
    return Functions.reachable(module.withAttributes(header), written);
  }

  private Block hloBlock(SegmentBody body, ImmutableList<Value> outputs) {
    List<Operation> operations = new ArrayList<>();
    Map<Value, Operation> old = new IdentityHashMap<>();
    for (Operation operation : flow.entry().body().operations()) {
      if (operation.is(BuiltinOps.PARAMETER)) {
        old.put(operation.result(), operation);
      }
    }
    for (int i = 0; i < parameters.size(); i++) {
      operations.add(parameter(i, old.get(parameters.get(i))));
    }
    operations.addAll(body.operations());
    Operation root = null;
    if (outputs.size() == 1) {
      for (Operation operation : operations) {
        if (operation.results().contains(outputs.get(0))) {
          root = operation;
        }
      }
    } else {
      OpBuilder builder = new OpBuilder(scope);
      builder.tuple(outputs);
      root = builder.take().get(0);
      operations.add(root);
    }
    return new Block(
        ImmutableList.of(),
        ImmutableList.copyOf(operations),
        requireNonNull(root),
        ImmutableList.of());
  }

  private Operation parameter(int number, @Nullable Operation old) {
    Attribute index = Attribute.Int.untyped(number);
    if (old != null) {
      return old.withAttributes(old.attributes().with(BuiltinOps.PARAMETER_NUMBER, index));
    }
    Operation definition = flow.definition(content.inputs().get(number));
    Attributes attributes = Attributes.of(BuiltinOps.PARAMETER_NUMBER, index);
    Attribute sharding = definition == null ? null : definition.attribute("sharding");
    boolean whole = content.inputs().get(number).path().isEmpty();
    return new Operation(
        BuiltinOps.PARAMETER,
        ImmutableList.of(),
        ImmutableList.of(parameters.get(number)),
        sharding != null && whole ? attributes.with("sharding", sharding) : attributes,
        ImmutableList.of(),
        definition == null ? Location.UNKNOWN : definition.location(),
        null);
  }

  /** What a header says of parameters and results. */
  private static final class Headers {
    private Headers() {}

    static Attributes hlo(Attributes header, SegmentContent content) {
      TreeMap<Integer, Donation> donations = new TreeMap<>(content.donations());
      return Donations.header(
          header
              .without("entry_computation_layout")
              .without("allow_spmd_sharding_propagation_to_parameters")
              .without("allow_spmd_sharding_propagation_to_output"),
          donations,
          content.outputs().size());
    }

    static Attributes mlir(Attributes attributes) {
      return attributes
          .without("mhlo.input_output_alias")
          .without("mhlo.spmd_parameters_shardings")
          .without("mhlo.spmd_output_sharding");
    }
  }
}
