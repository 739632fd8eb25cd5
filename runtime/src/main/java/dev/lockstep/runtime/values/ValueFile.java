package dev.lockstep.runtime.values;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The named values of one file: arguments {@code in<i>} and {@code in<i>.dev<d>}, results {@code
 * out<i>.dev<d>}, where {@code i} counts after tuples are flattened and {@code d} is the device.
 *
 * <p>Values keep the file's form until someone asks for a key with the type it must have. What was
 * asked for is remembered, so that {@link #unused} can tell what nothing asked for.
 */
public final class ValueFile {
  /** Diagnostic code: the file as a whole cannot be read. */
  public static final String MALFORMED = "values-malformed";

  /** Diagnostic code: a key that is needed is not there. */
  public static final String MISSING = "value-missing";

  /** Diagnostic code: a value has another type or shape than the program wants. */
  public static final String MISMATCH = "value-mismatch";

  private static final byte[] UTF8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
  private static final byte[] ZIP_MAGIC = {'P', 'K', 3, 4};
  private static final byte[] EMPTY_ZIP_MAGIC = {'P', 'K', 5, 6};

  /** A value as the file has it. */
  private record Stored(
      String key, @Nullable String suffix, @Nullable NpyArray array, @Nullable Literal literal) {}

  private final Location location;
  private final ImmutableSortedMap<String, Stored> values;
  private final TreeSet<String> asked = new TreeSet<>();

  private ValueFile(String name, Map<String, Stored> values) {
    this.location = place(name);
    this.values = ImmutableSortedMap.copyOf(values);
  }

  /**
   * Reads {@code file}, whose format is recognised by content.
   *
   * @throws IOException when it cannot be read
   * @throws DiagnosticException when its content is malformed
   */
  public static ValueFile read(Path file) throws IOException {
    return read(file.toString(), Files.readAllBytes(file));
  }

  /**
   * Reads a file's bytes.
   *
   * @param name what diagnostics call it
   * @throws DiagnosticException when they are malformed
   */
  public static ValueFile read(String name, byte[] bytes) throws IOException {
    TreeMap<String, Stored> values = new TreeMap<>();
    try {
      if (NpyArray.isNpy(bytes)) {
        values.put("in0", new Stored("in0", null, NpyArray.parse(bytes), null));
      } else if (startsWith(bytes, ZIP_MAGIC) || startsWith(bytes, EMPTY_ZIP_MAGIC)) {
        readZip(name, bytes, values);
      } else {
        if (!isObject(bytes)) {
          throw new ValueFormatException("is neither .npy, .npz nor a JSON object of values");
        }
        ImmutableMap<String, Literal> literals = JsonValues.read(Source.of(name, bytes), MALFORMED);
        literals.forEach((key, literal) -> add(values, key, null, literal));
      }
    } catch (ValueFormatException e) {
      throw DiagnosticException.error(MALFORMED, "the file " + e.getMessage(), place(name));
    }
    return new ValueFile(name, values);
  }

  private static void readZip(String name, byte[] bytes, Map<String, Stored> values)
      throws IOException {
    // Only a file gives access by the central directory; a stream cannot skip stored entries
    // whose size comes after them.
    Path copy = Files.createTempFile("values", ".npz");
    try {
      Files.write(copy, bytes);
      try (ZipFile zip = new ZipFile(copy.toFile())) {
        for (ZipEntry entry : zip.stream().toList()) {
          String key = entry.getName().replaceFirst("\\.npy$", "");
          try {
            add(values, key, NpyArray.parse(zip.getInputStream(entry).readAllBytes()), null);
          } catch (ValueFormatException e) {
            throw DiagnosticException.error(
                MALFORMED, "the entry '" + key + "' " + e.getMessage(), place(name));
          }
        }
      }
    } catch (ZipException e) {
      throw DiagnosticException.error(
          MALFORMED, "the file is a broken zip archive: " + e.getMessage(), place(name));
    } finally {
      Files.delete(copy);
    }
  }

  private static void add(
      Map<String, Stored> values, String key, @Nullable NpyArray array, @Nullable Literal literal) {
    String base = key;
    String suffix = null;
    int dot = key.lastIndexOf('.');
    if (dot >= 0 && ValueKeys.elementOfSuffix(key.substring(dot + 1)) != null) {
      base = key.substring(0, dot);
      suffix = key.substring(dot + 1);
    }
    values.put(base, new Stored(key, suffix, array, literal));
  }

  /** Returns whether this may be a JSON object: its first sign is a brace. */
  private static boolean isObject(byte[] bytes) {
    int at = startsWith(bytes, UTF8_MARK) ? UTF8_MARK.length : 0;
    while (at < bytes.length && " \t\n\r".indexOf(bytes[at]) >= 0) {
      at++;
    }
    return at < bytes.length && bytes[at] == '{';
  }

  private static boolean startsWith(byte[] bytes, byte[] magic) {
    return bytes.length >= magic.length
        && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
  }

  private static Location place(String name) {
    return new Location(Source.of(name, ""), 0, 0);
  }

  /**
   * Returns argument {@code index} of {@code device}: its own value, else the one for every device
   * alike.
   *
   * @throws DiagnosticException when there is none, or it has another type or shape
   */
  public Literal argument(int index, int device, TensorType type) {
    Optional<Literal> own = find(ValueKeys.argument(index, device), type);
    return own.or(() -> find(ValueKeys.argument(index), type))
        .orElseThrow(
            () ->
                DiagnosticException.error(
                    MISSING,
                    String.format(
                        "there is neither '%s' nor '%s' for argument %d, which is %s; the keys are"
                            + " %s",
                        ValueKeys.argument(index, device),
                        ValueKeys.argument(index),
                        index,
                        type,
                        describeKeys()),
                    location));
  }

  /**
   * Returns the result {@code index} that the file expects on {@code device}, if it does; a key
   * {@code out<i>} stands for every device alike.
   *
   * @throws DiagnosticException when it has another type or shape
   */
  public Optional<Literal> result(int index, int device, TensorType type) {
    Optional<Literal> own = find(ValueKeys.result(index, device), type);
    return own.or(() -> find(ValueKeys.result(index), type));
  }

  /**
   * Returns the value under {@code key} (without a type suffix) as {@code type}, if it is there.
   *
   * @throws DiagnosticException when it has another type or shape
   */
  public Optional<Literal> find(String key, TensorType type) {
    Stored stored = values.get(key);
    asked.add(key);
    if (stored == null) {
      return Optional.empty();
    }
    Literal literal = stored.literal();
    if (literal == null) {
      literal = convert(stored, type);
    }
    if (literal.element() != type.element() || !fits(literal.dims(), type)) {
      throw mismatch(stored, literal.type().toString(), type);
    }
    return Optional.of(literal);
  }

  /** Returns whether a value has the sizes of {@code type}, where that says which. */
  private static boolean fits(ImmutableLongArray dims, TensorType type) {
    boolean fits = dims.length() == type.rank();
    for (int d = 0; fits && d < dims.length(); d++) {
      fits = type.dim(d) == TensorType.DYNAMIC || type.dim(d) == dims.get(d);
    }
    return fits;
  }

  private Literal convert(Stored stored, TensorType type) {
    NpyArray array = requireNonNull(stored.array());
    ElementType kept = array.elementType();
    ElementType wanted = type.element();
    String suffix = stored.suffix();
    ElementType named = suffix == null ? kept : ValueKeys.elementOfSuffix(suffix);
    boolean lone = stored.key().equals("in0") && suffix == null && values.size() == 1;
    if (named != null && named != wanted && ValueKeys.isStoredAs(wanted, named)) {
      // i4 stands as int8; a lone .npy has no key that could carry a suffix.
      named = wanted.isInteger() || lone ? wanted : named;
    }
    if (kept == null || named == null || named != kept && !ValueKeys.isStoredAs(named, kept)) {
      throw mismatch(stored, "numpy type '" + array.descr() + "'", type);
    }
    if (named != wanted || !fits(array.shape(), type)) {
      throw mismatch(stored, TensorType.of(named, array.shape()).toString(), type);
    }
    try {
      return array.literal(wanted);
    } catch (ValueFormatException e) {
      throw DiagnosticException.error(
          MISMATCH, "'" + stored.key() + "' " + e.getMessage(), location);
    }
  }

  private DiagnosticException mismatch(Stored stored, String got, TensorType wanted) {
    String remedy =
        NpyArray.isNumpyType(wanted.element()) || stored.suffix() != null
            ? ""
            : String.format(
                "; store its bits as uint%d under '%s.%s'",
                wanted.element().bytes() * 8, stored.key(), wanted.element().fileSuffix());
    return DiagnosticException.error(
        MISMATCH,
        String.format("'%s' is %s, must be %s%s", stored.key(), got, wanted, remedy),
        location);
  }

  /** Returns the sizes of the value under {@code key} (without a type suffix), if it is there. */
  public Optional<ImmutableLongArray> dims(String key) {
    Stored stored = values.get(key);
    if (stored == null) {
      return Optional.empty();
    }
    Literal literal = stored.literal();
    return Optional.of(literal == null ? requireNonNull(stored.array()).shape() : literal.dims());
  }

  /** Returns the keys without type suffixes, sorted. */
  public ImmutableSortedSet<String> keys() {
    return values.keySet();
  }

  /** Returns the keys that nothing has asked for so far, as the file writes them. */
  public ImmutableSortedSet<String> unused() {
    return values.entrySet().stream()
        .filter(entry -> !asked.contains(entry.getKey()))
        .map(entry -> entry.getValue().key())
        .collect(ImmutableSortedSet.toImmutableSortedSet(String::compareTo));
  }

  private String describeKeys() {
    String some = values.keySet().stream().limit(20).collect(Collectors.joining(", "));
    return values.isEmpty() ? "none" : values.size() > 20 ? some + ", ..." : some;
  }
}
