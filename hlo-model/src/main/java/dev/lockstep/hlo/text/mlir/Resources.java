package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import org.jspecify.annotations.Nullable;

/**
 * The part behind the module, <code>{-# dialect_resources: {...} #-}</code>, which holds the bytes
 * of {@code dense_resource} constants. It is kept as it was written, as an attribute of the module
 * under a name that no attribute of a text can have.
 */
final class Resources {
  private static final byte[] OPEN = {'{', '-', '#'};
  private static final byte[] CLOSE = {'#', '-', '}'};

  /** The name of the attribute. */
  static final String NAME = "{-#";

  private Resources() {}

  /** Returns where the part begins in {@code source}, or the length of the source without one. */
  static int begin(Source source) {
    byte[] bytes = source.bytes();
    int end = bytes.length;
    while (end > 0 && Character.isWhitespace(bytes[end - 1])) {
      end--;
    }
    if (!isAt(bytes, end - CLOSE.length, CLOSE)) {
      return bytes.length;
    }
    for (int i = end - CLOSE.length - OPEN.length; i >= 0; i--) {
      if (isAt(bytes, i, OPEN)) {
        return i;
      }
    }
    return bytes.length;
  }

  private static boolean isAt(byte[] bytes, int at, byte[] wanted) {
    if (at < 0 || at + wanted.length > bytes.length) {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns {@code module} with the part of {@code source} that begins at {@code begin}. */
  static Module keep(Module module, Source source, int begin) {
    return begin == source.length()
        ? module
        : module.withAttributes(
            module
                .attributes()
                .with(NAME, new Attribute.Raw(source.text(begin, source.length()).strip())));
  }

  /** Returns the part that {@code module} keeps, or null. */
  static @Nullable String of(Module module) {
    Attribute kept = module.attributes().get(NAME);
    return kept instanceof Attribute.Raw ? ((Attribute.Raw) kept).text() : null;
  }
}
