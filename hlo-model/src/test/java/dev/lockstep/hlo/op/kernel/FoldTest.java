package dev.lockstep.hlo.op.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loops give the bits that running the reducer for every element gives. */
class FoldTest {
  private static Semantics.BodyRunner runner(ElementType element, String opcode) {
    String type = element.hloName() + "[]";
    String text =
        "HloModule m\n\nENTRY e {\n  x = %s parameter(0)\n  y = %s parameter(1)\n  ROOT r = %s %s(x, y)\n}\n";
    Module module = Texts.read(Source.of("m.hlo", String.format(text, type, type, type, opcode)));
    Block body = module.entryFunction().orElseThrow().body();
    Operation root = Objects.requireNonNull(body.root());
    return new Semantics.BodyRunner() {
      @Override
      public ImmutableList<Datum> run(int index, ImmutableList<Datum> arguments) {
        return ((Semantics.Local) root.def().semantics()).eval(root, arguments);
      }

      @Override
      public Block body(int index) {
        return body;
      }
    };
  }

  @ParameterizedTest
  @CsvSource({
    "F32,add",
    "F32,multiply",
    "F32,minimum",
    "F64,maximum",
    "BF16,add",
    "F16,multiply",
    "F8E4M3FN,add",
    "I8,add",
    "I32,multiply",
    "UI8,minimum",
    "UI64,maximum",
    "I1,and",
    "I1,or",
    "I1,add",
    "I32,xor",
    "C64,multiply",
    "C128,add"
  })
  void loopsMatchBodies(ElementType element, String opcode) {
    LiteralBuilder builder = new LiteralBuilder(TensorType.of(element, 24));
    for (int i = 0; i < 24; i++) {
      if (element.isFloat() || element.isComplex()) {
        builder.setDouble(i, Math.sin(i + 1.0) * 3);
      } else {
        builder.setLong(i, i * 37 - 100);
      }
    }
    ImmutableList<Literal> inputs = ImmutableList.of(builder.build());
    Semantics.BodyRunner bodies = runner(element, opcode);
    ReductionKind kind = Objects.requireNonNull(ReductionKind.of(bodies.body(0)));
    TensorType type = TensorType.of(element, 6);
    Literal start = Fold.start(type, kind.identity(element));
    Fold loop = Fold.of(bodies, 0, ImmutableList.of(start));
    Fold body = new BodyFold(bodies, 0, ImmutableList.of(start));
    assertThat(loop).isNotInstanceOf(BodyFold.class);
    for (Fold fold : ImmutableList.of(loop, body)) {
      Fold.Source in = fold.source(inputs);
      fold.fold(0, 1, in, 0, 1, 6);
      fold.fold(0, 1, in, 6, 2, 6);
      fold.fold(2, 0, in, 12, 1, 12);
    }
    assertThat(loop.build()).isEqualTo(body.build());
  }

  @Test
  void identityChangesNothing() {
    Literal largest = ReductionKind.MINIMUM.identity(ElementType.I8);
    assertThat(largest.getLong(0)).isEqualTo(127);
    assertThat(ReductionKind.MAXIMUM.identity(ElementType.UI8).getLong(0)).isZero();
    assertThat(ReductionKind.MAXIMUM.identity(ElementType.F32).getDouble(0))
        .isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(ReductionKind.AND.identity(ElementType.UI8).getLong(0)).isEqualTo(255);
  }
}
