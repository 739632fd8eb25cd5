package dev.lockstep.hlo.op.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;
import org.junit.jupiter.api.Test;

class MovementTest {
  private static Literal counting(long... dims) {
    TensorType type = TensorType.of(ElementType.I64, dims);
    long[] values = new long[(int) type.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    return Literal.of(type, values);
  }

  private static ImmutableLongArray longs(long... values) {
    return ImmutableLongArray.copyOf(values);
  }

  private static Datum evaluate(OpDef def, TensorType from, TensorType to, Literal operand) {
    Operation operation =
        new Operation(
            def,
            ImmutableList.of(new Value(from)),
            ImmutableList.of(new Value(to)),
            Attributes.EMPTY,
            ImmutableList.of(),
            Location.UNKNOWN,
            null);
    return ((Semantics.Local) def.semantics()).eval(operation, ImmutableList.of(operand)).get(0);
  }

  @Test
  void transposesByPermutation() {
    assertThat(Movement.transpose(counting(2, 3), longs(1, 0)).toLongs())
        .containsExactly(0, 3, 1, 4, 2, 5);
  }

  @Test
  void broadcastsUnitDimensions() {
    Literal column = counting(2, 1);
    assertThat(Movement.broadcast(column, longs(2, 3), longs(0, 1)).toLongs())
        .containsExactly(0, 0, 0, 1, 1, 1);
    assertThat(Movement.broadcast(counting(1), longs(5), longs(0)).isSplat()).isTrue();
  }

  @Test
  void slicesWithSteps() {
    Literal cut =
        Movement.slice(counting(3, 4), new long[] {0, 1}, new long[] {3, 4}, new long[] {2, 2});
    assertThat(cut.toLongs()).containsExactly(1, 3, 9, 11);
  }

  @Test
  void padsWithNegativeEdgesAndGaps() {
    Literal filler = Literal.scalar(ElementType.I64, 9);
    long[] none = {0};
    assertThat(
            Movement.pad(counting(3), filler, new long[] {1}, new long[] {0}, new long[] {1})
                .toLongs())
        .containsExactly(9, 0, 9, 1, 9, 2);
    assertThat(
            Movement.pad(counting(3), filler, new long[] {-1}, new long[] {-1}, new long[] {1})
                .toLongs())
        .containsExactly(9, 1, 9);
    assertThat(Movement.pad(counting(3), filler, new long[] {-4}, new long[] {2}, none).toLongs())
        .containsExactly(9);
    assertThat(Movement.pad(counting(0), filler, new long[] {1}, new long[] {1}, none).toLongs())
        .containsExactly(9, 9);
  }

  @Test
  void reversesAndConcatenates() {
    assertThat(Movement.reverse(counting(2, 2), longs(1)).toLongs()).containsExactly(1, 0, 3, 2);
    assertThat(Movement.concatenate(ImmutableList.of(counting(2, 1), counting(2, 2)), 1).toLongs())
        .containsExactly(0, 0, 1, 1, 2, 3);
  }

  @Test
  void updatesABox() {
    Literal part = Literal.splatOf(TensorType.of(ElementType.I64, 1, 2), 7);
    assertThat(Movement.update(counting(2, 3), part, new long[] {1, 1}).toLongs())
        .containsExactly(0, 1, 2, 3, 7, 7);
  }

  @Test
  void startIndicesAreClamped() {
    ImmutableList<Datum> indices =
        ImmutableList.of(Literal.scalar(ElementType.I32, -3), Literal.scalar(ElementType.I32, 9));
    assertThat(DataKeys.clampedStart(indices, longs(4, 4), new long[] {2, 2}))
        .containsExactly(0, 2);
    ImmutableList<Datum> huge = ImmutableList.of(Literal.scalar(ElementType.UI64, -1));
    assertThat(DataKeys.clampedStart(huge, longs(4), new long[] {1})).containsExactly(3);
  }

  @Test
  void bitcastReadsMemoryInTheOrderOfLayouts() {
    TensorType rows = TensorType.of(ElementType.I64, 2, 3);
    TensorType columns = rows.withDims(3, 2).withLayout(new Layout(ImmutableIntArray.of(0, 1), ""));
    // A column-major 3x2 over row-major 2x3 memory is the transpose.
    Literal cast = (Literal) evaluate(Bitcast.DEF, rows, columns, counting(2, 3));
    assertThat(cast.toLongs()).containsExactly(0, 3, 1, 4, 2, 5);
  }

  @Test
  void bitcastConvertPutsLowBitsFirst() {
    Literal word = Literal.scalar(ElementType.UI32, 0x01020304);
    Literal bytes = BitcastConvert.convert(word, TensorType.of(ElementType.UI8, 4));
    assertThat(bytes.toLongs()).containsExactly(4, 3, 2, 1);
    assertThat(BitcastConvert.convert(bytes, TensorType.of(ElementType.UI32)).getLong(0))
        .isEqualTo(0x01020304);
  }

  @Test
  void iotaCountsAlongItsDimension() {
    assertThat(Iota.numbers(TensorType.of(ElementType.I32, 2, 3), 1).toLongs())
        .containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(Iota.numbers(TensorType.of(ElementType.I32, 2, 2), 0).toLongs())
        .containsExactly(0, 0, 1, 1);
  }
}
