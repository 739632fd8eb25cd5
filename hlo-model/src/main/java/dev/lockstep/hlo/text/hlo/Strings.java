package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.attr.Attribute;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strings in double quotes with C escapes, read as absl's CUnescape and written as CEscape. */
final class Strings {
  private Strings() {}

  /** Reads the string at the cursor. */
  static Attribute.Str read(Cursor in) {
    in.expect('"');
    int begin = in.at;
    int p = begin;
    byte[] bytes = in.bytes;
    boolean plain = true;
    while (p < in.end && bytes[p] != '"') {
      if (bytes[p] == '\\') {
        plain = false;
        p++;
      } else if (bytes[p] < 0) {
        plain = false;
      }
      p++;
    }
    if (p >= in.end) {
      throw in.error(begin - 1, begin, "this string is not closed");
    }
    in.at = p + 1;
    if (plain) {
      return Attribute.Str.of(new String(bytes, begin, p - begin, StandardCharsets.ISO_8859_1));
    }
    return decode(unescape(in, begin, p));
  }

  /** Steps over the string at the cursor. */
  static void skip(Cursor in) {
    in.at = new Balance(in.source).string(in.at);
  }

  private static Attribute.Str decode(byte[] bytes) {
    try {
      return Attribute.Str.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return new Attribute.Str(new String(bytes, StandardCharsets.ISO_8859_1), true);
    }
  }

  private static byte[] unescape(Cursor in, int begin, int end) {
    byte[] bytes = in.bytes;
    ByteArrayOutputStream out = new ByteArrayOutputStream(end - begin);
    int p = begin;
    while (p < end) {
      if (bytes[p] != '\\') {
        out.write(bytes[p++]);
        continue;
      }
      int escape = p++;
      int c = p < end ? bytes[p++] : 0;
      switch (c) {
        case 'n' -> out.write('\n');
        case 't' -> out.write('\t');
        case 'r' -> out.write('\r');
        case 'a' -> out.write(7);
        case 'b' -> out.write(8);
        case 'f' -> out.write(12);
        case 'v' -> out.write(11);
        case '\\', '\'', '"', '?' -> out.write(c);
        case '0', '1', '2', '3', '4', '5', '6', '7' -> {
          int value = c - '0';
          for (int i = 0; i < 2 && p < end && bytes[p] >= '0' && bytes[p] <= '7'; i++) {
            value = value * 8 + bytes[p++] - '0';
          }
          out.write(value);
        }
        case 'x', 'X' -> {
          int value = 0;
          int first = p;
          while (p < end && p < first + 2 && Character.digit(bytes[p], 16) >= 0) {
            value = value * 16 + Character.digit(bytes[p++], 16);
          }
          if (p == first) {
            throw in.error(escape, p, "expected hexadecimal digits after \\x");
          }
          out.write(value);
        }
        default -> throw in.error(escape, p, "no such escape in a string");
      }
    }
    return out.toByteArray();
  }

  /** Writes a string in double quotes. */
  static void write(StringBuilder out, Attribute.Str string) {
    out.append('"');
    String value = string.value();
    boolean plain = true;
    for (int i = 0; i < value.length() && plain; i++) {
      char c = value.charAt(i);
      plain = c >= 0x20 && c < 0x7F && c != '"' && c != '\'' && c != '\\';
    }
    if (plain) {
      out.append(value).append('"');
      return;
    }
    byte[] bytes =
        value.getBytes(string.bytes() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    for (byte b : bytes) {
      escape(out, b & 0xFF);
    }
    out.append('"');
  }

  private static void escape(StringBuilder out, int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '"' -> out.append("\\\"");
      case '\'' -> out.append("\\'");
      case '\\' -> out.append("\\\\");
      default -> {
        if (c >= 0x20 && c < 0x7F) {
          out.append((char) c);
        } else {
          out.append('\\')
              .append((char) ('0' + (c >> 6)))
              .append((char) ('0' + (c >> 3 & 7)))
              .append((char) ('0' + (c & 7)));
        }
      }
    }
  }
}
