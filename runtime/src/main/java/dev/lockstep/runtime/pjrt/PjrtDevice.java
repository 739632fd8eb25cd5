package dev.lockstep.runtime.pjrt;

/**
 * A device of a client.
 *
 * @param client the client, which owns it
 * @param address its native address
 * @param id its number among the devices of all processes
 * @param process the process that it belongs to
 * @param kind what it is: {@code cpu}
 * @param text what the plugin calls it
 */
public record PjrtDevice(
    PjrtClient client, long address, int id, int process, String kind, String text) {
  @Override
  public String toString() {
    return text;
  }
}
