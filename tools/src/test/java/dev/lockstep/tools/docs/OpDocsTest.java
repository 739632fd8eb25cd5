package dev.lockstep.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpSet;
import org.junit.jupiter.api.Test;

final class OpDocsTest {
  @Test
  void section_holdsWhatTheDefinitionSays() {
    OpDef op =
        OpDef.named("test.twice")
            .hlo("twice")
            .summary("Doubles its operand")
            .trait(OpDef.Trait.ELEMENTWISE, OpDef.Trait.SIDE_EFFECT)
            .constraint("C1", "the operand is a tensor", (operation, code, sink) -> {})
            .build();

    assertThat(OpDocs.render(new OpSet(ImmutableList.of(op))))
        .endsWith(
            """

            ## test.twice

            Doubles its operand.

            - HLO: `twice`
            - Traits: elementwise, side effect
            - Not executed: it has no interpretation
            - C1: the operand is a tensor
            """);
  }
}
