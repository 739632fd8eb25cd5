package dev.lockstep.tools;

import java.util.List;

/** The entry point of the command line. */
public final class Main {
  private Main() {}

  /** Runs the command that {@code args} spell and exits with its code. */
  public static void main(String[] args) {
    System.exit(CommandLineRunner.run(List.of(args), Console.system()));
  }
}
