package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Bodies;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.pass.region.Communicators;
import dev.lockstep.pass.region.Regions;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cuts a program at the places where ranks meet and digests each piece by itself. */
final class RegionFingerprints {
  private final Module module;
  private final @Nullable DeviceGrid grid;
  private final Communicators communicators;
  private final Map<String, Fingerprint> functions = new HashMap<>();
  private final Map<Operation, Boolean> entered = new IdentityHashMap<>();
  private final ImmutableList.Builder<RegionFingerprint> out = ImmutableList.builder();

  RegionFingerprints(Module module, @Nullable DeviceGrid grid) {
    this.module = module;
    this.grid = grid;
    this.communicators = new Communicators(module);
  }

  static ImmutableList<RegionFingerprint> of(Module module, @Nullable DeviceGrid grid) {
    RegionFingerprints regions = new RegionFingerprints(module, grid);
    module.entryFunction().ifPresent(function -> regions.block(function.body(), ""));
    return regions.out.build();
  }

  private void block(Block block, String prefix) {
    ImmutableList<Regions.Piece> pieces = Regions.of(block, communicators);
    Map<Value, Integer> lastUse = lastUses(block, pieces);
    for (int i = 0; i < pieces.size(); i++) {
      Regions.Piece piece = pieces.get(i);
      String path = prefix + i;
      out.add(
          new RegionFingerprint(
              path, piece.communicates(), piece.operations(), digest(piece, i, lastUse)));
      Operation first = piece.operations().get(0);
      if (communicators.role(first) == Communicators.Role.AROUND
          && entered.put(first, true) == null) {
        ImmutableList<Block> bodies = Bodies.of(first, module);
        for (int body = 0; body < bodies.size(); body++) {
          block(bodies.get(body), path + "/" + body + "/");
        }
      }
    }
  }

  /** Returns for each value the last piece that uses it; one past the last when it is returned. */
  private static Map<Value, Integer> lastUses(Block block, ImmutableList<Regions.Piece> pieces) {
    Map<Value, Integer> out = new IdentityHashMap<>();
    for (int i = 0; i < pieces.size(); i++) {
      for (Operation operation : pieces.get(i).operations()) {
        note(operation, i, out);
      }
    }
    for (Value value : block.returned()) {
      out.put(value, pieces.size());
    }
    return out;
  }

  private static void note(Operation operation, int piece, Map<Value, Integer> out) {
    for (Value operand : operation.operands()) {
      out.merge(operand, piece, Math::max);
    }
    for (Region region : operation.regions()) {
      for (Block block : region.blocks()) {
        for (Operation inner : block.operations()) {
          note(inner, piece, out);
        }
      }
    }
  }

  /** Returns the fingerprint of one operation, whose operands are inputs. */
  Fingerprint digest(Operation operation) {
    CanonicalSink sink = new CanonicalSink(true);
    new CanonicalOps(module.syntax(), grid, sink, this::symbol).write(operation);
    return sink.finish();
  }

  private Fingerprint digest(Regions.Piece piece, int number, Map<Value, Integer> lastUse) {
    CanonicalSink sink = new CanonicalSink(true);
    CanonicalOps ops = new CanonicalOps(module.syntax(), grid, sink, this::symbol);
    for (Operation operation : piece.operations()) {
      ops.write(operation);
    }
    for (Operation operation : piece.operations()) {
      for (Value result : operation.results()) {
        if (lastUse.getOrDefault(result, -1) > number) {
          sink.word("output");
          sink.number(ops.number(result));
        }
      }
    }
    return sink.finish();
  }

  /** Returns what is written for a function: the digest of what it does, by which it is known. */
  private String symbol(Attribute.Symbol symbol) {
    String name = symbol.path().get(0);
    Fingerprint known = functions.get(name);
    if (known != null) {
      return known.text();
    }
    if (module.function(name).isEmpty() || module.function(name).get().isDeclaration()) {
      return "@" + String.join("::", symbol.path());
    }
    CanonicalSink sink = new CanonicalSink(true);
    // A function that runs itself is known by a word until its digest is there.
    functions.put(name, new CanonicalSink(true).finish());
    new CanonicalOps(module.syntax(), grid, sink, this::symbol)
        .block(module.function(name).get().body());
    Fingerprint digest = sink.finish();
    functions.put(name, digest);
    return digest.text();
  }
}
