package dev.lockstep.hlo.text.hlo;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Spellings to symbols: open addressing over byte ranges, so that a known name costs no object. */
final class SymbolTable {
  private @Nullable Symbol[] slots = new Symbol[1024];
  private int size;

  /** Returns the hash of a range, as {@link #intern(byte[], int, int, int)} wants it. */
  static int hash(byte[] bytes, int begin, int end) {
    int hash = 0;
    for (int i = begin; i < end; i++) {
      hash = hash * 31 + bytes[i];
    }
    return hash;
  }

  /** Returns the symbol of a range of bytes. */
  Symbol intern(byte[] source, int begin, int end, int hash) {
    int mask = slots.length - 1;
    int at = (hash ^ (hash >>> 15)) * 0x9E3779B1 >>> 7 & mask;
    while (true) {
      Symbol symbol = slots[at];
      if (symbol == null) {
        return add(source, begin, end, hash, at);
      }
      if (symbol.hash == hash
          && Arrays.equals(symbol.bytes, 0, symbol.bytes.length, source, begin, end)) {
        return symbol;
      }
      at = at + 1 & mask;
    }
  }

  /** Returns the symbol of {@code text}. */
  Symbol intern(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return intern(bytes, 0, bytes.length, hash(bytes, 0, bytes.length));
  }

  private Symbol add(byte[] source, int begin, int end, int hash, int at) {
    byte[] copy = Arrays.copyOfRange(source, begin, end);
    Symbol symbol = new Symbol(copy, hash, new String(copy, StandardCharsets.UTF_8));
    slots[at] = symbol;
    if (++size * 2 > slots.length) {
      grow();
    }
    return symbol;
  }

  private void grow() {
    @Nullable Symbol[] old = slots;
    slots = new Symbol[old.length * 2];
    int mask = slots.length - 1;
    for (Symbol symbol : old) {
      if (symbol != null) {
        int at = (symbol.hash ^ (symbol.hash >>> 15)) * 0x9E3779B1 >>> 7 & mask;
        while (slots[at] != null) {
          at = at + 1 & mask;
        }
        slots[at] = symbol;
      }
    }
  }
}
