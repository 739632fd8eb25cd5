package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Datum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What programs record and are fed, shared by a run and the grids that it starts. */
final class Records {
  private final Map<String, List<Datum>> probes = new HashMap<>();
  final Deque<ImmutableList<Datum>> feed = new ArrayDeque<>();

  void record(String id, Datum value) {
    probes.computeIfAbsent(id, key -> new ArrayList<>()).add(value);
  }

  ImmutableList<Datum> recorded(String id) {
    return ImmutableList.copyOf(probes.getOrDefault(id, List.of()));
  }
}
