package dev.lockstep.runtime.values;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.google.common.collect.ImmutableSortedMap;
import dev.lockstep.hlo.literal.Literal;
import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes values in the forms that {@link ValueFile} reads; equal values give equal bytes. */
public final class ValueWriter {
  /** The time that every entry of an archive carries: the earliest that zip can say. */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private ValueWriter() {}

  /** Writes {@code values}, by keys without type suffixes, as numpy's .npz; deflated. */
  public static void writeNpz(OutputStream out, Map<String, Literal> values) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    for (Map.Entry<String, Literal> entry : sorted(values).entrySet()) {
      Literal literal = entry.getValue();
      ZipEntry zipEntry =
          new ZipEntry(ValueKeys.withSuffix(entry.getKey(), literal.element()) + ".npy");
      zipEntry.setTimeLocal(NO_TIME);
      zip.putNextEntry(zipEntry);
      zip.write(NpyArray.write(literal));
      zip.closeEntry();
    }
    zip.finish();
  }

  /** Writes one value as numpy's .npy; types that numpy has no name for as raw integers. */
  public static void writeNpy(OutputStream out, Literal value) throws IOException {
    out.write(NpyArray.write(value));
  }

  /** Writes {@code values} as one JSON object and a line end. */
  public static void writeJson(OutputStream out, Map<String, Literal> values) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    writeJson(json, values);
    json.writeRaw('\n');
    json.close();
  }

  /** Writes {@code values} as one JSON object where {@code json} stands. */
  public static void writeJson(JsonGenerator json, Map<String, Literal> values) throws IOException {
    JsonValues.write(json, sorted(values));
  }

  private static ImmutableSortedMap<String, Literal> sorted(Map<String, Literal> values) {
    return ImmutableSortedMap.copyOf(values, ValueKeys.NATURAL_ORDER);
  }
}
