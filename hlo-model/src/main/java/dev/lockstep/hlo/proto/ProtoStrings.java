package dev.lockstep.hlo.proto;

import com.google.protobuf.ByteString;
import dev.lockstep.hlo.attr.Attribute;
import java.nio.charset.StandardCharsets;

/** Strings of protos and of attributes. */
final class ProtoStrings {
  private ProtoStrings() {}

  /** Returns the bytes that {@code string} stands for. */
  static ByteString bytes(Attribute.Str string) {
    return ByteString.copyFrom(
        string.value(), string.bytes() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** Returns {@code bytes} as a string: UTF-8 if they are, else one character a byte. */
  static Attribute.Str attribute(ByteString bytes) {
    return bytes.isValidUtf8()
        ? Attribute.Str.of(bytes.toStringUtf8())
        : new Attribute.Str(bytes.toString(StandardCharsets.ISO_8859_1), true);
  }
}
