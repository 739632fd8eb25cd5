package dev.lockstep.pass.region.merge;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.pass.region.align.AlignedOp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Which attributes of corresponding operations say something else on some rank. */
public final class Differences {
  /** What only says where an operation came from. */
  private static final ImmutableSet<String> SAYS_NOTHING =
      ImmutableSet.of("metadata", "origin", "control-predecessors");

  /** Header attributes that follow from the program, and tables of source places. */
  private static final ImmutableSet<String> HEADER =
      ImmutableSet.of(
          "entry_computation_layout", "FileNames", "FunctionNames", "FileLocations", "StackFrames");

  private Differences() {}

  /** Returns the names of attributes that differ, sorted; code by name is compared elsewhere. */
  public static ImmutableSet<String> of(AlignedOp operation) {
    Set<String> ignored = new TreeSet<>(operation.def().bodyAttributes());
    ignored.addAll(SAYS_NOTHING);
    List<Attributes> all = new ArrayList<>();
    for (Operation each : operation.operations()) {
      all.add(each.attributes());
    }
    return of(all, ignored);
  }

  /** Returns whether something differs, and all of it is among {@code names}. */
  public static boolean isOnly(AlignedOp operation, ImmutableSet<String> names) {
    ImmutableSet<String> found = of(operation);
    return !found.isEmpty() && names.containsAll(found);
  }

  /** Returns the names of header attributes that differ, sorted. */
  static ImmutableSet<String> ofHeaders(List<Attributes> headers) {
    return of(headers, HEADER);
  }

  static ImmutableSet<String> of(List<Attributes> all, Set<String> ignored) {
    Map<String, Attribute> first = toMap(all.get(0), ignored);
    TreeSet<String> out = new TreeSet<>();
    for (Attributes attributes : all.subList(1, all.size())) {
      if (attributes == all.get(0)) {
        continue;
      }
      Map<String, Attribute> other = toMap(attributes, ignored);
      for (String name : Sets.union(first.keySet(), other.keySet())) {
        if (!Objects.equals(first.get(name), other.get(name))) {
          out.add(name);
        }
      }
    }
    return ImmutableSet.copyOf(out);
  }

  private static Map<String, Attribute> toMap(Attributes attributes, Set<String> ignored) {
    Map<String, Attribute> out = new HashMap<>();
    attributes.forEach(
        (name, value) -> {
          if (!ignored.contains(name)) {
            out.put(name, value);
          }
        });
    return out;
  }
}
