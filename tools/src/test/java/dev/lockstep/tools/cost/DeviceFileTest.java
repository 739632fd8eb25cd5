package dev.lockstep.tools.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.hlo.diag.Source;
import dev.lockstep.pass.cost.DeviceConstant;
import dev.lockstep.pass.cost.DeviceModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class DeviceFileTest {
  private static String text(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            DeviceFile.class.getResourceAsStream("/devices/" + name + ".json"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void knownDevices_sayEveryConstantWithUnitAndSource() {
    for (String name : DeviceFile.KNOWN) {
      DeviceModel device = DeviceFile.known(name);
      for (DeviceConstant constant : DeviceConstant.values()) {
        assertThat(Objects.requireNonNull(device.constants().get(constant)).source())
            .as(name + " " + constant.key())
            .isNotBlank();
      }
    }
  }

  @Test
  void missingConstants_areNamed() throws IOException {
    String without = text("v5e").replace("\"memory_rate\"", "\"memory_speed\"");

    assertThatThrownBy(() -> DeviceFile.parse(Source.of("x.json", without)))
        .hasMessageContaining("memory_rate must be {\"value\": NUMBER");
  }

  @Test
  void unknownConstantsAndUnits_areRefused() throws IOException {
    String more = text("v5e").replace("\"constants\": {", "\"constants\": {\"colour\": 1, ");
    assertThatThrownBy(() -> DeviceFile.parse(Source.of("x.json", more)))
        .hasMessageContaining("colour");
    String other = text("v5e").replaceFirst("\"B/s\"", "\"GB/s\"");
    assertThatThrownBy(() -> DeviceFile.parse(Source.of("x.json", other)))
        .hasMessageContaining("in GB/s, must be B/s");
    assertThatThrownBy(() -> DeviceFile.parse(Source.of("x.json", "{")))
        .hasMessageStartingWith(
            "x.json:1:2: error[device-file]: this is no JSON: expected a name in quotes or '}', and"
                + " the text ends here");
  }
}
