package dev.lockstep.handshake.relay;

import java.time.Duration;

/**
 * Whom a relay serves.
 *
 * @param silence how long a rank may say nothing, and how long a rank may take to come
 */
public record RelayOptions(String job, String token, int world, Duration silence) {}
