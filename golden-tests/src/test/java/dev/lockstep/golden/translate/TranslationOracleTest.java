package dev.lockstep.golden.translate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.translate.Translation;
import dev.lockstep.testing.PythonOracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XLA reads what we write, and its own translation computes what ours does. */
final class TranslationOracleTest {
  /** Reads every text of a folder; writes XLA's translation of those in {@code own} beside them. */
  private static final String READ_ALL =
      """
      import glob, os, sys
      from jax._src.interpreters import mlir
      from jax._src.lib import xla_client
      from jax._src.lib.mlir import ir
      from jaxlib import _jax
      hlo = xla_client.hlo
      for path in sorted(glob.glob(sys.argv[1] + '/ours/*')):
        text = open(path).read()
        try:
          if path.endswith('.hlo'):
            hlo.hlo_module_from_text(text)
          else:
            with mlir.make_ir_context():
              ir.Module.parse(text).operation.verify()
        except Exception as e:
          print('unread', os.path.basename(path), str(e).replace(chr(10), ' ')[:400])
      for path in sorted(glob.glob(sys.argv[1] + '/own/*')):
        text = open(path).read()
        try:
          if path.endswith('.mlir'):
            with mlir.make_ir_context():
              code = mlir.module_to_bytecode(ir.Module.parse(text))
            computation = _jax.mlir.mlir_module_to_xla_computation(code, False, False)
            open(path + '.xla', 'w').write(computation.as_hlo_text(True))
          else:
            proto = hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()
            code = _jax.mlir.hlo_to_stablehlo(proto)
            with mlir.make_ir_context():
              open(path + '.xla', 'w').write(str(ir.Module.parse(code)))
        except Exception as e:
          print('xla refuses', os.path.basename(path), str(e).replace(chr(10), ' ')[:200])
      """;

  @Test
  void texts_areReadByXlaAndComputeWhatItsTranslationDoes(@TempDir Path folder) throws IOException {
    PythonOracle oracle = PythonOracle.require();
    Path ours = Files.createDirectories(folder.resolve("ours"));
    Path own = Files.createDirectories(folder.resolve("own"));
    Map<String, TranslatedProgram> written = new LinkedHashMap<>();
    for (TranslatedProgram program : TranslatedProgram.all()) {
      boolean isHlo = program.other() == Syntax.HLO;
      String stem = String.format("%04d", written.size());
      try {
        Files.writeString(
            ours.resolve(stem + (isHlo ? ".hlo" : ".mlir")),
            TranslatedProgram.text(Translation.to(program.other(), program.golden().module())));
      } catch (DiagnosticException e) {
        continue;
      }
      String name = stem + (isHlo ? ".mlir" : ".hlo");
      String text = TranslatedProgram.text(program.golden().module());
      // XLA translates by way of protos, where channel zero is lost.
      if (!text.contains("channel_id=0")) {
        Files.writeString(own.resolve(name), text);
      }
      written.put(name, program);
    }
    String said = oracle.run(READ_ALL, folder.toString());
    assertThat(said.lines().filter(line -> line.startsWith("unread"))).isEmpty();
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (Map.Entry<String, TranslatedProgram> entry : written.entrySet()) {
      Path theirs = own.resolve(entry.getKey() + ".xla");
      // Where StableHLO has no op, XLA's translation keeps one of its own dialect.
      if (Files.exists(theirs)
          && !Files.readString(theirs)
              .matches("(?s).*\\bmhlo\\.(?:copy|fusion|async_start)\\b.*")) {
        compared++;
        try {
          entry.getValue().differences(Files.readString(theirs)).stream()
              .map(line -> entry.getValue().golden().name() + ": " + line)
              .forEach(wrong::add);
        } catch (DiagnosticException e) {
          wrong.add(entry.getValue().golden().name() + ": " + e.getMessage());
        }
      }
    }
    assertThat(wrong).as(said).isEmpty();
    assertThat(compared).as(said).isGreaterThan(250);
  }
}
