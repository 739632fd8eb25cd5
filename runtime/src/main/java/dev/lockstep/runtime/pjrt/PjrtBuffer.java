package dev.lockstep.runtime.pjrt;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A tensor on a device. */
public final class PjrtBuffer extends PjrtHandle {
  PjrtBuffer(PjrtClient client, long address) {
    super(client.plugin(), client, address, PjrtNative.BUFFER_DESTROY, "buffer");
  }

  /** Returns the type, with the sizes that the plugin has room for. */
  public TensorType type() {
    long[] shape = use(buffer -> PjrtNative.shape(plugin().address(), buffer));
    return TensorType.of(
        PjrtTypes.element((int) shape[0]), Arrays.copyOfRange(shape, 1, shape.length));
  }

  /** Returns whether a program took the buffer over, so that it has no value any more. */
  public boolean isDeleted() {
    return use(buffer -> PjrtNative.flag(plugin().address(), PjrtNative.BUFFER_IS_DELETED, buffer));
  }

  /**
   * Returns the value; waits for it.
   *
   * @throws PjrtException if the program that computes it failed, or another took it over
   */
  public Literal toLiteral() {
    TensorType type = type();
    long api = plugin().address();
    return use(
        buffer -> {
          long size = PjrtNative.hostSize(api, buffer, type.rank());
          ByteBuffer data =
              ByteBuffer.allocateDirect(Math.toIntExact(size)).order(ByteOrder.nativeOrder());
          PjrtNative.toHost(api, buffer, type.rank(), data, size);
          return PjrtTypes.literal(type, data);
        });
  }
}
