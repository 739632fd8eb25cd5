package dev.lockstep.handshake.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What launchers say through the environment. */
final class LaunchTest {
  private static Launch of(String... variables) {
    Map<String, String> environment = new HashMap<>();
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    return Launch.of(environment);
  }

  @Test
  void torchrun() {
    Launch launch =
        of(
            "RANK", "3",
            "LOCAL_RANK", "1",
            "WORLD_SIZE", "8",
            "MASTER_ADDR", "node0",
            "MASTER_PORT", "29500",
            "TORCHELASTIC_RESTART_COUNT", "2");
    assertThat(launch.launcher()).isEqualTo("torchrun");
    assertThat(launch.rank()).hasValue(3);
    assertThat(launch.world()).hasValue(8);
    assertThat(launch.host()).hasValue("node0");
    assertThat(launch.epoch()).hasValue(2);
  }

  @Test
  void openMpi() {
    Launch launch =
        of("OMPI_COMM_WORLD_RANK", "5", "OMPI_COMM_WORLD_SIZE", "6", "MASTER_ADDR", "node0");
    assertThat(launch.launcher()).isEqualTo("Open MPI");
    assertThat(launch.rank()).hasValue(5);
    assertThat(launch.world()).hasValue(6);
    assertThat(launch.host()).hasValue("node0");
    assertThat(launch.epoch()).isEmpty();
  }

  @Test
  void mpichAndIntelMpi() {
    Launch launch = of("PMI_RANK", "0", "PMI_SIZE", "2");
    assertThat(launch.launcher()).isEqualTo("MPI");
    assertThat(launch.rank()).hasValue(0);
    assertThat(launch.world()).hasValue(2);
    assertThat(launch.host()).isEmpty();
  }

  @Test
  void slurm() {
    Launch launch =
        of(
            "SLURM_PROCID", "7",
            "SLURM_NTASKS", "16",
            "SLURM_LAUNCH_NODE_IPADDR", "10.0.0.1",
            "SLURM_RESTART_COUNT", "1");
    assertThat(launch.launcher()).isEqualTo("Slurm");
    assertThat(launch.rank()).hasValue(7);
    assertThat(launch.world()).hasValue(16);
    assertThat(launch.host()).hasValue("10.0.0.1");
    assertThat(launch.epoch()).hasValue(1);
  }

  @Test
  void slurmWithSomethingThatNamesTheMaster() {
    // The node that srun was called on is asked first, being Slurm's own word.
    assertThat(
            of(
                    "SLURM_PROCID", "0",
                    "SLURM_NTASKS", "1",
                    "MASTER_ADDR", "node3")
                .host())
        .hasValue("node3");
  }

  @Test
  void kubernetesDoesNotSayHowManyRanksThereAre() {
    Launch launch = of("JOB_COMPLETION_INDEX", "4", "MASTER_ADDR", "train-0.train");
    assertThat(launch.launcher()).isEqualTo("Kubernetes");
    assertThat(launch.rank()).hasValue(4);
    assertThat(launch.world()).isEmpty();
    assertThat(launch.host()).hasValue("train-0.train");
  }

  @Test
  void torchrunInsideOfSlurmInsideOfKubernetesKnowsBest() {
    Launch launch =
        of(
            "RANK", "9",
            "WORLD_SIZE", "16",
            "OMPI_COMM_WORLD_RANK", "2",
            "OMPI_COMM_WORLD_SIZE", "4",
            "SLURM_PROCID", "1",
            "SLURM_NTASKS", "2",
            "JOB_COMPLETION_INDEX", "0");
    assertThat(launch.launcher()).isEqualTo("torchrun");
    assertThat(launch.rank()).hasValue(9);
    assertThat(launch.world()).hasValue(16);
  }

  @Test
  void nobodyHasLaunchedThis() {
    Launch launch = of("WORLD_SIZE", "4", "PATH", "/bin");
    assertThat(launch.launcher()).isEmpty();
    assertThat(launch.rank()).isEmpty();
    assertThat(launch.world()).isEmpty();
  }

  @Test
  void valuesThatContradictEachOtherAreNamed() {
    assertThatThrownBy(() -> of("RANK", "4", "WORLD_SIZE", "4"))
        .hasMessage("the environment says that RANK is 4, which is none of WORLD_SIZE = 4 ranks");
    assertThatThrownBy(() -> of("SLURM_PROCID", "9", "SLURM_NTASKS", "2"))
        .hasMessageContaining("SLURM_PROCID is 9");
    assertThatThrownBy(() -> of("PMI_RANK", "0", "PMI_SIZE", "0"))
        .hasMessageContaining("PMI_SIZE = 0");
  }

  @Test
  void valuesThatAreNoNumbersAreNamed() {
    for (String wrong : new String[] {"", "two", "-1", "1.5", "99999999999"}) {
      assertThatThrownBy(() -> of("RANK", wrong, "WORLD_SIZE", "4"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the environment variable RANK is '" + wrong + "', must be a number from 0 on");
    }
    assertThat(of("RANK", " 1 ", "WORLD_SIZE", "4").rank()).hasValue(1);
  }
}
