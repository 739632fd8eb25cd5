package dev.lockstep.handshake.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is a process group: the group ids of research/torch_tpu.md 1.8. */
final class RankListTest {
  @Test
  void ranksInOrder() {
    RankList list = RankList.of(0, 2, 3);
    assertThat(list.size()).isEqualTo(3);
    assertThat(list.get(1)).isEqualTo(2);
    assertThat(list.ranks().asList()).containsExactly(0, 2, 3);
    assertThat(list.indexOf(3)).isEqualTo(2);
    assertThat(list.indexOf(1)).isEqualTo(-1);
    assertThat(list.contains(2)).isTrue();
    assertThat(list).hasToString("[0,2,3]");
  }

  @Test
  void equalListsAreOneKey() {
    assertThat(RankList.of(0, 1)).isEqualTo(RankList.world(2)).hasSameHashCodeAs(RankList.world(2));
    assertThat(Map.of(RankList.of(4, 5), "x")).containsEntry(RankList.of(4, 5), "x");
    assertThat(RankList.of(0, 1)).isNotEqualTo(RankList.of(0, 2));
    assertThat(RankList.of(0, 1).id()).isNotEqualTo(RankList.of(0, 2).id());
  }

  @Test
  void whatIsNoGroup() {
    assertThatThrownBy(() -> RankList.of())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a process group needs a member");
    assertThatThrownBy(() -> RankList.of(-1, 0)).hasMessage("rank -1 is negative");
    assertThatThrownBy(() -> RankList.of(1, 1)).hasMessageContaining("rank 1 stands twice");
    assertThatThrownBy(() -> RankList.of(1, 0)).hasMessageContaining("must rise");
  }

  @Test
  void aJobHasRanks() {
    assertThatThrownBy(() -> CoordinatorOptions.of("job", 0)).hasMessageContaining("not 0");
    assertThatThrownBy(() -> CoordinatorOptions.of("job", -2)).hasMessageContaining("not -2");
  }
}
