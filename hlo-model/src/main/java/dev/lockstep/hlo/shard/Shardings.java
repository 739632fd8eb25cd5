package dev.lockstep.hlo.shard;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The shardings that stand in a module, of Shardy ({@code sdy.sharding}, or in frontend attributes
 * {@code xla.sdy.sharding}) and of XLA's own partitioner ({@code mhlo.sharding}, HLO's {@code
 * sharding}). Where both stand, Shardy's wins: the other is its translation.
 */
public final class Shardings {
  private final Module module;
  private final Map<String, DeviceMesh> meshes = new HashMap<>();
  private final Map<String, Supplier<DeviceMesh>> written = new HashMap<>();

  private Shardings(Module module) {
    this.module = module;
    for (Operation operation : module.operations()) {
      Attribute mesh = operation.attribute("mesh");
      Attribute name = operation.attribute(BuiltinOps.SYM_NAME);
      if (mesh instanceof Attribute.Raw && name instanceof Attribute.Str) {
        String text = ((Attribute.Raw) mesh).text();
        written.put(
            ((Attribute.Str) name).value(), () -> at(operation, () -> DeviceMesh.parse(text)));
      }
    }
    String kept =
        ShardingAttributes.text(ShardingAttributes.frontend(module.attributes(), "xla.sdy.meshes"));
    if (kept != null) {
      ShardingText in = new ShardingText(kept);
      in.expect("{");
      while (!in.eat("}")) {
        String name = in.comes("\"") ? in.string() : in.word();
        in.expect("=");
        in.eat("#sdy.mesh");
        meshes.put(name, DeviceMesh.parse(in));
        in.eat(",");
      }
    }
  }

  /**
   * Returns the shardings of {@code module}.
   *
   * @throws DiagnosticException if the meshes are malformed
   */
  public static Shardings of(Module module) {
    try {
      return new Shardings(module);
    } catch (IllegalArgumentException e) {
      throw DiagnosticException.error(
          "sharding", String.valueOf(e.getMessage()), module.location());
    }
  }

  /** Returns the mesh called {@code name}. */
  private DeviceMesh mesh(String name) {
    DeviceMesh found = meshes.get(name);
    if (found == null) {
      Supplier<DeviceMesh> text = written.get(name);
      if (text == null) {
        throw new IllegalArgumentException("there is no mesh @" + name);
      }
      found = text.get();
      meshes.put(name, found);
    }
    return found;
  }

  private interface Reading<T> {
    T read();
  }

  /** Returns what {@code reading} gives, with the place of {@code operation} when it cannot. */
  private static <T> T at(Operation operation, Reading<T> reading) {
    try {
      return reading.read();
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw DiagnosticException.error(
          "sharding", String.valueOf(e.getMessage()), operation.location());
    }
  }

  /**
   * Returns whether values of the program are arrays that partitions share, of which arguments and
   * results are parts. A text that XLA has partitioned already is not: it names shardings still,
   * and its types are those of the parts.
   */
  public boolean isGlobal() {
    if (module.syntax() == Syntax.HLO) {
      String entry = module.entry();
      boolean partitioned = entry != null && entry.endsWith("_spmd");
      if (partitioned || module.attributes().has("is_scheduled")) {
        return false;
      }
    }
    boolean found = module.entryFunction().map(this::isCut).orElse(false);
    for (Function function : module.functions()) {
      found =
          found
              || !function.isDeclaration()
                  && function.body().operations().stream()
                      .anyMatch(operation -> operation.anyMatch(Shardings::saysParts));
    }
    return found;
  }

  private boolean isCut(Function function) {
    for (int i = 0; i < function.parameters().size(); i++) {
      if (ShardingAttributes.isCut(parameter(function, i))) {
        return true;
      }
    }
    if (module.syntax() == Syntax.HLO) {
      Operation root = function.body().root();
      return root != null && ShardingAttributes.isCut(root.attributes());
    }
    Attribute list = function.operation().attribute(BuiltinOps.RES_ATTRS);
    for (int i = 0; i < function.resultTypes().size(); i++) {
      if (ShardingAttributes.isCut(entry(list, i))) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether Shardy's words stand on {@code operation}, or it makes or joins parts. */
  private static boolean saysParts(Operation operation) {
    Semantics meaning = operation.def().semantics(operation);
    return meaning == Semantics.Control.MANUAL
        || meaning == Semantics.Control.TO_PARTS
        || meaning == Semantics.Control.FROM_PARTS
        || ShardingAttributes.shardy(operation.attributes()) != null
        || operation.def().name().startsWith("sdy.") && operation.attribute("sharding") != null;
  }

  /** Returns how many devices the meshes and the shardings of {@code entry} speak of, else 0. */
  public int devices(Function entry) {
    int most = 0;
    for (String name : written.keySet()) {
      most = Math.max(most, mesh(name).size());
    }
    for (DeviceMesh mesh : meshes.values()) {
      most = Math.max(most, mesh.size());
    }
    for (int i = 0; i < entry.parameters().size(); i++) {
      String text = ShardingAttributes.gspmd(parameter(entry, i));
      most =
          text == null
              ? most
              : Math.max(most, at(entry.operation(), () -> HloSharding.parse(text)).size());
    }
    return most;
  }

  /**
   * Returns the tilings that stand among {@code attributes} of values of {@code types}; {@link
   * Tiling#unsaid} where none stands.
   */
  private ImmutableList<Tiling> tilings(
      Attributes attributes, ImmutableList<TensorType> types, int partitions) {
    return tilings(attributes, types, partitions, false);
  }

  private ImmutableList<Tiling> tilings(
      Attributes attributes, ImmutableList<TensorType> types, int partitions, boolean even) {
    String sdy = ShardingAttributes.shardy(attributes);
    ImmutableList.Builder<Tiling> out = ImmutableList.builder();
    if (sdy != null) {
      boolean list = sdy.contains("sharding_per_value");
      ImmutableList<SdySharding> all =
          list ? SdySharding.parseList(sdy) : ImmutableList.of(SdySharding.parse(sdy));
      if (all.size() != types.size()) {
        throw new IllegalArgumentException(
            all.size() + " shardings stand on " + types.size() + " values");
      }
      for (int i = 0; i < all.size(); i++) {
        SdySharding each = even ? all.get(i).even(this::mesh, types.get(i).dims()) : all.get(i);
        out.add(each.tiling(this::mesh, partitions, axis -> true));
      }
      return out.build();
    }
    String text = ShardingAttributes.gspmd(attributes);
    HloSharding sharding =
        text == null ? HloSharding.of(HloSharding.Kind.UNKNOWN) : HloSharding.parse(text);
    boolean tuple = sharding.kind() == HloSharding.Kind.TUPLE;
    if (tuple && sharding.elements().size() != types.size()) {
      throw new IllegalArgumentException(
          sharding.elements().size() + " shardings stand on " + types.size() + " values");
    }
    for (int i = 0; i < types.size(); i++) {
      HloSharding each = tuple ? sharding.elements().get(i) : sharding;
      out.add(each.tiling(types.get(i).rank(), partitions));
    }
    return out.build();
  }

  /** Returns the tilings that stand on {@code operation}, one for each of {@code types}. */
  public ImmutableList<Tiling> on(
      Operation operation, ImmutableList<TensorType> types, int partitions) {
    return at(operation, () -> tilings(operation.attributes(), types, partitions));
  }

  /**
   * Returns the tilings of the arguments of {@code function}, tensors in order after tuples are
   * taken apart. Shardy's cut into equal parts only, as far as that goes; XLA's own pad.
   */
  public ImmutableList<Tiling> arguments(Function function, int partitions) {
    Operation operation = function.operation();
    ImmutableList.Builder<Tiling> out = ImmutableList.builder();
    ImmutableList<Value> parameters = function.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      ImmutableList<TensorType> types = Leaves.of(parameters.get(i).type());
      Attributes attributes = parameter(function, i);
      out.addAll(at(operation, () -> tilings(attributes, types, partitions, true)));
    }
    return out.build();
  }

  /** Returns the attributes of parameter {@code index}, wherever the syntax keeps them. */
  public Attributes parameter(Function function, int index) {
    if (module.syntax() == Syntax.HLO) {
      Value value = function.parameters().get(index);
      return function.body().operations().stream()
          .filter(operation -> operation.results().contains(value))
          .findFirst()
          .map(Operation::attributes)
          .orElse(Attributes.EMPTY);
    }
    return entry(function.operation().attribute(BuiltinOps.ARG_ATTRS), index);
  }

  private static Attributes entry(@Nullable Attribute list, int index) {
    if (list instanceof Attribute.Array
        && index < ((Attribute.Array) list).elements().size()
        && ((Attribute.Array) list).elements().get(index) instanceof Attribute.Dict dict) {
      return dict.entries();
    }
    return Attributes.EMPTY;
  }

  /** Returns the tilings of the results of {@code function}, as {@link #arguments}. */
  public ImmutableList<Tiling> results(Function function, int partitions) {
    Operation operation = function.operation();
    if (module.syntax() == Syntax.HLO) {
      Operation root = requireNonNull(function.body().root());
      ImmutableList<TensorType> types = Leaves.of(root.result().type());
      return at(root, () -> tilings(root.attributes(), types, partitions, true));
    }
    ImmutableList.Builder<Tiling> out = ImmutableList.builder();
    Attribute list = operation.attribute(BuiltinOps.RES_ATTRS);
    for (int i = 0; i < function.resultTypes().size(); i++) {
      ImmutableList<TensorType> types = Leaves.of(function.resultTypes().get(i));
      Attributes attributes = entry(list, i);
      out.addAll(at(operation, () -> tilings(attributes, types, partitions, true)));
    }
    return out.build();
  }

  /**
   * Returns how the operands of {@code operation}, an {@code sdy.manual_computation} or {@code
   * xla.sdy.GlobalToLocalShape}, are cut along its manual axes; the other axes make groups.
   */
  public ImmutableList<Tiling> manualOperands(Operation operation, int partitions) {
    return manual(operation, "in_shardings", operation.operands(), partitions);
  }

  /** Returns how results are cut, as {@link #manualOperands}. */
  public ImmutableList<Tiling> manualResults(Operation operation, int partitions) {
    return manual(operation, "out_shardings", operation.results(), partitions);
  }

  /** Returns the partitions that run each body of a manual computation together, by group. */
  public int[] manualGroups(Operation operation, int partitions) {
    return at(
        operation,
        () -> {
          ImmutableList<String> axes = ShardingAttributes.manualAxes(operation);
          int[] out = new int[partitions];
          DeviceMesh mesh = anyMesh(operation, partitions);
          for (int p = 0; p < partitions; p++) {
            int position = mesh.size() == 1 ? 0 : mesh.position(p);
            for (String axis : axes) {
              int number = mesh.axis(axis);
              out[p] = out[p] * mesh.sizes().get(number) + mesh.coordinate(position, number);
            }
          }
          return out;
        });
  }

  private DeviceMesh anyMesh(Operation operation, int partitions) {
    for (String name : new String[] {"in_shardings", "out_shardings"}) {
      for (SdySharding sharding : ShardingAttributes.list(operation, name)) {
        DeviceMesh mesh = sharding.meshIn(this::mesh);
        if (mesh.size() == partitions || mesh.size() == 1) {
          return mesh;
        }
        throw new IllegalArgumentException(
            String.format(
                "the mesh %s has %d devices, there are %d partitions",
                mesh, mesh.size(), partitions));
      }
    }
    for (String name : written.keySet()) {
      DeviceMesh mesh = mesh(name);
      if (mesh.size() == partitions
          && mesh.names().containsAll(ShardingAttributes.manualAxes(operation))) {
        return mesh;
      }
    }
    return DeviceMesh.parse("<[]>");
  }

  /** Returns the shardings under {@code name} of what has elements: tokens have some as well. */
  private static ImmutableList<SdySharding> withoutTokens(
      Operation operation, String name, ImmutableList<Value> values) {
    ImmutableList<SdySharding> all = ShardingAttributes.list(operation, name);
    return IntStream.range(0, all.size())
        .filter(i -> i >= values.size() || !(values.get(i).type() instanceof TokenType))
        .mapToObj(all::get)
        .collect(ImmutableList.toImmutableList());
  }

  private ImmutableList<Tiling> manual(
      Operation operation, String name, ImmutableList<Value> values, int partitions) {
    return at(
        operation,
        () -> {
          ImmutableList<String> axes = ShardingAttributes.manualAxes(operation);
          ImmutableList<SdySharding> all = withoutTokens(operation, name, values);
          int wanted = values.stream().mapToInt(value -> Leaves.of(value.type()).size()).sum();
          if (all.size() != wanted) {
            throw new IllegalArgumentException(
                String.format("%s holds %d shardings for %d values", name, all.size(), wanted));
          }
          ImmutableList.Builder<Tiling> out = ImmutableList.builder();
          all.forEach(each -> out.add(each.tiling(this::mesh, partitions, axes::contains)));
          return out.build();
        });
  }

  /**
   * Returns how {@code whole}, the operand of a {@code SPMDFullToShardShape}, is cut into parts of
   * the sizes {@code parts}: as its sharding says along the dimensions that become smaller.
   *
   * @param definition the attributes of the operation or parameter that gives the operand
   */
  public Tiling cut(
      Operation operation,
      Attributes definition,
      TensorType whole,
      ImmutableLongArray parts,
      int partitions) {
    return at(
        operation,
        () -> {
          Tiling tiling = tilings(definition, ImmutableList.of(whole), partitions).get(0);
          Tiling kept = tiling.keeping(d -> parts.get(d) != whole.dim(d));
          if (!kept.local(whole.dims()).equals(parts)) {
            throw new IllegalArgumentException(
                String.format(
                    "parts of %s are %s, the sharding of the operand makes them %s",
                    whole, parts, kept.local(whole.dims())));
          }
          return kept;
        });
  }
}
