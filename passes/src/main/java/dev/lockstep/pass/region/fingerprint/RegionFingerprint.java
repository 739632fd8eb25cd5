package dev.lockstep.pass.region.fingerprint;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;

/**
 * The fingerprint of one piece of a program.
 *
 * @param path which piece: its number in its block, after the path of the operation and the body
 *     that hold the block, {@code 3/1/0}
 * @param communicates whether ranks meet in it
 * @param operations its operations in program order
 * @param fingerprint of its operations, the types that come in, and which results are used after it
 */
public record RegionFingerprint(
    String path,
    boolean communicates,
    ImmutableList<Operation> operations,
    Fingerprint fingerprint) {}
