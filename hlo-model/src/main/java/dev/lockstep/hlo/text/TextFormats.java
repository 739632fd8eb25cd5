package dev.lockstep.hlo.text;

import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Recognises the format of an input by its content, never by its name alone. */
public final class TextFormats {

  /** What an input is. */
  public enum Format {
    /** StableHLO and neighbouring dialects as MLIR text. */
    STABLEHLO,
    /** XLA HLO text. */
    HLO,
    /** MLIR bytecode, which is not read; a diagnostic names the command that makes it text. */
    MLIR_BYTECODE,
    /** An HLO proto, binary or text. */
    HLO_PROTO,
    /** A torch FX graph as print_readable writes it. */
    FX
  }

  /** The first field of a text proto, after comments: of a module or of what holds one. */
  private static final Pattern TEXT_PROTO =
      Pattern.compile(
          "(?:\\s|#[^\\n"
              + "]*\\n"
              + ")*(?:(?:name|entry_computation_name|entry_computation_id|id)\\s*:"
              + "|(?:hlo|hlo_module|computations|host_program_shape|schedule|config)\\s*:?\\s*\\{)");

  /** A computation without a module around it, from its name to what its first instruction is. */
  private static final Pattern COMPUTATION =
      Pattern.compile(
          "(?:\\s|//[^\\n]*\\n)*+%?[\\w.\\-]++\\s*+(?:\\([^{]*+)?\\{\\s*+%?[\\w.\\-]++\\s*+=\\s*+[a-z(]");

  /** How lines of torch's logs begin: rank, severity and date, time. */
  private static final Pattern TORCH_LOG =
      Pattern.compile(
          "\\s*(?:\\[(?:rank|default)?[ _]?\\d+(?:\\|\\d+)?\\]:\\s?)?[VIWEDC]\\d{4}"
              + " \\d\\d:\\d\\d:\\d\\d\\.");

  /** How a list or a table of the nodes of a graph begins. */
  private static final Pattern NODES =
      Pattern.compile("\\s*(?:graph\\(.*\\):\\s*(?:%|return)|opcode +name +target +args +kwargs)");

  private TextFormats() {}

  /** Returns the format of {@code source}; what looks like nothing else is taken for MLIR text. */
  public static Format detect(Source source) {
    byte[] bytes = source.bytes();
    if (bytes.length >= 4
        && bytes[0] == 'M'
        && bytes[1] == 'L'
        && (bytes[2] & 0xFF) == 0xEF
        && bytes[3] == 'R') {
      return Format.MLIR_BYTECODE;
    }
    int end = Math.min(bytes.length, 1 << 16);
    String head = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    String word = firstWord(head);
    if (word.startsWith("HloModule") || word.equals("ENTRY")) {
      return Format.HLO;
    }
    if (isFx(word, head)) {
      return Format.FX;
    }
    if (looksBinary(head) && !head.isEmpty()) {
      return Format.HLO_PROTO;
    }
    if (TEXT_PROTO.matcher(head).lookingAt()) {
      return Format.HLO_PROTO;
    }
    if (word.startsWith("module")
        || word.startsWith("func")
        || word.startsWith("#")
        || word.startsWith("\"")
        || word.startsWith("!")) {
      return Format.STABLEHLO;
    }
    // A bare computation or instruction: `name {`, `%x = f32[2]{0} add(...)`.
    return head.contains("ROOT ")
            || COMPUTATION.matcher(head).lookingAt()
            || head.matches("(?s)[^\\n]*= *\\(?[a-z0-9]+\\[[0-9,<=? ]*\\].*")
        ? Format.HLO
        : Format.STABLEHLO;
  }

  /** A graph, an exported program, or a log of torch that may hold graphs. */
  private static boolean isFx(String word, String head) {
    if (word.startsWith("ExportedProgram") || TORCH_LOG.matcher(head).lookingAt()) {
      return true;
    }
    boolean python =
        word.equals("class")
            || word.equals("def")
            || word.equals("import")
            || word.equals("from")
            || word.startsWith("#")
            || word.equals("TRACED")
            || word.startsWith("=====")
            || word.startsWith("[");
    return python && head.contains("def forward(") || NODES.matcher(head).lookingAt();
  }

  private static boolean looksBinary(String head) {
    for (int i = 0; i < Math.min(head.length(), 512); i++) {
      char c = head.charAt(i);
      if (c < 9 || c > 13 && c < 32) {
        return true;
      }
    }
    return false;
  }

  /** Returns the first word after blanks and comments. */
  private static String firstWord(String head) {
    int i = 0;
    while (i < head.length()) {
      char c = head.charAt(i);
      if (Character.isWhitespace(c)) {
        i++;
      } else if (head.startsWith("//", i)) {
        int line = head.indexOf('\n', i);
        i = line < 0 ? head.length() : line;
      } else if (head.startsWith("/*", i)) {
        int close = head.indexOf("*/", i);
        i = close < 0 ? head.length() : close + 2;
      } else {
        break;
      }
    }
    int begin = i;
    while (i < head.length() && !Character.isWhitespace(head.charAt(i))) {
      i++;
    }
    return head.substring(begin, i);
  }
}
