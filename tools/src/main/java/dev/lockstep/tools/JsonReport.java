package dev.lockstep.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Note;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The one object that {@code --json} prints: what a verb puts under names, in that order, then
 * {@code diagnostics} and {@code exit}.
 */
public final class JsonReport {
  /** A part of the report that writes itself, for values too large to build first. */
  public interface Writable {
    /** Writes one JSON value. */
    void writeTo(JsonGenerator json) throws IOException;
  }

  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final List<Object> diagnostics = new ArrayList<>();

  /**
   * Puts {@code value} under {@code name}: a string, number, boolean, {@link Writable}, or a map or
   * list of such.
   */
  public void put(String name, Object value) {
    fields.put(name, value);
  }

  /** Adds a diagnostic. */
  void add(Diagnostic diagnostic) {
    Map<String, Object> out = describe(diagnostic.location(), diagnostic.message());
    out.put("severity", diagnostic.severity().word());
    out.put("code", diagnostic.code());
    List<Object> notes = new ArrayList<>();
    for (Note note : diagnostic.notes()) {
      notes.add(describe(note.location(), note.message()));
    }
    out.put("notes", notes);
    diagnostics.add(out);
  }

  private static Map<String, Object> describe(Location location, String message) {
    Map<String, Object> out = new LinkedHashMap<>();
    if (location.isKnown()) {
      out.put("file", location.source().name());
      out.put("line", location.line());
      out.put("column", location.column());
    }
    out.put("message", message);
    return out;
  }

  /** Prints the object and a line end. */
  void print(PrintStream out, int exit) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.writeStartObject();
    for (Map.Entry<String, Object> field : fields.entrySet()) {
      json.writeFieldName(field.getKey());
      write(json, field.getValue());
    }
    json.writeFieldName("diagnostics");
    write(json, diagnostics);
    json.writeNumberField("exit", exit);
    json.writeEndObject();
    json.writeRaw('\n');
    json.close();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        json.writeFieldName(entry.getKey().toString());
        write(json, entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof Iterable) {
      json.writeStartArray();
      for (Object element : (Iterable<?>) value) {
        write(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof Writable) {
      ((Writable) value).writeTo(json);
    } else if (value instanceof Double) {
      json.writeNumber((Double) value);
    } else if (value instanceof Number) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof Boolean) {
      json.writeBoolean((Boolean) value);
    } else {
      json.writeString(value.toString());
    }
  }
}
