package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a value on one rank without running the program.
 *
 * <p>Two values of two ranks with equal {@link #token}s are equal when the program runs: tokens are
 * digests of how a value comes about from constants, from results that all members of a meeting
 * get, and from what each rank has for itself, which is given a token that no other rank has.
 *
 * @param token 128 bits
 * @param known the value itself, where it is known
 * @param elements the elements of a tuple, where they are known apart
 * @param origin what it depends on that every rank has for itself; null when nothing
 */
record Sym(
    HashCode token,
    @Nullable Datum known,
    @Nullable ImmutableList<Sym> elements,
    @Nullable Origin origin) {

  /** Returns the value that the parts make under a name of how. */
  static Sym derived(String how, List<Sym> parts) {
    Hasher hasher = hasher(how);
    Origin origin = null;
    for (Sym part : parts) {
      hasher.putBytes(part.token.asBytes());
      origin = origin == null ? part.origin : origin;
    }
    return new Sym(hasher.hash(), null, null, origin);
  }

  /** Returns a value that every rank gives the same name. */
  static Sym shared(String how, long number, int index) {
    return new Sym(hasher(how).putLong(number).putInt(index).hash(), null, null, null);
  }

  /** Returns a value that only {@code rank} has. */
  static Sym own(int rank, long number, Origin origin) {
    return new Sym(hasher("own").putInt(rank).putLong(number).hash(), null, null, origin);
  }

  /** Returns a known value. */
  static Sym of(Datum datum) {
    Hasher hasher = hasher("known");
    if (datum instanceof Literal) {
      Literal literal = (Literal) datum;
      text(hasher, literal.type().toString());
      for (int i = 0; i < literal.count(); i++) {
        if (literal.element().isComplex()) {
          hasher.putDouble(literal.getDouble(i)).putDouble(literal.getImaginary(i));
        } else {
          hasher.putLong(literal.getBits(i));
        }
      }
    } else {
      text(hasher, datum.toString());
    }
    return new Sym(hasher.hash(), datum, null, null);
  }

  /** Returns a tuple. */
  static Sym tuple(ImmutableList<Sym> elements) {
    Sym derived = derived("tuple", elements);
    return new Sym(derived.token, null, elements, derived.origin);
  }

  /** Returns element {@code index} of this tuple. */
  Sym element(int index) {
    ImmutableList<Sym> parts = elements;
    if (parts != null) {
      return parts.get(index);
    }
    if (known instanceof Datum.Tuple) {
      return of(((Datum.Tuple) known).elements().get(index));
    }
    return derived("element " + index, ImmutableList.of(this));
  }

  /** Adds the parts of this value, which is of {@code type}, that are no tuples. */
  void addLeaves(Type type, ImmutableList.Builder<Sym> out) {
    if (type instanceof TupleType) {
      ImmutableList<Type> types = ((TupleType) type).elements();
      for (int i = 0; i < types.size(); i++) {
        element(i).addLeaves(types.get(i), out);
      }
    } else {
      out.add(this);
    }
  }

  boolean sameAs(Sym other) {
    return token.equals(other.token);
  }

  private static Hasher hasher(String how) {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    text(hasher, how);
    return hasher;
  }

  private static void text(Hasher hasher, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    hasher.putBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    hasher.putBytes(bytes);
  }
}
