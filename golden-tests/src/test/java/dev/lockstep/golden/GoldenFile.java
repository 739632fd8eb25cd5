package dev.lockstep.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.golden.GoldenCase.Kind;
import dev.lockstep.golden.GoldenCase.Section;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A golden file: a header of comments and directives, then cases.
 *
 * <pre>
 * // What this file is about.
 * // RUN: dce
 * // GRID: replicas=2 partitions=1
 *
 * // ---- case unused_operation_goes
 * a program
 * // ==== output
 * a program
 * </pre>
 *
 * @param path where it is
 * @param header the lines before the first case, with line ends
 * @param cases the cases in order
 */
public record GoldenFile(Path path, String header, ImmutableList<GoldenCase> cases) {
  private static final Pattern CASE = Pattern.compile("// ---- case ([a-z0-9_]+)");
  private static final Pattern SECTION = Pattern.compile("// ==== (\\w+)");
  private static final Pattern DIRECTIVE = Pattern.compile("// ([A-Z][A-Z-]+): ?(.*)");
  private static final Pattern SPLIT = Pattern.compile("// (?:-{4}|={4}).*");

  /** Returns the file at {@code path}. */
  public static GoldenFile read(Path path) {
    try {
      return parse(path, Files.readString(path, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the file that {@code text} holds; an {@link AssertionError} names what is wrong. */
  public static GoldenFile parse(Path path, String text) {
    ImmutableList<String> lines = text.lines().collect(ImmutableList.toImmutableList());
    int at = 0;
    Map<Directive, String> shared = new EnumMap<>(Directive.class);
    StringBuilder header = new StringBuilder();
    while (at < lines.size() && !CASE.matcher(lines.get(at)).matches()) {
      String line = lines.get(at++);
      check(line.isEmpty() || line.startsWith("//"), path, at, "expected a comment or a case");
      directive(shared, line, path, at);
      header.append(line).append('\n');
    }
    ImmutableList.Builder<GoldenCase> cases = ImmutableList.builder();
    Set<String> names = new HashSet<>();
    while (at < lines.size()) {
      int end = at + 1;
      while (end < lines.size() && !CASE.matcher(lines.get(end)).matches()) {
        end++;
      }
      GoldenCase one = parseCase(path, lines.subList(at, end), at + 1, shared);
      check(names.add(one.name()), path, at + 1, "case " + one.name() + " stands twice");
      cases.add(one);
      at = end;
    }
    return new GoldenFile(path, header.toString(), cases.build());
  }

  private static GoldenCase parseCase(
      Path path, List<String> lines, int line, Map<Directive, String> shared) {
    Matcher head = CASE.matcher(lines.get(0));
    check(head.matches(), path, line, "expected a case");
    Map<Directive, String> directives = new EnumMap<>(Directive.class);
    directives.putAll(shared);
    int at = 1;
    while (at < lines.size() && DIRECTIVE.matcher(lines.get(at)).matches()) {
      directive(directives, lines.get(at), path, line + at);
      at++;
    }
    // The directives are part of the input, so that its lines count from the case's header.
    StringBuilder input = new StringBuilder();
    at = 1;
    while (at < lines.size() && !SPLIT.matcher(lines.get(at)).matches()) {
      input.append(lines.get(at++)).append('\n');
    }
    ImmutableList.Builder<Section> sections = ImmutableList.builder();
    while (at < lines.size()) {
      Matcher section = SECTION.matcher(lines.get(at));
      check(section.matches(), path, line + at, "expected a section, '// ==== output'");
      Kind kind = kind(section.group(1), path, line + at);
      at++;
      StringBuilder body = new StringBuilder();
      while (at < lines.size() && !SPLIT.matcher(lines.get(at)).matches()) {
        body.append(lines.get(at++)).append('\n');
      }
      sections.add(new Section(kind, withoutBlankEnd(body.toString())));
    }
    return new GoldenCase(
        head.group(1),
        withoutBlankEnd(input.toString()),
        sections.build(),
        ImmutableMap.copyOf(directives),
        line);
  }

  private static Kind kind(String word, Path path, int line) {
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(word)) {
        return kind;
      }
    }
    throw new AssertionError(path.getFileName() + ":" + line + ": no section is called " + word);
  }

  private static void directive(Map<Directive, String> into, String line, Path path, int number) {
    Matcher matcher = DIRECTIVE.matcher(line);
    if (!matcher.matches()) {
      return;
    }
    for (Directive directive : Directive.values()) {
      if (directive.name().replace('_', '-').equals(matcher.group(1))) {
        into.put(directive, matcher.group(2).trim());
        return;
      }
    }
    throw new AssertionError(
        path.getFileName() + ":" + number + ": no directive is called " + matcher.group(1));
  }

  private static void check(boolean condition, Path path, int line, String message) {
    if (!condition) {
      throw new AssertionError(path.getFileName() + ":" + line + ": " + message);
    }
  }

  private static String withoutBlankEnd(String text) {
    String stripped = text.stripTrailing();
    return stripped.isEmpty() ? "" : stripped + "\n";
  }

  /** Returns the file's text with {@code one} having {@code sections} instead of its own. */
  public String withSections(GoldenCase one, List<Section> sections) {
    StringBuilder out = new StringBuilder(header);
    List<GoldenCase> all = new ArrayList<>(cases);
    for (int i = 0; i < all.size(); i++) {
      GoldenCase each = all.get(i);
      out.append(i == 0 ? "" : "\n").append("// ---- case ").append(each.name()).append('\n');
      out.append(each.input());
      for (Section section : each.name().equals(one.name()) ? sections : each.sections()) {
        out.append("// ==== ").append(section.kind().name().toLowerCase(Locale.ROOT)).append('\n');
        out.append(section.text());
      }
    }
    return out.toString();
  }
}
