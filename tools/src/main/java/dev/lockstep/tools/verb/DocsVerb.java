package dev.lockstep.tools.verb;

import dev.lockstep.tools.Session;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.docs.GeneratedDocs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Writes docs/ops.md, docs/passes.md and docs/fx.md. */
@Command(
    description = {
      "Write docs/ops.md, docs/passes.md and docs/fx.md.",
      "They go below the working folder, or below the one after -o."
    })
final class DocsVerb extends Verb {
  @Override
  protected boolean readsPrograms() {
    return false;
  }

  @Override
  protected int execute(Session session) throws IOException {
    Path folder = output() == null ? Path.of("") : output();
    List<String> written = new ArrayList<>();
    for (Map.Entry<String, String> document : GeneratedDocs.all().entrySet()) {
      Path file = folder.resolve(document.getKey());
      session.writeResult(file, "docs", document.getValue());
      written.add(file.toString());
      session.say("wrote " + file);
    }
    session.report().put("files", written);
    return 0;
  }
}
