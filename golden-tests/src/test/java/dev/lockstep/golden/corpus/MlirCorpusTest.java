package dev.lockstep.golden.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.mlir.MlirPrinter;
import dev.lockstep.hlo.text.mlir.MlirReader;
import dev.lockstep.testing.CorpusFiles;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** MLIR texts that JAX, torch_xla and the tests of StableHLO, XLA and Shardy left behind. */
final class MlirCorpusTest {
  private static final Pattern SPLIT = Pattern.compile("(?m)^\\s*// -----.*$");

  private static final Pattern OPERATION =
      Pattern.compile("(?m)^\\s*(?:[%\\w:, ]+=\\s*)?\"?([a-z_]+)\\.[a-z_0-9\\-]+\"?[ (@%]");

  private static final Set<String> DIALECTS =
      Set.of("builtin", "func", "stablehlo", "chlo", "sdy", "check", "interpreter");

  /**
   * For each line "theirs TAB ours" of a list: does MLIR print the same for both, and exactly our
   * text? One process a few files would be safer; these texts are known not to end it.
   */
  private static final String SAME_TEXT =
      """
      import sys
      from jax._src.interpreters import mlir as jm
      from jaxlib.mlir import ir
      from jaxlib.mlir.dialects import chlo, sdy, stablehlo
      context = jm.make_ir_context()
      stablehlo.register_dialect(context)
      chlo.register_dialect(context)
      sdy.register_dialect(context)
      def printed(path):
        text = open(path, encoding='utf-8').read()
        module = ir.Module.parse(text)
        return module.operation.get_asm(enable_debug_info='loc(' in text), text
      with context:
        for line in open(sys.argv[1]).read().split('\\n'):
          if not line: continue
          theirs, ours = line.split('\\t')
          try: expected, _ = printed(theirs)
          except Exception: print('rejected'); continue
          try:
            got, text = printed(ours)
            print('same' if got == expected and got.rstrip() == text.rstrip() else 'different')
          except Exception as e: print('broken ' + str(e).replace('\\n', ' ')[:300])
      """;

  static ImmutableList<Path> real() {
    return ImmutableList.<Path>builder()
        .addAll(CorpusFiles.files("real/jax", ".mlir"))
        .addAll(CorpusFiles.files("real/torch_xla", ".mlir"))
        .build();
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static String print(String name, String text) {
    return MlirPrinter.print(MlirReader.read(Source.of(name, text)));
  }

  @ParameterizedTest
  @MethodSource("real")
  void realTextsArePrintedByteForByte(Path file) throws IOException {
    String text = read(file);
    assertThat(print(file.toString(), text).stripTrailing()).isEqualTo(text.stripTrailing());
  }

  @Test
  void mlirPrintsTheSameForRealTextsAndOurs(@TempDir Path folder) throws IOException {
    PythonOracle oracle = PythonOracle.require();
    List<Chunk> chunks = new ArrayList<>();
    for (Path file : real()) {
      chunks.add(new Chunk(file.toString(), read(file)));
    }
    assertThat(compare(oracle, folder, chunks)).containsOnly("same").hasSize(chunks.size());
  }

  /** A part of a file between separators. */
  private record Chunk(String name, String text) {
    boolean isInvalid() {
      return text.contains("expected-error");
    }

    /** Returns whether only ops of the dialects occur that Lockstep reads. */
    boolean isOurs() {
      Matcher operations = OPERATION.matcher(text.replaceAll("//[^\n]*", ""));
      while (operations.find()) {
        if (!DIALECTS.contains(operations.group(1))) {
          return false;
        }
      }
      return true;
    }
  }

  private static List<Chunk> chunks(String... folders) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    for (String folder : folders) {
      for (Path file : CorpusFiles.files(folder, ".mlir")) {
        String[] parts = SPLIT.split(read(file), -1);
        for (int i = 0; i < parts.length; i++) {
          if (!parts[i].replaceAll("//[^\n]*", "").isBlank()) {
            chunks.add(new Chunk(file + "#" + i, parts[i]));
          }
        }
      }
    }
    return chunks;
  }

  @Test
  void publicTextsReadAndRoundTrip(@TempDir Path folder) throws IOException {
    List<Chunk> valid =
        chunks("stablehlo/tests", "stablehlo/testdata", "xla").stream()
            .filter(chunk -> chunk.isOurs() && !chunk.isInvalid())
            .toList();
    List<String> failures = new ArrayList<>();
    for (Chunk chunk : valid) {
      try {
        String once = print(chunk.name(), chunk.text());
        if (!print(chunk.name(), once).equals(once)) {
          failures.add("not stable: " + chunk.name());
        }
      } catch (DiagnosticException e) {
        failures.add(e.getMessage());
      }
    }
    assertThat(failures).as("of " + valid.size()).hasSizeLessThan(valid.size() / 50);
  }

  @Test
  void invalidTextsGetDiagnosticsAndNothingElse() throws IOException {
    int rejected = 0;
    int count = 0;
    for (Chunk chunk : chunks("stablehlo", "shardy", "xla")) {
      if (chunk.isInvalid()) {
        count++;
        try {
          print(chunk.name(), chunk.text());
        } catch (DiagnosticException e) {
          rejected++;
        }
      }
    }
    assertThat(count).isGreaterThan(1000);
    assertThat(rejected).isPositive();
  }

  @Test
  void damagedTextsGetDiagnosticsAndNothingElse() throws IOException {
    Random random = new Random(7);
    int rejected = 0;
    for (Chunk chunk : chunks("stablehlo/tests")) {
      byte[] bytes = chunk.text().getBytes(StandardCharsets.UTF_8);
      if (bytes.length > 20_000) {
        continue;
      }
      byte[] damaged =
          random.nextBoolean()
              ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length))
              : bytes.clone();
      for (int i = 0; i < 2 && damaged.length > 0; i++) {
        damaged[random.nextInt(damaged.length)] = (byte) (32 + random.nextInt(95));
      }
      try {
        MlirPrinter.print(MlirReader.read(Source.of(chunk.name(), damaged)));
      } catch (DiagnosticException e) {
        rejected++;
      }
    }
    assertThat(rejected).isGreaterThan(500);
  }

  @Test
  void mlirPrintsTheSameForTestdataAndOurs(@TempDir Path folder) throws IOException {
    PythonOracle oracle = PythonOracle.require();
    List<Chunk> all =
        chunks("stablehlo/testdata").stream().filter(c -> !c.text().contains("!quant")).toList();
    List<String> answers = compare(oracle, folder, all);
    assertThat(answers).hasSize(all.size());
    assertThat(answers.stream().filter(a -> a.startsWith("broken") || a.equals("different")))
        .isEmpty();
    assertThat(answers.stream().filter(a -> a.equals("same")).count()).isGreaterThan(1900);
  }

  private static List<String> compare(PythonOracle oracle, Path folder, List<Chunk> chunks)
      throws IOException {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < chunks.size(); i++) {
      Path theirs = folder.resolve(i + ".theirs");
      Path ours = folder.resolve(i + ".ours");
      Files.writeString(theirs, chunks.get(i).text());
      Files.writeString(ours, print(chunks.get(i).name(), chunks.get(i).text()));
      list.append(theirs).append('\t').append(ours).append('\n');
    }
    Path pairs = folder.resolve("pairs");
    Files.writeString(pairs, list);
    return oracle.run(SAME_TEXT, pairs.toString()).lines().toList();
  }
}
