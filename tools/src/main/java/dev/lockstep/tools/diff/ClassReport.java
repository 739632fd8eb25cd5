package dev.lockstep.tools.diff;

import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.fingerprint.RankClasses.RankClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A class of ranks in JSON reports. */
public final class ClassReport {
  private ClassReport() {}

  /** Returns the ranks, files and fingerprints of {@code each}; more may be added. */
  public static Map<String, Object> of(RankClass each, RankPrograms programs) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("ranks", each.ranks());
    List<String> files = new ArrayList<>();
    programs.programs(each.first()).forEach(program -> files.add(program.file()));
    out.put("files", files);
    List<String> fingerprints = new ArrayList<>();
    each.fingerprints().forEach(fingerprint -> fingerprints.add(fingerprint.text()));
    out.put("fingerprints", fingerprints);
    return out;
  }
}
