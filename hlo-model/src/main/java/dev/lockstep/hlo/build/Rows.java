package dev.lockstep.hlo.build;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Rows of integers as a rank-2 tensor. */
final class Rows {
  private Rows() {}

  /**
   * Returns {@code rows} as i64, of at least {@code least} columns; shorter rows are filled up with
   * -1, StableHLO's padding.
   */
  static Literal literal(ImmutableList<ImmutableLongArray> rows, int least) {
    int width = least;
    for (ImmutableLongArray row : rows) {
      width = Math.max(width, row.length());
    }
    LiteralBuilder out = new LiteralBuilder(TensorType.of(ElementType.I64, rows.size(), width));
    for (int r = 0; r < rows.size(); r++) {
      ImmutableLongArray row = rows.get(r);
      for (int c = 0; c < width; c++) {
        out.setLong(r * width + c, c < row.length() ? row.get(c) : -1);
      }
    }
    return out.build();
  }
}
