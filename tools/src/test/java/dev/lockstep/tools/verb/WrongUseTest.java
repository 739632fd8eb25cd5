package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.lockstep.tools.CommandLineRunner;
import dev.lockstep.tools.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every verb with files and numbers that it cannot take: never a bug of ours, always words. */
final class WrongUseTest {
  private static final String GOOD =
      """
      module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 1 : i32} {
        func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
          %a = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
          return %a : tensor<4xf32>
        }
      }
      """;

  /** Commands whose last word, {@code FILE}, shall be a file or a folder of some kind. */
  private static final String[] FILE_COMMANDS = {
    "opt FILE",
    "opt -o OUT/ --ranks FILE",
    "opt good.fx --groups FILE",
    "verify FILE",
    "verify --roundtrip FILE",
    "verify --ranks FILE",
    "run --random 1 FILE",
    "run --random 1 --ranks FILE",
    "run good.mlir --input FILE",
    "comm FILE",
    "translate --to hlo FILE",
    "translate --to hlo-proto-text FILE",
    "diff FILE",
    "diff --ranks FILE",
    "diff --repair -o OUT --ranks FILE",
    "split FILE",
    "split --ranks FILE",
    "split good.mlir --verdict FILE",
    "split good.mlir --estimate --device FILE",
    "fingerprint FILE",
    "handshake simulate --ranks FILE",
    "pjrt info --plugin FILE",
    "pjrt install --from FILE",
  };

  /** Commands whose last word, {@code NUMBER}, shall be a number. */
  private static final String[] NUMBER_COMMANDS = {
    "opt none.mlir --replicas NUMBER",
    "opt none.mlir --partitions NUMBER",
    "run none.mlir --random 1 --partitions 65536 --replicas NUMBER",
    "run none.mlir --random NUMBER",
    "run good.mlir --random 1 --check --rtol NUMBER",
    "run good.mlir --random 1 --compare --plugin none.so --repeat NUMBER",
    "comm none.mlir --replicas NUMBER",
    "fingerprint none.mlir --partitions 65536 --replicas NUMBER",
    "verify none.mlir --replicas NUMBER",
    "verify --ranks none.mlir --partitions 65536 --replicas NUMBER",
    "split none.mlir --replicas NUMBER",
    "split none.mlir --estimate --device v5p --replicas 65536 --partitions NUMBER",
    "diff good.mlir good.mlir --replicas NUMBER",
    "diff good.mlir good.mlir --table-limit NUMBER",
  };

  @TempDir private Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("good.mlir"), GOOD);
    Files.writeString(folder.resolve("none.mlir"), GOOD.replaceFirst("attributes \\{.*?\\} ", ""));
    Files.writeString(folder.resolve("good.fx"), "graph():\n    %x : [num_users=1] = placeholder");
    Files.writeString(folder.resolve("empty"), "");
    Files.writeString(folder.resolve("blank.json"), " \n\n");
    Files.writeString(folder.resolve("deep.json"), "[".repeat(100_000));
    Files.writeString(folder.resolve("list.json"), "[[\"good.mlir\"], [3]]");
    Files.writeString(
        folder.resolve("object.json"), "{\"schema\": 1, \"constants\": [], \"0\": 7}");
    Files.writeString(folder.resolve("twice.json"), "{\"0\": [0], \"0\": [1]}");
    Files.writeString(folder.resolve("deep.mlir"), "module {".repeat(30_000));
    Files.writeString(
        folder.resolve("deep.hlo"), "HloModule m\nENTRY e {\n a = " + "(".repeat(30_000));
    byte[] binary = new byte[2000];
    new Random(7).nextBytes(binary);
    Files.write(folder.resolve("binary"), binary);
    Files.write(folder.resolve("zeros"), new byte[300]);
    Files.write(folder.resolve("cut.npz"), new byte[] {'P', 'K', 3, 4, 9});
    Files.write(folder.resolve("cut.npy"), new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    Files.createDirectory(folder.resolve("nothing"));
  }

  private static String err(ByteArrayOutputStream err) {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static int run(
      List<String> command, ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return CommandLineRunner.run(
        command,
        new Console(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false));
  }

  private static void check(List<String> command, List<String> problems) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = run(command, out, err);
    boolean known = ImmutableList.of(0, 1, 2, 64, 69).contains(exit);
    boolean foreign =
        err(err).matches("(?s).*(?:\tat |com\\.fasterxml|java\\.|Exception|JsonParser).*");
    boolean silent = exit != 0 && err(err).isBlank() && out.size() == 0;
    if (!known || foreign || silent) {
      problems.add(exit + " " + String.join(" ", command) + "\n" + err(err));
    }
  }

  private List<String> words(String command, String place, String word) {
    List<String> out = new ArrayList<>();
    for (String each : Splitter.on(' ').split(command)) {
      boolean isFile = each.matches("\\w+\\.(?:mlir|fx|so)|OUT/?");
      out.add(isFile ? folder.resolve(each).toString() : each.replace(place, word));
    }
    return out;
  }

  @Test
  void files_thatAreNone() throws IOException {
    List<String> files = new ArrayList<>(ImmutableList.of("", "[", "{", "*.nothing"));
    for (String name : ImmutableList.of("missing", "good.mlir/below", "nothing")) {
      files.add(folder.resolve(name).toString());
    }
    try (Stream<Path> written = Files.list(folder)) {
      written.filter(Files::isRegularFile).sorted().forEach(file -> files.add(file.toString()));
    }
    List<String> problems = new ArrayList<>();
    for (String command : FILE_COMMANDS) {
      for (String file : files) {
        check(words(command, "FILE", file), problems);
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void numbers_thatAreNone() {
    List<String> problems = new ArrayList<>();
    for (String command : NUMBER_COMMANDS) {
      for (String number :
          ImmutableList.of(
              "", "x", "-1", "0", "1.5", "NaN", "2147483647", "99999999999999999999")) {
        check(words(command, "NUMBER", number), problems);
      }
    }
    assertThat(problems).isEmpty();
  }

  @Test
  void numbers_belowWhatTheyMean_areRefusedByEveryVerb() {
    for (String command : NUMBER_COMMANDS) {
      if (command.contains("--random NUMBER")) {
        continue;
      }
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      assertThat(run(words(command, "NUMBER", "-1"), new ByteArrayOutputStream(), err))
          .as(command + "\n" + err(err))
          .isEqualTo(64);
    }
  }
}
