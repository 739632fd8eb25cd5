package dev.lockstep.tools.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import org.junit.jupiter.api.Test;

final class ChunksTest {
  @Test
  void split_keepsLineNumbers() {
    Source source = Source.of("x.mlir", "a\nb\n// -----\nc\n// -----  note\n");

    ImmutableList<Source> chunks = Chunks.split(source);

    assertThat(chunks)
        .extracting(chunk -> chunk.text(0, chunk.length()))
        .containsExactly("a\nb\n", "\n\n\nc\n", "\n\n\n\n\n");
    assertThat(chunks.get(1).line(3)).isEqualTo(4);
  }

  @Test
  void split_withoutMarks_isTheFileItself() {
    Source source = Source.of("x.mlir", "a // -----\n");

    assertThat(Chunks.split(source)).containsExactly(source);
  }
}
