package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.Semantics;
import java.util.ArrayList;
import java.util.List;

/** What surrounds a run, as ops see it. */
final class HostSide implements Semantics.Surroundings {
  private final Module module;
  private final InterpreterOptions options;
  private final Records records;

  HostSide(Module module, InterpreterOptions options, Records records) {
    this.module = module;
    this.options = options;
    this.records = records;
  }

  @Override
  public void print(String text) {
    options.printer().accept(text);
  }

  @Override
  public void record(String id, Datum value) {
    records.record(id, value);
  }

  @Override
  public ImmutableList<Datum> recorded(String id) {
    return records.recorded(id);
  }

  @Override
  public ImmutableList<Datum> feed() {
    ImmutableList<Datum> next = records.feed.poll();
    if (next == null) {
      throw new IllegalArgumentException("nothing is left to feed");
    }
    return next;
  }

  @Override
  public ImmutableList<Datum> runGrid(
      ImmutableList<ImmutableList<String>> programs,
      ImmutableList<Datum> arguments,
      ImmutableList<String> feeds) {
    DeviceGrid grid = new DeviceGrid(programs.size(), programs.get(0).size());
    List<Function> functions = new ArrayList<>();
    List<ImmutableList<Datum>> each = new ArrayList<>();
    int next = 0;
    for (ImmutableList<String> replica : programs) {
      for (String name : replica) {
        Function function = function(name);
        int count = function.parameters().size();
        functions.add(function);
        each.add(arguments.subList(next, next + count));
        next += count;
      }
    }
    Records inner = new Records();
    for (String feed : feeds) {
      inner.feed.add(
          GridInterpreter.run(
                  Program.ofFunctions(module, ImmutableList.of(function(feed))),
                  new DeviceGrid(1, 1),
                  ImmutableList.of(ImmutableList.of()),
                  options)
              .get(0));
    }
    ImmutableList.Builder<Datum> out = ImmutableList.builder();
    GridInterpreter.run(Program.ofFunctions(module, functions), grid, each, options, inner)
        .forEach(out::addAll);
    return out.build();
  }

  private Function function(String name) {
    return module
        .function(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no function @" + name));
  }
}
