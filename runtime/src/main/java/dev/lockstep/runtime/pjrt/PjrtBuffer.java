package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A tensor on a device. One that was donated to a launch is closed: whoever uses it is told so, and
 * nothing of it reaches the plugin.
 */
public final class PjrtBuffer extends PjrtHandle {
  private final PjrtDevice device;

  /** Never changes, so that whoever asks first may write it down for all. */
  private volatile @Nullable TensorType type;

  PjrtBuffer(PjrtClient client, long address, PjrtDevice device) {
    super(client.plugin(), client, address, PjrtNative.BUFFER_DESTROY, "buffer");
    this.device = device;
  }

  /** Returns the device that holds it. */
  public PjrtDevice device() {
    return device;
  }

  /** Returns the type, with the sizes that the plugin has room for. */
  public TensorType type() {
    return use(
        buffer -> {
          TensorType known = type;
          if (known == null) {
            long[] shape = PjrtNative.shape(plugin().address(), buffer);
            known =
                TensorType.of(
                    PjrtTypes.element((int) shape[0]), Arrays.copyOfRange(shape, 1, shape.length));
            type = known;
          }
          return known;
        });
  }

  /** Returns whether the plugin has freed its memory, so that it has no value any more. */
  public boolean isDeleted() {
    return use(buffer -> PjrtNative.flag(plugin().address(), PjrtNative.BUFFER_IS_DELETED, buffer));
  }

  /**
   * Returns the value; waits for it.
   *
   * @throws PjrtException if the program that computes it failed
   * @throws IllegalStateException if this is closed, or was donated
   */
  public Literal toLiteral() {
    return use(buffer -> value(plugin().address(), buffer));
  }

  /** Returns the value of the buffer at {@code address}, which the caller holds. */
  static Literal value(long plugin, long address) {
    long[] shape = PjrtNative.shape(plugin, address);
    TensorType type =
        TensorType.of(
            PjrtTypes.element((int) shape[0]), Arrays.copyOfRange(shape, 1, shape.length));
    long size = PjrtNative.hostSize(plugin, address, type.rank());
    ByteBuffer data =
        ByteBuffer.allocateDirect(PjrtTypes.bytes(size, type)).order(ByteOrder.nativeOrder());
    PjrtNative.toHost(plugin, address, type.rank(), data, size);
    return PjrtTypes.literal(type, data);
  }
}
