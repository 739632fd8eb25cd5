package dev.lockstep.pass.region.fingerprint;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A digest of canonical text under the name of the algorithm that made it.
 *
 * <p>The algorithm is SHA-256 cut to 128 bits. Two programs that differ have the same fingerprint
 * with a probability of 2^-128; among a million programs any two collide with one below 2^-88. Cut
 * or not, nobody is known to be able to make two texts with one SHA-256 digest on purpose at less
 * than 2^64 tries for 128 bits, and ranks of one job do not attack each other.
 *
 * @param text {@code lockstep-fp1:} and 32 hexadecimal digits
 */
public record Fingerprint(String text) {
  /**
   * The name of the algorithm: what canonical text holds, and how it is digested. A change of
   * either, however small, needs a new name, since ranks of one job may run different versions.
   */
  public static final String ALGORITHM = "lockstep-fp1";

  /** Checks the form. */
  public Fingerprint {
    checkArgument(text.startsWith(ALGORITHM + ":"), "%s is no %s fingerprint", text, ALGORITHM);
  }

  @Override
  public String toString() {
    return text;
  }
}
