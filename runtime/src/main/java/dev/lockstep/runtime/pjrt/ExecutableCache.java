package dev.lockstep.runtime.pjrt;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import dev.lockstep.hlo.ir.Module;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The executables of one client by the fingerprint of what they were compiled from: the program as
 * the plugin gets it, and the options. Equal segments are compiled once, whatever they are called
 * and whichever plan they stand in. Closing the cache closes them.
 */
public final class ExecutableCache implements AutoCloseable {
  private final PjrtClient client;
  private final Map<String, PjrtExecutable> executables = new HashMap<>();
  private final Map<Module, PjrtProgram> programs = new IdentityHashMap<>();

  /** Creates an empty cache. */
  public ExecutableCache(PjrtClient client) {
    this.client = client;
  }

  /** Returns the client. */
  public PjrtClient client() {
    return client;
  }

  /**
   * Returns {@code module} compiled as {@code options} say.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if it is a program that must not reach a
   *     plugin
   * @throws PjrtException if the plugin refuses it
   */
  public synchronized PjrtExecutable get(Module module, CompileOptions options) {
    PjrtProgram program =
        programs.computeIfAbsent(module, unused -> PjrtProgram.of(module, client.platformName()));
    CompileOptions all = options.withShardy(program.usesShardy()).fitTo(client);
    String key = fingerprint(program, all);
    PjrtExecutable found = executables.get(key);
    if (found != null && !found.isClosed()) {
      return found;
    }
    PjrtExecutable made = client.compile(program, all);
    executables.put(key, made);
    return made;
  }

  private static String fingerprint(PjrtProgram program, CompileOptions options) {
    byte[] settings = options.toByteArray();
    Hasher hasher = Hashing.sha256().newHasher();
    hasher.putInt(program.code().length).putBytes(program.code());
    hasher.putInt(settings.length).putBytes(settings);
    return hasher.putString(program.format(), StandardCharsets.UTF_8).hash().toString();
  }

  /** Returns how many programs were compiled. */
  public synchronized int compiled() {
    return executables.size();
  }

  @Override
  public synchronized void close() {
    executables.values().forEach(PjrtExecutable::close);
    executables.clear();
    programs.clear();
  }
}
