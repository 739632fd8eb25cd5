package dev.lockstep.runtime.pjrt;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key-value store that PJRT gives plugins, through which the processes of one job find each
 * other's devices ({@code PJRT_Client_Create}: its get, try-get and put callbacks).
 *
 * <p>A plugin's questions are answered natively from a table: they wait there, and never call Java.
 * Whoever connects the processes takes what this one has put and {@linkplain #fill fills} in what
 * others have. A key is put once; a plugin that puts it again gets {@code ALREADY_EXISTS}, one that
 * waits in vain {@code DEADLINE_EXCEEDED}.
 */
public final class PjrtKeyValueStore implements AutoCloseable {
  /**
   * What a plugin has put.
   *
   * @param key what others ask for
   * @param value any bytes; the receiver's own
   */
  public record Entry(String key, byte[] value) {}

  private final long address;

  private PjrtKeyValueStore(long address) {
    this.address = address;
  }

  /**
   * Makes an empty store.
   *
   * @throws PjrtUnavailableException if the native shim is not there
   */
  public static PjrtKeyValueStore create() {
    ShimLibrary.load();
    return new PjrtKeyValueStore(PjrtNative.openKeyValues());
  }

  long address() {
    return address;
  }

  /** Puts what another process has put; returns whether the key is new here. */
  public boolean fill(Entry entry) {
    return PjrtNative.fillKeyValues(address, PjrtNative.utf8(entry.key()), entry.value());
  }

  /** Returns the oldest that the plugin has put and nobody took, waiting up to {@code timeout}. */
  public Optional<Entry> take(Duration timeout) {
    byte @Nullable [][] taken = PjrtNative.takeKeyValue(address, timeout.toMillis());
    return taken == null
        ? Optional.empty()
        : Optional.of(new Entry(PjrtNative.string(taken[0]), taken[1]));
  }

  /** Ends all waiting: the plugin gets {@code CANCELLED}. Closing twice is closing once. */
  @Override
  public void close() {
    PjrtNative.closeKeyValues(address);
  }
}
