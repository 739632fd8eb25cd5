package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.runtime.transport.ByteWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Descriptions of collectives as bytes, with the line of text that they stand in. */
final class CallCodec {
  /** What is sent of the line behind the place. */
  private static final int LONGEST_LINE = 400;

  private CallCodec() {}

  static void write(CallDescription call, ByteWriter out) {
    out.text(call.op()).text(call.name());
    texts(call.operands(), out);
    texts(call.results(), out);
    out.number(call.attributes().size());
    for (CallDescription.Property property : call.attributes()) {
      out.text(property.name()).text(property.value());
    }
    out.text(call.reduction());
    write(call.place().get(), out);
  }

  static CallDescription read(ByteBuffer in) {
    String op = ByteWriter.text(in);
    String name = ByteWriter.text(in);
    ImmutableList<String> operands = texts(in);
    ImmutableList<String> results = texts(in);
    int attributes = ByteWriter.number(in);
    ImmutableList.Builder<CallDescription.Property> properties = ImmutableList.builder();
    for (int i = 0; i < attributes; i++) {
      properties.add(new CallDescription.Property(ByteWriter.text(in), ByteWriter.text(in)));
    }
    return new CallDescription(
        op, name, operands, results, properties.build(), ByteWriter.text(in), readPlace(in));
  }

  private static void texts(List<String> texts, ByteWriter out) {
    out.number(texts.size());
    texts.forEach(out::text);
  }

  private static ImmutableList<String> texts(ByteBuffer in) {
    int count = ByteWriter.number(in);
    ImmutableList.Builder<String> out = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      out.add(ByteWriter.text(in));
    }
    return out.build();
  }

  private static void write(Location location, ByteWriter out) {
    out.text(location.isKnown() ? location.source().name() : "");
    if (!location.isKnown()) {
      return;
    }
    Source source = location.source();
    int line = source.length() == 0 ? 1 : location.line();
    byte[] before = new byte[0];
    byte[] text = new byte[0];
    if (source.length() > 0) {
      String whole = source.lineText(line);
      byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
      int at = Math.min(bytes.length, offset(source, location.begin()));
      before = Arrays.copyOf(bytes, at);
      int end = Math.min(bytes.length, at + LONGEST_LINE);
      text = Arrays.copyOfRange(bytes, at, end);
    }
    out.room(Integer.BYTES).putInt(line);
    out.number(before.length).room(before.length).put(before);
    out.number(text.length).room(text.length).put(text);
    out.room(Integer.BYTES).putInt(location.end() - location.begin());
  }

  /** Returns how many bytes of its line stand before byte {@code begin}. */
  private static int offset(Source source, int begin) {
    int start = begin;
    while (start > 0 && source.bytes()[start - 1] != '\n') {
      start--;
    }
    return begin - start;
  }

  private static Supplier<Location> readPlace(ByteBuffer in) {
    String name = ByteWriter.text(in);
    if (name.isEmpty()) {
      return () -> Location.UNKNOWN;
    }
    int line = in.getInt();
    byte[] before = new byte[ByteWriter.number(in)];
    in.get(before);
    byte[] text = new byte[ByteWriter.number(in)];
    in.get(text);
    int length = Math.max(0, in.getInt());
    return () -> Excerpt.of(name, line, before, text, length);
  }
}
