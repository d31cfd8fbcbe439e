package dev.larder.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.bypass.BypassReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/what-is-cached.md} explains every {@link BypassReason} in its own words. */
final class WhatIsCachedPageTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (.+?) \\| (.+?) \\|$");

  @Test
  void everyReasonHasItsRowWithItsCureInOrder() throws IOException {
    Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/what-is-cached.md");
    List<String> rows = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(page));
    while (row.find()) {
      rows.add(row.group(1) + ": " + row.group(2) + ": " + row.group(3));
    }
    List<String> reasons = new ArrayList<>();
    for (BypassReason reason : BypassReason.values()) {
      assertThat(reason.cure()).as(reason.name()).isNotBlank();
      reasons.add(reason + ": " + reason.description() + ": " + reason.cure());
    }
    assertThat(rows).containsExactlyElementsOf(reasons);
  }
}
