package dev.lockstep.runtime.pjrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.testing.CppCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries that are no plugins, or plugins of other versions, are refused with a code. */
final class OtherPluginsTest {
  @TempDir private Path folder;

  @BeforeEach
  void needTheShim() {
    CppCompiler.require();
  }

  private Path fake(String name, String... flags) throws IOException {
    String[] all = new String[flags.length + 2];
    all[0] = "-shared";
    all[1] = "-fPIC";
    System.arraycopy(flags, 0, all, 2, flags.length);
    return CppCompiler.compile("runtime/src/test/native/fake_plugin.cc", folder.resolve(name), all);
  }

  private static PjrtException refusal(Path file) {
    return catchThrowableOfType(PjrtException.class, () -> PjrtPlugin.load(file));
  }

  @Test
  void anotherMajorVersion_isRefused() throws IOException {
    PjrtException refused = refusal(fake("major.so", "-DMAJOR=1"));
    assertThat(refused.code()).isEqualTo(PjrtCode.FAILED_PRECONDITION);
    assertThat(refused).hasMessageContaining("speaks PJRT 1.90; Lockstep speaks version 0");
  }

  @Test
  void aShortTable_isRefused() throws IOException {
    PjrtException refused = refusal(fake("short.so", "-DFUNCTIONS=20"));
    assertThat(refused.code()).isEqualTo(PjrtCode.FAILED_PRECONDITION);
    assertThat(refused).hasMessageContaining("its table has 200 bytes");
  }

  @Test
  void missingFunctions_areErrorsWhenTheyAreCalled() throws IOException {
    PjrtPlugin plugin = PjrtPlugin.load(fake("empty.so"));
    assertThat(plugin.minor()).isEqualTo(90);
    PjrtException refused =
        catchThrowableOfType(PjrtException.class, () -> PjrtClient.create(plugin, Map.of()));
    assertThat(refused.code()).isEqualTo(PjrtCode.UNIMPLEMENTED);
  }

  @Test
  void librariesAndFilesThatAreNone_areRefused() throws IOException {
    Path library = fake("library.so", "-DGetPjrtApi=GetSomethingElse");
    assertThat(refusal(library).code()).isEqualTo(PjrtCode.INVALID_ARGUMENT);
    Path text = Files.writeString(folder.resolve("text.so"), "this is no library");
    assertThat(refusal(text).code()).isEqualTo(PjrtCode.NOT_FOUND);
    assertThatThrownBy(() -> PjrtPlugin.load(folder.resolve("missing.so")))
        .isInstanceOf(PjrtUnavailableException.class);
  }
}
