package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.transport.ByteWriter;
import dev.lockstep.runtime.transport.DatumCodec;
import dev.lockstep.tools.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file in which a rank leaves what it has computed for whoever has started it. */
final class RankReport {
  private RankReport() {}

  static void write(Session session, Path file, ImmutableList<Literal> results) throws IOException {
    ByteWriter out = new ByteWriter();
    DatumCodec.write(results, out);
    session.write(file, to -> to.write(out.toBytes()));
  }

  static ImmutableList<Literal> read(Path file) throws IOException {
    return Flattening.flatten(DatumCodec.read(ByteBuffer.wrap(Files.readAllBytes(file))));
  }
}
