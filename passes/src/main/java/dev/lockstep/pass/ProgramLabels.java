package dev.lockstep.pass;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Module;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What people call the different programs of a set: {@code ranks 0-2}, {@code rank 3, program 1}.
 */
final class ProgramLabels {
  private ProgramLabels() {}

  /** Returns a label for every different program of {@code ranks}. */
  static Map<Module, String> of(ImmutableList<ImmutableList<Module>> ranks) {
    Map<Module, List<Integer>> having = new IdentityHashMap<>();
    Map<Module, Integer> number = new IdentityHashMap<>();
    boolean several = false;
    for (int rank = 0; rank < ranks.size(); rank++) {
      several |= ranks.get(rank).size() > 1;
      for (int i = 0; i < ranks.get(rank).size(); i++) {
        Module module = ranks.get(rank).get(i);
        List<Integer> list = having.computeIfAbsent(module, key -> new ArrayList<>());
        if (list.isEmpty() || list.get(list.size() - 1) != rank) {
          list.add(rank);
        }
        number.putIfAbsent(module, i);
      }
    }
    Map<Module, String> out = new IdentityHashMap<>();
    for (Map.Entry<Module, List<Integer>> entry : having.entrySet()) {
      String label = ranks(entry.getValue());
      out.put(entry.getKey(), several ? label + ", program " + number.get(entry.getKey()) : label);
    }
    return out;
  }

  private static String ranks(List<Integer> ranks) {
    StringBuilder out = new StringBuilder(ranks.size() == 1 ? "rank " : "ranks ");
    for (int i = 0; i < ranks.size(); i++) {
      int first = i;
      while (i + 1 < ranks.size() && ranks.get(i + 1) == ranks.get(i) + 1) {
        i++;
      }
      out.append(first == 0 ? "" : ", ").append(ranks.get(first));
      if (i > first) {
        out.append(i == first + 1 ? ", " : "-").append(ranks.get(i));
      }
    }
    return out.toString();
  }
}
