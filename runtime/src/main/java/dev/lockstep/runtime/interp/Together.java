package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** What a strand waits for that stands for several devices: until each has its results. */
final class Together implements Pending {

  /** Makes one list of results of those of all devices or groups of them. */
  interface Join {
    ImmutableList<Datum> join(List<ImmutableList<Datum>> each);
  }

  private final Operation operation;
  private final ImmutableList<? extends Pending> parts;
  private final Join join;

  Together(Operation operation, ImmutableList<? extends Pending> parts, Join join) {
    this.operation = operation;
    this.parts = parts;
    this.join = join;
  }

  @Override
  public boolean isReady() {
    return parts.stream().allMatch(Pending::isReady);
  }

  @Override
  public ImmutableList<Datum> results() {
    List<ImmutableList<Datum>> each = new ArrayList<>();
    for (Pending part : parts) {
      each.add(part.results());
    }
    return join.join(each);
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public String awaited() {
    for (Pending part : parts) {
      if (!part.isReady()) {
        return part.awaited();
      }
    }
    return "";
  }

  @Override
  public ImmutableList<Integer> missing() {
    TreeSet<Integer> out = new TreeSet<>();
    for (Pending part : parts) {
      if (!part.isReady()) {
        out.addAll(part.missing());
      }
    }
    return ImmutableList.copyOf(out);
  }
}
