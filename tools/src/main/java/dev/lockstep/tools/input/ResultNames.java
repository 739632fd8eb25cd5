package dev.lockstep.tools.input;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

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
    Set<String> seen = new HashSet<>();
    boolean areShort = files.stream().allMatch(file -> seen.add(last(file)));
    Path common = null;
    for (InputFile file : files) {
      Path folder = path(file).getParent();
      while (common != null && (folder == null || !folder.startsWith(common))) {
        common = common.getParent();
      }
      common = common == null ? folder : common;
    }
    ImmutableMap.Builder<InputFile, String> out = ImmutableMap.builder();
    for (InputFile file : files) {
      Path path = path(file);
      boolean isBelow = common != null && path.startsWith(common);
      out.put(file, areShort || !isBelow ? last(file) : common.relativize(path).toString());
    }
    return out.buildOrThrow();
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
