package dev.lockstep.handshake.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.RankList;
import org.junit.jupiter.api.Test;

/** How collectives are counted: the counts of research/torch_tpu.md 1.8. */
final class CollectiveCountsTest {
  private static final RankList A = RankList.of(0, 1);
  private static final RankList B = RankList.of(0, 2);

  @Test
  void aStretchBeginsWhereTheLastEnded() {
    CollectiveCounts counts = new CollectiveCounts();
    assertThat(counts.advance(A, 2)).isZero();
    assertThat(counts.advance(A, 3)).isEqualTo(2);
    assertThat(counts.advance(A, 0)).isEqualTo(5);
    assertThat(counts.before(A)).isEqualTo(5);
  }

  @Test
  void groupsAreCountedApart() {
    CollectiveCounts counts = new CollectiveCounts();
    counts.advance(A, 2);
    counts.advance(B, 3);
    counts.advance(A, 4);
    counts.advance(B, 1);
    assertThat(counts.before(A)).isEqualTo(6);
    assertThat(counts.before(B)).isEqualTo(4);
  }

  @Test
  void aGroupThatWasNeverUsedHasNone() {
    assertThat(new CollectiveCounts().before(A)).isZero();
  }

  @Test
  void countsDoNotFall() {
    assertThatThrownBy(() -> new CollectiveCounts().advance(A, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStretchHoldsSomething() {
    assertThat(new GroupUse(0, 3, 2).after()).isEqualTo(5);
    assertThat(new GroupUse(0, 0, 2)).isEqualTo(new GroupUse(0, 0, 2));
    assertThat(new GroupUse(0, 0, 2)).isNotEqualTo(new GroupUse(0, 1, 2));
    assertThat(new GroupUse(0, 0, 2)).isNotEqualTo(new GroupUse(0, 0, 3));
    assertThat(new GroupUse(0, 0, 2)).isNotEqualTo(new GroupUse(1, 0, 2));
    assertThatThrownBy(() -> new GroupUse(0, -1, 2)).hasMessageContaining("-1");
    assertThatThrownBy(() -> new GroupUse(0, 0, 0)).hasMessageContaining("0 collectives");
    assertThatThrownBy(() -> new GroupUse(0, 0, -2)).hasMessageContaining("-2 collectives");
  }
}
