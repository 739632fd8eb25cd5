package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Where a value is: the buffers that must stay for it, the tasks that make it, and of a tuple the
 * same for each element.
 *
 * @param buffers memory that holds it, or from which it is computed on the fly
 * @param makers tasks after which it is there
 * @param elements of a tuple
 */
record Place(
    ImmutableSet<Buffer> buffers,
    ImmutableSet<Integer> makers,
    @Nullable ImmutableList<Place> elements) {
  static final Place NOWHERE = new Place(ImmutableSet.of(), ImmutableSet.of(), null);

  /** Memory of one tensor, or of an operation's results together. */
  static final class Buffer {
    final long bytes;
    final int maker;
    int lastUse;
    int firstUse = Integer.MAX_VALUE;
    boolean stays;

    /** Creates a buffer that task {@code maker} fills; -1 for one that is there from the start. */
    Buffer(long bytes, int maker) {
      this.bytes = bytes;
      this.maker = maker;
      this.lastUse = maker;
    }

    /** Notes that task {@code user} needs it. */
    void use(int user) {
      firstUse = Math.min(firstUse, user);
      lastUse = Math.max(lastUse, user);
    }
  }

  /** Returns element {@code i} of a tuple. */
  Place element(int i) {
    ImmutableList<Place> parts = elements;
    return parts == null || i >= parts.size() ? new Place(buffers, makers, null) : parts.get(i);
  }

  /** Returns the tuple of {@code parts}. */
  static Place tuple(ImmutableList<Place> parts) {
    Place all = union(parts);
    return new Place(all.buffers, all.makers, parts);
  }

  /** Returns what needs all of {@code places}. */
  static Place union(Iterable<Place> places) {
    ImmutableSet.Builder<Buffer> buffers = ImmutableSet.builder();
    ImmutableSet.Builder<Integer> makers = ImmutableSet.builder();
    for (Place place : places) {
      buffers.addAll(place.buffers);
      makers.addAll(place.makers);
    }
    return new Place(buffers.build(), makers.build(), null);
  }

  /** Returns a new place for a value of {@code type}, one buffer a tensor. */
  static Place fresh(Type type, int maker, ImmutableList.Builder<Buffer> all) {
    ImmutableSet<Integer> makers = maker < 0 ? ImmutableSet.of() : ImmutableSet.of(maker);
    if (type instanceof TupleType tuple) {
      ImmutableList.Builder<Place> parts = ImmutableList.builder();
      for (Type element : tuple.elements()) {
        parts.add(fresh(element, maker, all));
      }
      Place out = tuple(parts.build());
      return new Place(out.buffers, makers, out.elements);
    }
    Buffer buffer = new Buffer(Sizes.bytes(type), maker);
    all.add(buffer);
    return new Place(ImmutableSet.of(buffer), makers, null);
  }
}
