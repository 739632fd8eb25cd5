package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;

/** Checks that a text is UTF-8. */
final class Utf8 {
  private Utf8() {}

  /** Throws at the first byte that does not belong to well-formed UTF-8. */
  static void check(Source source) {
    byte[] bytes = source.bytes();
    int i = 0;
    while (i < bytes.length) {
      int c = bytes[i];
      if (c > 0) {
        i++;
        continue;
      }
      int more =
          c == 0
              ? -1
              : (c & 0xE0) == 0xC0 ? 1 : (c & 0xF0) == 0xE0 ? 2 : (c & 0xF8) == 0xF0 ? 3 : -1;
      boolean good = more > 0 && i + more < bytes.length + 0 + 0 && (c & 0xFF) >= 0xC2;
      for (int k = 1; good && k <= more; k++) {
        good = (bytes[i + k] & 0xC0) == 0x80;
      }
      if (!good) {
        throw DiagnosticException.error(
            "encoding",
            c == 0 ? "the text holds a zero byte" : "the text is not UTF-8",
            new Location(source, i, i + 1));
      }
      i += more + 1;
    }
  }
}
