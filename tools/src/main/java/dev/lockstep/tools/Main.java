package dev.lockstep.tools;

/** The entry point of the command line. */
public final class Main {
  private Main() {}

  /** Runs the command line and exits with its code. */
  public static void main(String[] args) {
    System.err.println("lockstep: no verb is built yet");
    System.exit(64);
  }
}
