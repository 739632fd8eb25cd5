package dev.lockstep.pass.cost;

import java.util.Locale;

/** The constants that describe a device, with the units they are given in. */
public enum DeviceConstant {
  /** Peak rate of products of 16-bit floats. */
  MATMUL_RATE("FLOP/s"),
  /** Peak rate of products of other types than 8 and 16 bits. */
  MATMUL_RATE_WIDE("FLOP/s"),
  /** Peak rate of products of 8-bit types. */
  MATMUL_RATE_NARROW("FLOP/s"),
  /** Peak rate of everything that is no product. */
  VECTOR_RATE("FLOP/s"),
  /** Which part of the peak rate of products real programs reach. */
  MATMUL_EFFICIENCY("1"),
  /** How much memory there is. */
  MEMORY_CAPACITY("B"),
  /** How fast it is read or written. */
  MEMORY_RATE("B/s"),
  /** How many devices are joined by the fast network, numbered in a row. */
  DOMAIN_SIZE("devices"),
  /** What a device sends, and receives at the same time, within its domain. */
  DOMAIN_RATE("B/s"),
  /**
   * What it sends over one link, to one other device of its domain: equal to {@link #DOMAIN_RATE}
   * behind a switch.
   */
  PEER_RATE("B/s"),
  /** What a device sends, and receives at the same time, out of its domain. */
  OUTSIDE_RATE("B/s"),
  /** Which part of these rates collectives reach. */
  LINK_EFFICIENCY("1"),
  /** Along how many dimensions the network of a domain goes; 1 for a switch or a ring. */
  NETWORK_AXES("axes"),
  /** What any collective takes, however small. */
  COLLECTIVE_LATENCY("s"),
  /** What every further step along a dimension of the network adds. */
  HOP_LATENCY("s"),
  /** What it takes to start a program or a segment of one. */
  LAUNCH_LATENCY("s"),
  /**
   * Which part of the memory a compiler that overlaps lets results of collectives take before
   * anything uses them.
   */
  PREFETCH_SHARE("1");

  private final String unit;

  DeviceConstant(String unit) {
    this.unit = unit;
  }

  /** Returns the name in device files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the unit, which files must repeat. */
  public String unit() {
    return unit;
  }
}
