package dev.lockstep.pass;

import com.google.common.collect.ImmutableList;

/** The passes of this room, in documentation order. The one place where they are listed. */
public final class Passes {
  /** All of them. */
  public static final ImmutableList<Pass> ALL = ImmutableList.of();

  private Passes() {}
}
