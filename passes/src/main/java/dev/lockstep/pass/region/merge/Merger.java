package dev.lockstep.pass.region.merge;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.BuildScope;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.AlignedBlock;
import dev.lockstep.pass.region.align.AlignedFunction;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.align.Alignment;
import dev.lockstep.pass.region.align.ProgramClasses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the first rank's program so that it says on every rank what that rank's program says.
 *
 * <p>The order of operations is the first rank's, so operations that must keep their order keep it:
 * an alignment pairs them in program order. Used once.
 */
public final class Merger {
  /**
   * What a merge gives.
   *
   * @param module the program of all ranks; of no use when there are problems
   * @param steps what was done
   * @param inputs what the entry takes in addition
   * @param problems what could not be written
   */
  public record Result(
      Module module,
      ImmutableList<MergeStep> steps,
      ImmutableList<AddedInput> inputs,
      ImmutableList<Diagnostic> problems) {}

  private final Alignment alignment;
  private final ImmutableList<MergeRule> rules;
  private final Sizes sizes;
  private final Module base;
  private final BuildScope scope;
  private final AddedInputs inputs;
  private final MergeLog log = new MergeLog();
  private final Map<AlignedValue, Value> bound = new HashMap<>();
  private final Set<Value> used = new HashSet<>();
  private final Map<AlignedFunction, String> names = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private final Set<AlignedFunction> scalars = new HashSet<>();

  /**
   * Creates a merger.
   *
   * @param alignment programs without problems
   * @param rules what is done where programs differ; the first that applies is taken
   * @param sizes the sizes for all ranks
   */
  public Merger(Alignment alignment, ImmutableList<MergeRule> rules, Sizes sizes) {
    this.alignment = alignment;
    this.rules = rules;
    this.sizes = sizes;
    this.base = alignment.classes().programs().get(0);
    this.scope = BuildScope.of(base);
    this.inputs = new AddedInputs(alignment.entryOrThrow().base(), scope.isHlo());
  }

  /** Returns the program of all ranks. */
  public Result merge() {
    headers();
    alignment.functions().forEach(function -> findScalars(function.body()));
    Map<Operation, List<Operation>> merged = new HashMap<>();
    for (AlignedFunction function : alignment.functions()) {
      merged
          .computeIfAbsent(function.base().operation(), key -> new ArrayList<>())
          .add(function(function));
    }
    ImmutableList.Builder<Operation> operations = ImmutableList.builder();
    for (Operation operation : base.operations()) {
      if (!operation.is(BuiltinOps.FUNC) || new Function(operation).isDeclaration()) {
        operations.add(operation);
      } else {
        operations.addAll(merged.getOrDefault(operation, List.of()));
      }
    }
    return new Result(
        scope.finish(base.withOperations(operations.build())),
        log.steps(),
        inputs.inputs(),
        log.problems());
  }

  /** Refuses headers and top-level operations that say different things. */
  private void headers() {
    List<Attributes> attributes = new ArrayList<>();
    for (Module module : classes().programs()) {
      attributes.add(module.attributes());
    }
    ImmutableSet<String> differing = Differences.ofHeaders(attributes);
    if (!differing.isEmpty()) {
      problem("the programs' headers differ in " + String.join(", ", differing));
    }
    ImmutableList<Operation> first = others(base);
    for (Module module : classes().programs()) {
      ImmutableList<Operation> here = others(module);
      boolean same = here.size() == first.size();
      for (int i = 0; same && i < here.size(); i++) {
        same =
            here.get(i).def() == first.get(i).def()
                && here.get(i).attributes().equals(first.get(i).attributes());
      }
      if (!same) {
        problem("the programs differ in what stands outside functions");
        return;
      }
    }
  }

  /** Finds computations that run for single elements, in which not every operation may stand. */
  private void findScalars(AlignedBlock block) {
    for (AlignedOp operation : block.operations()) {
      if (!(operation.def().semantics() instanceof Semantics.Control)) {
        scalars.addAll(operation.callees());
      }
      operation.regions().forEach(this::findScalars);
    }
  }

  private void problem(String message) {
    log.problems(ImmutableList.of(Diagnostic.error("repair-header", message, base.location())));
  }

  private static ImmutableList<Operation> others(Module module) {
    return module.operations().stream()
        .filter(operation -> !operation.is(BuiltinOps.FUNC))
        .collect(ImmutableList.toImmutableList());
  }

  private Operation function(AlignedFunction function) {
    BlockMerge.Kind kind =
        function == alignment.entryOrThrow()
            ? BlockMerge.Kind.ENTRY
            : scalars.contains(function) ? BlockMerge.Kind.SCALAR : BlockMerge.Kind.CLOSED;
    Block body = new BlockMerge(this, function.body(), kind).merge();
    Operation operation = new Function(function.base().operation()).withBody(body).operation();
    String name = function.base().name();
    if (!taken.add(name)) {
      name = scope.freshName(name);
    }
    names.put(function, name);
    Attributes attributes =
        operation.attributes().with(BuiltinOps.SYM_NAME, Attribute.Str.of(name));
    if (!scope.isHlo()) {
      attributes = signature(attributes, body);
    }
    return operation.withAttributes(attributes);
  }

  private static Attributes signature(Attributes attributes, Block body) {
    ImmutableList.Builder<Type> arguments = ImmutableList.builder();
    body.arguments().forEach(argument -> arguments.add(argument.type()));
    ImmutableList.Builder<Type> results = ImmutableList.builder();
    body.returned().forEach(value -> results.add(value.type()));
    FunctionType type = new FunctionType(arguments.build(), results.build());
    Attributes out = attributes.with(BuiltinOps.FUNCTION_TYPE, new Attribute.TypeOf(type));
    if (out.get(BuiltinOps.ARG_ATTRS) instanceof Attribute.Array list
        && list.elements().size() < type.inputs().size()) {
      ImmutableList.Builder<Attribute> all = ImmutableList.builder();
      all.addAll(list.elements());
      for (int i = list.elements().size(); i < type.inputs().size(); i++) {
        all.add(new Attribute.Dict(Attributes.EMPTY));
      }
      out = out.with(BuiltinOps.ARG_ATTRS, new Attribute.Array(all.build()));
    }
    return out;
  }

  /** Returns {@code attributes} with the merged functions' names where they name functions. */
  Attributes withCallees(AlignedOp operation, Attributes attributes) {
    Attributes out = attributes;
    int next = 0;
    for (String key : operation.def().bodyAttributes()) {
      Attribute value = out.get(key);
      if (!operation.regions().isEmpty()) {
        break;
      }
      if (value instanceof Attribute.Symbol symbol) {
        out = out.with(key, renamed(symbol, operation, next++));
      } else if (value instanceof Attribute.Array list) {
        ImmutableList.Builder<Attribute> elements = ImmutableList.builder();
        for (Attribute element : list.elements()) {
          elements.add(
              element instanceof Attribute.Symbol symbol
                  ? renamed(symbol, operation, next++)
                  : element);
        }
        out = out.with(key, new Attribute.Array(elements.build()));
      }
    }
    return out;
  }

  private Attribute renamed(Attribute.Symbol symbol, AlignedOp operation, int index) {
    String name = requireNonNull(names.get(operation.callees().get(index)));
    return name.equals(symbol.name()) ? symbol : Attribute.Symbol.of(name);
  }

  /** Returns a value in place of {@code old}: itself where that is possible, else one like it. */
  Value fresh(Value old, Type type, String name, OpBuilder builder) {
    String oldName = old.name();
    if (!used.add(old) || scope.isHlo() && oldName == null) {
      return builder.newValue(type, oldName == null ? name : oldName);
    }
    return old.type().equals(type) ? old : new Value(type, oldName);
  }

  void bind(AlignedValue aligned, Value value) {
    bound.put(aligned, value);
  }

  Value value(AlignedValue aligned) {
    return requireNonNull(bound.get(aligned), () -> aligned + " was not written yet");
  }

  ImmutableList<Value> addedArguments() {
    return inputs.arguments();
  }

  AddedInputs inputs() {
    return inputs;
  }

  ProgramClasses classes() {
    return alignment.classes();
  }

  ImmutableList<MergeRule> rules() {
    return rules;
  }

  Sizes sizes() {
    return sizes;
  }

  BuildScope scope() {
    return scope;
  }

  MergeLog log() {
    return log;
  }
}
