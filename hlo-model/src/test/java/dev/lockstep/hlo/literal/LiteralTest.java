package dev.lockstep.hlo.literal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LiteralTest {
  @Test
  void integers_wrapToTheirWidth() {
    assertThat(Literal.scalar(ElementType.I4, 9L).getLong(0)).isEqualTo(-7);
    assertThat(Literal.scalar(ElementType.UI4, -1L).getLong(0)).isEqualTo(15);
    assertThat(Literal.scalar(ElementType.I2, 2L).getLong(0)).isEqualTo(-2);
    assertThat(Literal.scalar(ElementType.UI8, 511L).getLong(0)).isEqualTo(255);
    assertThat(Literal.scalar(ElementType.UI32, -1L).getLong(0)).isEqualTo(0xFFFFFFFFL);
    assertThat(Literal.scalar(ElementType.I1, 2L).getLong(0)).isEqualTo(1);
  }

  @Test
  void unsigned64_convertsBeyondTheSignBit() {
    assertThat(Literal.scalar(ElementType.UI64, -1L).getDouble(0)).isEqualTo(0x1p64);
    assertThat(Literal.scalar(ElementType.UI64, 0x1p63).getLong(0)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void negativeZeroAndNan_keepTheirBits() {
    assertThat(Literal.scalar(ElementType.F32, -0.0))
        .isNotEqualTo(Literal.scalar(ElementType.F32, 0.0));
    LiteralBuilder builder = new LiteralBuilder(TensorType.of(ElementType.F32));
    builder.setBits(0, 0x7FC01234L);
    assertThat(builder.build().getBits(0)).isEqualTo(0x7FC01234L);
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void splat_equalsItsDenseForm(ElementType element) {
    Literal splat = Literal.splatOf(TensorType.of(element, 2, 3), 1L);
    assertThat(splat.isSplat()).isTrue();
    assertThat(splat.dense().isSplat()).isFalse();
    assertThat(splat.dense()).isEqualTo(splat);
    assertThat(splat.getLong(5)).isEqualTo(splat.getLong(0));
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void copyRange_movesEveryStorageKind(ElementType element) {
    LiteralBuilder source = new LiteralBuilder(TensorType.of(element, 4));
    for (int i = 0; i < 4; i++) {
      source.setLong(i, i & 1);
    }
    Literal from = source.build();
    LiteralBuilder target = new LiteralBuilder(TensorType.of(element, 2));
    target.copyRange(0, from, 1, 2);
    Literal out = target.build();
    assertThat(out.sameBits(0, from, 1)).isTrue();
    assertThat(out.sameBits(1, from, 2)).isTrue();
  }

  @Test
  void wrongStorage_isRefused() {
    assertThatThrownBy(() -> Literal.of(TensorType.of(ElementType.F32, 3), new float[2]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Literal.ofLongs(1, 2).reshaped(TensorType.of(ElementType.I64, 3)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
