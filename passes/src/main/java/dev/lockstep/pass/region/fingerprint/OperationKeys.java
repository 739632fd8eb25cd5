package dev.lockstep.pass.region.fingerprint;

import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Keys by which operations of two programs are found to be alike: op, types of operands and
 * results, attributes with groups as ranks. Values of literals, names, operands themselves and what
 * is inside do not count.
 */
public final class OperationKeys {
  private final CanonicalSink sink = CanonicalSink.ofKeys();
  private final CanonicalOps ops;

  /**
   * Creates them.
   *
   * @param grid the devices, to which groups are resolved; null when they are not known
   */
  public OperationKeys(Module module, @Nullable DeviceGrid grid) {
    this.ops = new CanonicalOps(module.syntax(), grid, sink, symbol -> "@");
  }

  /** Returns the key of {@code operation}. */
  public long of(Operation operation) {
    ops.kind(operation);
    return sink.finishKey();
  }

  /** Returns a key of a word and types. */
  public long of(String word, Iterable<? extends Type> types) {
    sink.word(word);
    types.forEach(ops.types()::write);
    return sink.finishKey();
  }
}
