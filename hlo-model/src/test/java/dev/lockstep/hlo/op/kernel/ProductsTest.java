package dev.lockstep.hlo.op.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.junit.jupiter.api.Test;

/** Products against sums written out, for long and short rows. */
class ProductsTest {
  private static Literal counting(ElementType element, long... dims) {
    LiteralBuilder out = new LiteralBuilder(TensorType.of(element, dims));
    for (int i = 0; i < out.type().count(); i++) {
      out.setLong(i, i % 7 - 3);
    }
    return out.build();
  }

  private static Products.Dimensions batched() {
    return new Products.Dimensions(
        ImmutableLongArray.of(0),
        ImmutableLongArray.of(2),
        ImmutableLongArray.of(1),
        ImmutableLongArray.of(0));
  }

  private static void checkAll(ElementType element, int columns) {
    Literal lhs = counting(element, 2, 5, 3);
    Literal rhs = counting(element, 5, columns, 2);
    Literal product = Products.multiply(lhs, rhs, batched(), element);
    assertThat(product.type()).isEqualTo(TensorType.of(element, 2, 3, columns));
    for (int b = 0; b < 2; b++) {
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < columns; j++) {
          double sum = 0;
          for (int k = 0; k < 5; k++) {
            sum += lhs.getDouble((b * 5 + k) * 3 + i) * rhs.getDouble((k * columns + j) * 2 + b);
          }
          assertThat(product.getDouble((b * 3 + i) * columns + j)).isEqualTo(sum);
        }
      }
    }
  }

  @Test
  void sumsProductsOfEveryKind() {
    for (ElementType element :
        new ElementType[] {
          ElementType.F32, ElementType.F64, ElementType.BF16, ElementType.I32, ElementType.C64
        }) {
      checkAll(element, 3);
      checkAll(element, 11);
    }
  }

  @Test
  void zeroTimesInfinityIsNotLost() {
    Literal zero = Literal.zeros(TensorType.of(ElementType.F32, 1));
    Literal infinity = Literal.splatOf(TensorType.of(ElementType.F32, 1), 1.0 / 0.0);
    Products.Dimensions dot =
        new Products.Dimensions(
            ImmutableLongArray.of(),
            ImmutableLongArray.of(),
            ImmutableLongArray.of(0),
            ImmutableLongArray.of(0));
    assertThat(Products.multiply(zero, infinity, dot, ElementType.F32).getDouble(0)).isNaN();
  }

  @Test
  void orderSortsStablyAndBearsContradictions() {
    int[] items = {3, 1, 2, 0, 5, 4};
    Order.sort(items, (i, j) -> i / 2 < j / 2);
    assertThat(items).containsExactly(1, 0, 3, 2, 5, 4);
    int[] more = {2, 0, 1};
    Order.sort(more, (i, j) -> true);
    assertThat(more).containsExactlyInAnyOrder(0, 1, 2);
  }
}
