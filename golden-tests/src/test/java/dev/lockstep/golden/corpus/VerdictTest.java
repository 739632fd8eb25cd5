package dev.lockstep.golden.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.mlir.MlirReader;
import dev.lockstep.hlo.verify.Verifier;
import dev.lockstep.testing.CorpusFiles;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The reader and verifier agree with jaxlib's, which parses and verifies, on the parts of
 * StableHLO's and Shardy's own tests: what it accepts is accepted, and what it rejects is mostly
 * rejected.
 */
final class VerdictTest {
  private static final Pattern SPLIT = Pattern.compile("(?m)^\\s*// -----.*$");

  /**
   * For each file of a list: accepted, rejected, or foreign where jaxlib lacks the dialect. Some
   * texts end the process; another goes on behind them. Types of dialects that jaxlib lacks, as
   * quantised ones, are let in, so that their ops are still looked at.
   */
  private static final String VERDICTS =
      """
      import os, re, sys
      from jax._src.interpreters import mlir as jm
      from jaxlib.mlir import ir
      from jaxlib.mlir.dialects import chlo, sdy, stablehlo
      context = jm.make_ir_context()
      context.allow_unregistered_dialects = True
      for dialect in (stablehlo, chlo, sdy): dialect.register_dialect(context)
      foreign = re.compile('not found for custom op|not registered|unregistered operation')
      def verdict(path):
        try: ir.Module.parse(open(path, encoding='utf-8').read())
        except Exception as e: return 'foreign' if foreign.search(str(e)) else 'rejected'
        return 'accepted'
      sys.stderr = open(os.devnull, 'w')
      paths = [path for path in open(sys.argv[1]).read().split('\\n') if path]
      done = 0
      with context:
        while done < len(paths):
          reader, writer = os.pipe()
          child = os.fork()
          if child == 0:
            for path in paths[done:]: os.write(writer, (verdict(path) + '\\n').encode())
            os._exit(0)
          os.close(writer)
          with os.fdopen(reader) as lines: answers = lines.read().split()
          os.waitpid(child, 0)
          for answer in answers: print(answer)
          done += len(answers)
          if done < len(paths): print('foreign')
          done += 1
      """;

  /** A part of a file between separators. */
  private record Chunk(String name, String text) {}

  private static List<Chunk> chunks(String folder) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    for (Path file : CorpusFiles.files(folder, ".mlir")) {
      String[] parts = SPLIT.split(Files.readString(file, StandardCharsets.UTF_8), -1);
      for (int i = 0; i < parts.length; i++) {
        if (!parts[i].replaceAll("//[^\n]*", "").isBlank()) {
          chunks.add(new Chunk(file.getFileName() + "#" + i, parts[i]));
        }
      }
    }
    return chunks;
  }

  /** Returns what is wrong with a text, or nothing; ops of foreign dialects are not known here. */
  private static String complaint(Chunk chunk) {
    try {
      Verifier.verify(MlirReader.read(Source.of(chunk.name(), chunk.text())));
      return "";
    } catch (DiagnosticException e) {
      return e.diagnostics().get(0).code().equals("unknown-op")
          ? ""
          : String.valueOf(e.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource({
    // The rest lacks quantised types, which are kept as text.
    "stablehlo/tests, 670, 800",
    // The rest are attributes that Shardy writes for its own debugging, and other dialects.
    "shardy, 240, 300"
  })
  void verdictsAreThoseOfJaxlib(String tests, int least, int most, @TempDir Path folder)
      throws IOException {
    PythonOracle oracle = PythonOracle.require();
    List<Chunk> chunks = chunks(tests);
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < chunks.size(); i++) {
      Path file = folder.resolve(i + ".mlir");
      Files.writeString(file, chunks.get(i).text());
      list.append(file).append('\n');
    }
    Path paths = folder.resolve("paths");
    Files.writeString(paths, list);
    List<String> verdicts = oracle.run(VERDICTS, paths.toString()).lines().toList();
    assertThat(verdicts).hasSize(chunks.size());
    List<String> wronged = new ArrayList<>();
    int invalid = 0;
    int found = 0;
    for (int i = 0; i < chunks.size(); i++) {
      Chunk chunk = chunks.get(i);
      String complaint = complaint(chunk);
      if (verdicts.get(i).equals("accepted") && !complaint.isEmpty()) {
        wronged.add(complaint);
      }
      if (verdicts.get(i).equals("rejected") && chunk.text().contains("expected-error")) {
        invalid++;
        found += complaint.isEmpty() ? 0 : 1;
      }
    }
    assertThat(wronged).as("texts that jaxlib accepts").isEmpty();
    assertThat(found).as("found of " + invalid + " invalid texts").isGreaterThanOrEqualTo(least);
    assertThat(invalid).isBetween(found, most);
  }
}
