package dev.lockstep.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PipelineTest {
  private static final PassRegistry REGISTRY =
      PassRegistry.of(ImmutableList.of(FakePass.idle("lower"), FakePass.idle("clean-up")));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lower",
        "lower,clean-up",
        "lower{size=8},clean-up{flag=true,word=b}",
        "fixpoint(clean-up)",
        "lower,fixpoint{max=3}(clean-up,fixpoint(lower{flag=false}))",
      })
  void text_readAndPrinted_isTheSame(String text) {
    assertThat(Pipeline.parse(text, REGISTRY).toString()).isEqualTo(text);
  }

  @Test
  void text_withBlanksAndBareFlag_isReadAsItsPlainForm() {
    assertThat(Pipeline.parse(" lower { flag , size = 2 } , clean-up ", REGISTRY).toString())
        .isEqualTo("lower{flag=true,size=2},clean-up");
  }

  @Test
  void unknownPass_nearAKnownOne_isSuggested() {
    assertProblem(
        "lower,cleanup",
        """
        <pipeline>:1:7: error[pipeline]: no pass is called 'cleanup'; did you mean 'clean-up'?
          lower,cleanup
                ^~~~~~~""");
  }

  @Test
  void unknownOption_listsThoseThereAre() {
    assertProblem(
        "lower{sise=3}",
        """
        <pipeline>:1:7: error[pipeline]: lower has no option 'sise'; it has size, flag, word
          lower{sise=3}
                ^~~~""");
  }

  @Test
  void wrongValue_saysWhatIsExpected() {
    assertProblem(
        "lower{size=0}",
        """
        <pipeline>:1:12: error[pipeline]: option 'size' is '0', must be an integer of at least 1
          lower{size=0}
                     ^""");
  }

  @Test
  void optionGivenTwice_isAnError() {
    assertThatThrownBy(() -> Pipeline.parse("lower{size=1,size=2}", REGISTRY))
        .hasMessageContaining("given twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "lower,", "lower{", "lower{size=1", "fixpoint(lower", "lower)"})
  void brokenText_pointsIntoIt(String text) {
    assertThatThrownBy(() -> Pipeline.parse(text, REGISTRY))
        .isInstanceOf(DiagnosticException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void options_notGiven_haveTheirFallback() {
    Pipeline.Single single =
        (Pipeline.Single) Pipeline.parse("lower{size=8}", REGISTRY).steps().get(0);
    assertThat(single.options().get(FakePass.SIZE)).isEqualTo(8);
    assertThat(single.options().get(FakePass.WORD)).isEqualTo("a");
    assertThat(single.options().has(FakePass.WORD)).isFalse();
  }

  private static void assertProblem(String text, String message) {
    assertThatThrownBy(() -> Pipeline.parse(text, REGISTRY))
        .isInstanceOf(DiagnosticException.class)
        .hasMessage(message);
  }
}
