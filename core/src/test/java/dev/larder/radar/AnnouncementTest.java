package dev.larder.radar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncementTest {
  private static final TableRows ROWS =
      new TableRows(4_294_967_295L, Long.MAX_VALUE, 3, 2, 1, 7, 1, true, true);

  @Test
  void isReadAsItWasWritten() {
    String text = Announcement.text("p1", "g1", List.of(ROWS), 1_000);
    Announcement read = Announcement.parse(text + "SELECT 1");
    assertThat(read).isNotNull();
    assertThat(read.process()).isEqualTo("p1");
    assertThat(read.group()).isEqualTo("g1");
    assertThat(read.complete()).isTrue();
    assertThat(read.of(ROWS.table())).isEqualTo(ROWS);
    assertThat(read.of(1)).isEqualTo(TableRows.NONE);
  }

  @Test
  void whatDoesNotFitIsNotTakenForNothing() {
    List<TableRows> rows = new ArrayList<>();
    for (int i = 1; i < 200; i++) {
      rows.add(new TableRows(16_000 + i, 100, 100, 0, 0, 0, 0, false, false));
    }
    String text = Announcement.text("p1", "g1", rows, 1_000);
    assertThat(text).hasSizeLessThanOrEqualTo(1_000).endsWith(" */ ");
    Announcement read = Announcement.parse(text);
    assertThat(read).isNotNull();
    assertThat(read.complete()).isFalse();
    assertThat(read.of(16_001)).isEqualTo(rows.get(0));
    assertThat(read.of(16_199)).isNull();
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "SELECT 1",
        "<insufficient privilege>",
        "/* larder-radar p1 g1 1,2,3",
        "/* larder-radar p1 */",
        "/* larder-radar p1 g1 1,2,3 . */",
        "/* larder-radar p1 g1 1,2,3,4,5,? . */",
        "/* larder-radar p1 g1 1,2,3,4,5,6 */"
      })
  void nothingElseIsRead(String text) {
    assertThat(Announcement.parse(text)).isNull();
  }
}
