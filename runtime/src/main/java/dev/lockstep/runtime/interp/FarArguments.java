package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.runtime.transport.ByteWriter;
import dev.lockstep.runtime.transport.DatumCodec;
import dev.lockstep.runtime.transport.Dispatcher;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Brings together what the devices of all ranks are given, for programs over arrays that devices
 * share: no rank holds the whole, and every rank computes it.
 */
final class FarArguments {
  private final byte kind;
  private final int world;
  private final Dispatcher dispatcher;

  /** What has come, by the how manieth of such programs it is for. */
  private final Map<Integer, SortedMap<Integer, ImmutableList<Datum>>> come = new HashMap<>();

  private int number;

  FarArguments(byte kind, int world, Dispatcher dispatcher) {
    this.kind = kind;
    this.world = world;
    this.dispatcher = dispatcher;
    dispatcher.handle(kind, this::take);
  }

  /**
   * Returns what each device is given. All ranks call this for the same program.
   *
   * @param own what this one's is given
   * @throws dev.lockstep.runtime.transport.TransportException if another rank does not come
   */
  ImmutableList<ImmutableList<Datum>> gather(ImmutableList<Datum> own) {
    ImmutableIntArray.Builder others = ImmutableIntArray.builder();
    for (int rank = 0; rank < world; rank++) {
      if (rank != dispatcher.rank()) {
        others.add(rank);
      }
    }
    ByteWriter out = Dispatcher.begin(kind);
    out.room(Integer.BYTES).putInt(number);
    DatumCodec.write(own, out);
    dispatcher.send(others.build(), out);
    SortedMap<Integer, ImmutableList<Datum>> here = of(number);
    here.put(dispatcher.rank(), own);
    while (here.size() < world) {
      ImmutableIntArray.Builder missing = ImmutableIntArray.builder();
      for (int rank = 0; rank < world; rank++) {
        if (!here.containsKey(rank)) {
          missing.add(rank);
        }
      }
      ImmutableIntArray left = missing.build();
      dispatcher.next(
          "a program over arrays that devices share for the parts of ranks " + left, left);
    }
    come.remove(number++);
    return ImmutableList.copyOf(here.values());
  }

  private SortedMap<Integer, ImmutableList<Datum>> of(int which) {
    return come.computeIfAbsent(which, key -> new TreeMap<>());
  }

  private void take(int source, ByteBuffer in) {
    int which = in.getInt();
    checkArgument(which >= number, "parts for program %s come late", which);
    of(which).put(source, DatumCodec.read(in));
  }
}
