package dev.lockstep.tools.input;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the results of a set of programs are called in one folder: as their files, and where ranks
 * have files of one name in folders of their own, with these folders.
 */
public final class ResultNames {
  private ResultNames() {}

  /** Returns a name, no two alike, for every file of {@code set}; it may hold slashes. */
  public static ImmutableMap<InputFile, String> of(RankSet set) {
    Set<InputFile> files = new LinkedHashSet<>();
    for (ImmutableList<InputFile> programs : set.ranks()) {
      files.addAll(programs);
    }
    return of(files);
  }

  /** Returns a name, no two alike, for every one of {@code files}; it may hold slashes. */
  public static ImmutableMap<InputFile, String> of(Set<InputFile> files) {
    Set<String> seen = new HashSet<>();
    boolean areShort = files.stream().allMatch(file -> seen.add(last(file)));
    Path common = commonFolder(files);
    ImmutableMap.Builder<InputFile, String> out = ImmutableMap.builder();
    for (InputFile file : files) {
      Path path = path(file);
      out.put(file, areShort || common == null ? last(file) : common.relativize(path).toString());
    }
    return out.buildOrThrow();
  }

  /** Returns the deepest folder that holds all of {@code files}, or null. */
  private static @Nullable Path commonFolder(Set<InputFile> files) {
    Path common = null;
    boolean isFirst = true;
    for (InputFile file : files) {
      Path folder = path(file).getParent();
      Path smaller = isFirst ? folder : common;
      isFirst = false;
      while (smaller != null && (folder == null || !folder.startsWith(smaller))) {
        smaller = smaller.getParent();
      }
      common = smaller;
    }
    return common;
  }

  private static Path path(InputFile file) {
    Path path = file.path() == null ? Path.of(file.name()) : file.path();
    return path.toAbsolutePath().normalize();
  }

  private static String last(InputFile file) {
    Path name = path(file).getFileName();
    return name == null ? file.name() : name.toString();
  }
}
