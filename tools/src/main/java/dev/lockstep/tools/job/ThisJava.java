package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import dev.lockstep.tools.Main;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start another process like this one. */
final class ThisJava {
  private ThisJava() {}

  /**
   * Returns what starts lockstep with the same Java machine, options and classes, and {@code
   * words}. The class path goes through the environment: in the command it would hide the words
   * from everybody who lists processes.
   */
  static ProcessBuilder lockstep(List<String> words) {
    ProcessBuilder out = new ProcessBuilder(command(words));
    out.environment().put("CLASSPATH", classPath());
    return out;
  }

  private static ImmutableList<String> command(List<String> words) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    out.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      // A debugger's port is this process' own, and agents measure it alone.
      if (!option.startsWith("-agentlib") && !option.startsWith("-javaagent")) {
        out.add(option);
      }
    }
    return out.add(Main.class.getName()).addAll(words).build();
  }

  private static String classPath() {
    ClassLoader loader = Main.class.getClassLoader();
    if (loader instanceof URLClassLoader) {
      List<String> entries = new ArrayList<>();
      for (URL url : ((URLClassLoader) loader).getURLs()) {
        entries.add(new File(url.getPath()).getPath());
      }
      return String.join(File.pathSeparator, entries);
    }
    return System.getProperty("java.class.path");
  }
}
