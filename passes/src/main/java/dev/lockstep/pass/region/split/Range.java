package dev.lockstep.pass.region.split;

/**
 * Items that go into one segment.
 *
 * @param first the first item
 * @param last the last item
 * @param isCommon whether all programs get the same segment
 */
record Range(int first, int last, boolean isCommon) {}
