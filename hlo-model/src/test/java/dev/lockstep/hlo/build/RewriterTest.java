package dev.lockstep.hlo.build;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.elementwise.Add;
import dev.lockstep.hlo.op.elementwise.Negate;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import org.junit.jupiter.api.Test;

class RewriterTest {
  private static final TensorType F32X4 = TensorType.of(ElementType.F32, 4);
  private static final CollectiveGroups PAIR =
      CollectiveGroups.ofReplicas(
          new ReplicaGroups.Lists(ImmutableList.of(ImmutableLongArray.of(0, 1))));

  /** {@code ROOT add.1 = add(negate(p), negate(p))} in HLO, the same with a return in MLIR. */
  private static Module module(Syntax syntax) {
    boolean hlo = syntax == Syntax.HLO;
    Value parameter = new Value(F32X4, "p");
    Value negated = new Value(F32X4, "n");
    Value sum = new Value(F32X4, "add");
    Operation negate = operation(Negate.DEF, ImmutableList.of(parameter), negated);
    Operation add = operation(Add.DEF, ImmutableList.of(negated, negated), sum);
    Block body;
    if (hlo) {
      Operation first =
          operation(BuiltinOps.PARAMETER, ImmutableList.of(), parameter)
              .withAttributes(Attributes.of(BuiltinOps.PARAMETER_NUMBER, Attribute.Int.untyped(0)));
      body =
          new Block(
              ImmutableList.of(), ImmutableList.of(first, negate, add), add, ImmutableList.of());
    } else {
      Operation end =
          new Operation(
              BuiltinOps.RETURN,
              ImmutableList.of(sum),
              ImmutableList.of(),
              Attributes.EMPTY,
              ImmutableList.of(),
              Location.UNKNOWN,
              null);
      body = Block.of(ImmutableList.of(parameter), ImmutableList.of(negate, add, end));
    }
    Operation function =
        new Operation(
            BuiltinOps.FUNC,
            ImmutableList.of(),
            ImmutableList.of(),
            Attributes.of(BuiltinOps.SYM_NAME, Attribute.Str.of("main")),
            ImmutableList.of(Region.of(body)),
            Location.UNKNOWN,
            null);
    return new Module(
        syntax,
        "m",
        Attributes.EMPTY,
        ImmutableList.of(function),
        hlo ? "main" : null,
        Location.UNKNOWN,
        null);
  }

  private static Operation operation(
      dev.lockstep.hlo.op.OpDef def, ImmutableList<Value> operands, Value result) {
    return new Operation(
        def,
        operands,
        ImmutableList.of(result),
        Attributes.EMPTY,
        ImmutableList.of(),
        Location.UNKNOWN,
        null);
  }

  private static ImmutableList<String> opsOf(Module module) {
    return module.entryFunction().orElseThrow().body().operations().stream()
        .map(o -> o.def().name())
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void nothingChangedIsTheSameObject() {
    for (Syntax syntax : Syntax.values()) {
      Module module = module(syntax);
      assertThat(Rewriter.rewrite(module, (operation, builder) -> null)).isSameAs(module);
    }
  }

  @Test
  void replacingAnOperationUpdatesItsUsers() {
    Module module = module(Syntax.STABLEHLO);
    Module rewritten =
        Rewriter.rewrite(
            module,
            (operation, builder) ->
                operation.is(Negate.DEF)
                    ? ImmutableList.of(builder.add(operation.operand(0), operation.operand(0)))
                    : null);
    assertThat(opsOf(rewritten)).containsExactly("stablehlo.add", "stablehlo.add", "func.return");
    Block body = rewritten.entryFunction().orElseThrow().body();
    assertThat(body.operations().get(1).operand(0)).isSameAs(body.operations().get(0).result());
  }

  @Test
  void replacedRootFollowsItsValue() {
    Module rewritten =
        Rewriter.rewrite(
            module(Syntax.HLO),
            (operation, builder) ->
                operation.is(Add.DEF) ? ImmutableList.of(operation.operand(0)) : null);
    Block body = rewritten.entryFunction().orElseThrow().body();
    assertThat(body.root()).isNotNull();
    assertThat(body.returned().get(0).name()).isEqualTo("n");
  }

  @Test
  void hloCollectivesShareOneReducerAndUnpackTuples() {
    Module rewritten =
        Rewriter.rewrite(
            module(Syntax.HLO),
            (operation, builder) -> {
              if (!operation.is(Add.DEF)) {
                return null;
              }
              ImmutableList<Value> sums =
                  builder.allReduce(operation.operands(), ReductionKind.ADD, PAIR);
              return ImmutableList.of(builder.allReduce(sums.get(1), ReductionKind.ADD, PAIR));
            });
    assertThat(rewritten.functions().stream().map(Function::name))
        .containsExactly("add_f32", "main");
    ImmutableList<Operation> operations =
        rewritten.entryFunction().orElseThrow().body().operations();
    assertThat(operations.get(2).result().type())
        .isEqualTo(new TupleType(ImmutableList.of(F32X4, F32X4)));
    assertThat(operations.get(2).attribute("to_apply")).isEqualTo(Attribute.Symbol.of("add_f32"));
    assertThat(ReductionKind.of(rewritten.function("add_f32").orElseThrow().body()))
        .isEqualTo(ReductionKind.ADD);

    Module again =
        Rewriter.rewrite(
            rewritten,
            (operation, builder) ->
                operation.is(Negate.DEF)
                    ? ImmutableList.of(
                        builder.allReduce(operation.operand(0), ReductionKind.ADD, PAIR))
                    : null);
    assertThat(again.functions()).hasSize(2);
  }

  @Test
  void namesStayUnique() {
    Module rewritten =
        Rewriter.rewrite(
            module(Syntax.HLO),
            (operation, builder) ->
                operation.is(Negate.DEF)
                    ? ImmutableList.of(builder.add(operation.operand(0), operation.operand(0)))
                    : null);
    assertThat(
            rewritten.entryFunction().orElseThrow().body().operations().stream()
                .map(o -> o.result().name()))
        .containsExactly("p", "add.1", "add");
  }

  @Test
  void stableHloCollectivesCarryTheirReducer() {
    Module rewritten =
        Rewriter.rewrite(
            module(Syntax.STABLEHLO),
            (operation, builder) ->
                operation.is(Negate.DEF)
                    ? ImmutableList.of(
                        builder.allReduce(operation.operand(0), ReductionKind.MAXIMUM, PAIR))
                    : null);
    Operation allReduce = rewritten.entryFunction().orElseThrow().body().operations().get(0);
    assertThat(ReductionKind.of(allReduce.regions().get(0).entry()))
        .isEqualTo(ReductionKind.MAXIMUM);
    assertThat(allReduce.attribute("replica_groups")).isInstanceOf(Attribute.Dense.class);
  }
}
