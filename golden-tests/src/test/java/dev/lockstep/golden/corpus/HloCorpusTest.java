package dev.lockstep.golden.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.hlo.HloPrinter;
import dev.lockstep.hlo.text.hlo.HloReader;
import dev.lockstep.testing.CorpusFiles;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HLO texts that JAX, torch_xla and XLA's tests left behind. */
final class HloCorpusTest {
  private static final Pattern SPLIT = Pattern.compile("(?m)^// -----.*$");

  /**
   * Prints, for each pair of files on its command line, whether XLA makes the same module of both.
   * Files, functions, locations and frames are numbered anew at each reading, so their tables and
   * the references to them are left out.
   */
  private static final String SAME_MODULE =
      """
      import re, sys
      from jaxlib import _hlo
      def canonical(path):
        with open(path) as f: text = f.read()
        text = _hlo.hlo_module_from_text(text).to_string()
        begin = text.find('\\n\\nFileNames')
        if begin >= 0:
          text = text[:begin] + text[text.find('\\n\\n\\n', begin):]
        return re.sub(r' ?stack_frame_id=\\d+', '', text)
      for line in open(sys.argv[1]).read().split('\\n'):
        if not line: continue
        theirs, ours = line.split('\\t')
        try: expected = canonical(theirs)
        except Exception: print('rejected'); continue
        try: print('same' if canonical(ours) == expected else 'different')
        except Exception as e: print('broken ' + str(e).replace('\\n', ' ')[:300])
      """;

  static ImmutableList<Path> real() {
    return CorpusFiles.files("real", ".hlo");
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static String print(String name, String text) {
    return HloPrinter.print(HloReader.read(Source.of(name, text)));
  }

  @ParameterizedTest
  @MethodSource("real")
  void realPrograms_readAndPrintAlike(Path file) throws IOException {
    String once = print(file.toString(), read(file));
    assertThat(print("printed", once)).isEqualTo(once);
  }

  @ParameterizedTest
  @MethodSource("real")
  void whatJaxDumped_printsByteForByte(Path file) throws IOException {
    String text = read(file);
    // torch_xla's XLA of 2025 wrote operands with their shapes, JAX's of 2026 writes none.
    boolean operandShapes = file.toString().contains("torch_xla");
    assertThat(HloPrinter.print(HloReader.read(Source.of(file.toString(), text)), operandShapes))
        .isEqualTo(text);
  }

  @Test
  void realPrograms_meanTheSameToXla(@TempDir Path folder) throws IOException {
    List<Path> files = real();
    List<String> verdicts = verdicts(folder, files.stream().map(Path::toString).toList(), files);
    assertThat(verdicts).hasSameSizeAs(files).allMatch("same"::equals);
  }

  @Test
  void testsOfXla_meanTheSameToXla(@TempDir Path folder) throws IOException {
    List<String> names = new ArrayList<>();
    List<Path> readable = new ArrayList<>();
    int all = 0;
    int readBack = 0;
    for (Path file : CorpusFiles.files("xla", ".hlo")) {
      int part = 0;
      for (String chunk : SPLIT.split(read(file), -1)) {
        part++;
        if (chunk.replaceAll("(?m)^\\s*(//|#).*$", "").isBlank()) {
          continue;
        }
        all++;
        try {
          String printed = print(file + " part " + part, chunk);
          assertThat(print("printed", printed)).isEqualTo(printed);
          readBack++;
        } catch (DiagnosticException e) {
          continue;
        }
        Path copy = folder.resolve("theirs" + all + ".hlo");
        Files.writeString(copy, chunk);
        names.add(file + " part " + part);
        readable.add(copy);
      }
    }
    assertThat(readBack).isGreaterThanOrEqualTo(all * 95 / 100);
    List<String> verdicts = verdicts(folder, names, readable);
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < verdicts.size(); i++) {
      if (!verdicts.get(i).equals("same") && !verdicts.get(i).equals("rejected")) {
        wrong.add(names.get(i) + ": " + verdicts.get(i));
      }
    }
    // One text gives recv-done another shape than its recv; XLA silently takes recv's. One holds an
    // MLIR dictionary that MLIR would print with more blanks, as we do.
    assertThat(wrong)
        .allMatch(line -> line.contains("import_async.hlo") || line.contains("custom_call.hlo"))
        .hasSizeLessThanOrEqualTo(2);
  }

  private static List<String> verdicts(Path folder, List<String> names, List<Path> files)
      throws IOException {
    PythonOracle oracle = PythonOracle.require();
    StringBuilder pairs = new StringBuilder();
    for (int i = 0; i < files.size(); i++) {
      Path ours = folder.resolve("ours" + i + ".hlo");
      Files.writeString(ours, print(names.get(i), read(files.get(i))));
      pairs.append(files.get(i)).append('\t').append(ours).append('\n');
    }
    Path list = folder.resolve("pairs.txt");
    Files.writeString(list, pairs);
    try (Stream<String> lines = oracle.run(SAME_MODULE, list.toString()).lines()) {
      return lines.toList();
    }
  }
}
