package dev.lockstep.hlo.proto;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What an HLO header says of memory that results may share with parameters: {@code
 * input_output_alias={ {0}: (1, {2}, may-alias) }} and {@code buffer_donor={ (0, {}) }}. Paths are
 * indices into tuples.
 */
public final class ModuleAliases {

  /**
   * One result that lies where a parameter was.
   *
   * @param output which part of the result
   * @param parameter the number of the parameter
   * @param path which part of it
   * @param isMust whether it must be so
   */
  public record Alias(
      ImmutableList<Long> output, long parameter, ImmutableList<Long> path, boolean isMust) {}

  /**
   * A parameter whose memory any result may take over.
   *
   * @param parameter its number
   * @param path which part of it
   */
  public record Donor(long parameter, ImmutableList<Long> path) {}

  private ModuleAliases() {}

  /**
   * Reads {@code text}, with its braces.
   *
   * @throws DiagnosticException at {@code location} if it is malformed
   */
  public static ImmutableList<Alias> aliases(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    ImmutableList.Builder<Alias> out = ImmutableList.builder();
    in.expect("{");
    while (!in.accept("}")) {
      ImmutableList<Long> output = index(in);
      in.expect(":");
      in.expect("(");
      long parameter = in.integer();
      in.expect(",");
      ImmutableList<Long> path = index(in);
      boolean isMust = in.accept(",") && in.word().equals("must-alias");
      in.expect(")");
      in.accept(",");
      out.add(new Alias(output, parameter, path, isMust));
    }
    return out.build();
  }

  /**
   * Reads {@code text}, with its braces.
   *
   * @throws DiagnosticException at {@code location} if it is malformed
   */
  public static ImmutableList<Donor> donors(String text, Location location) {
    TextScanner in = new TextScanner(text, location);
    ImmutableList.Builder<Donor> out = ImmutableList.builder();
    in.expect("{");
    while (!in.accept("}")) {
      in.expect("(");
      long parameter = in.integer();
      in.expect(",");
      out.add(new Donor(parameter, index(in)));
      in.expect(")");
      in.accept(",");
    }
    return out.build();
  }

  static ImmutableList<Long> index(TextScanner in) {
    in.expect("{");
    ImmutableList<Long> index = ImmutableList.copyOf(in.integers().asList());
    in.expect("}");
    return index;
  }

  static String index(List<Long> index) {
    return index.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  /** Returns aliases as they are written, without the braces around all. */
  public static String text(List<Alias> aliases) {
    return aliases.stream()
        .map(
            alias ->
                index(alias.output())
                    + ": ("
                    + alias.parameter()
                    + ", "
                    + index(alias.path())
                    + (alias.isMust() ? ", must-alias)" : ", may-alias)"))
        .collect(Collectors.joining(", "));
  }

  /** Returns donors as they are written, without the braces around all. */
  public static String donorText(List<Donor> donors) {
    return donors.stream()
        .map(donor -> "(" + donor.parameter() + ", " + index(donor.path()) + ")")
        .collect(Collectors.joining(", "));
  }
}
