package dev.lockstep.hlo.text.mlir;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An intern table from bytes of the source to {@link Sym}, open addressing. */
final class Symbols {
  private final byte[] bytes;
  private @Nullable Sym[] slots = new @Nullable Sym[1024];
  private int[] hashes = new int[1024];
  private int[] begins = new int[1024];
  private int[] lengths = new int[1024];
  private int size;

  Symbols(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the symbol for the bytes from {@code begin} to {@code end}. */
  Sym intern(int begin, int end) {
    int hash = 17;
    int length = end - begin;
    if (length <= 64) {
      for (int i = begin; i < end; i++) {
        hash = hash * 31 + bytes[i];
      }
    } else {
      for (int i = begin; i < begin + 32; i++) {
        hash = hash * 31 + bytes[i];
      }
      for (int i = end - 32; i < end; i++) {
        hash = hash * 31 + bytes[i];
      }
      hash = hash * 31 + length;
    }
    hash ^= hash >>> 15;
    int mask = slots.length - 1;
    int at = hash & mask;
    while (true) {
      Sym found = slots[at];
      if (found == null) {
        return add(at, hash, begin, length);
      }
      if (hashes[at] == hash && lengths[at] == length && same(begins[at], begin, length)) {
        return found;
      }
      at = (at + 1) & mask;
    }
  }

  private boolean same(int a, int b, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[a + i] != bytes[b + i]) {
        return false;
      }
    }
    return true;
  }

  private Sym add(int at, int hash, int begin, int length) {
    Sym sym = new Sym(new String(bytes, begin, length, StandardCharsets.UTF_8));
    slots[at] = sym;
    hashes[at] = hash;
    begins[at] = begin;
    lengths[at] = length;
    if (++size * 2 > slots.length) {
      grow();
    }
    return sym;
  }

  private void grow() {
    @Nullable Sym[] oldSlots = slots;
    int[] oldHashes = hashes;
    int[] oldBegins = begins;
    int[] oldLengths = lengths;
    int capacity = oldSlots.length * 2;
    slots = new @Nullable Sym[capacity];
    hashes = new int[capacity];
    begins = new int[capacity];
    lengths = new int[capacity];
    for (int i = 0; i < oldSlots.length; i++) {
      if (oldSlots[i] != null) {
        int at = oldHashes[i] & (capacity - 1);
        while (slots[at] != null) {
          at = (at + 1) & (capacity - 1);
        }
        slots[at] = oldSlots[i];
        hashes[at] = oldHashes[i];
        begins[at] = oldBegins[i];
        lengths[at] = oldLengths[i];
      }
    }
  }
}
