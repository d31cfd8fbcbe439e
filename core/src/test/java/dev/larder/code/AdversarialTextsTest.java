package dev.larder.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of somebody who wants the catalog's thread to be busy, or dead. */
class AdversarialTextsTest {
  private static final int LENGTH = Integer.getInteger("larder.long", 300_000);

  /** What takes a second a megabyte. */
  private static final int FEWER = LENGTH * 3 / 10;

  private static final Duration SOON = Duration.ofSeconds(10);

  private static String filled(String part) {
    return filled(part, LENGTH);
  }

  private static String filled(String part, int length) {
    return part.repeat(length / part.length());
  }

  private static RoutineRow routine(long oid, String name, String body) {
    return routine(oid, name, "sql", body);
  }

  /** Returns a routine that is VOLATILE and takes and returns nothing. */
  static RoutineRow routine(long oid, String name, String language, String body) {
    return new RoutineRow(
        oid, "evil", name, 'v', Set.of(), 0, false, false, 'o', language, body, "", List.of(),
        Set.of(), null, null, "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-",
        "--",
        "a--",
        " ",
        "\n",
        ";\n",
        "--\n",
        "-- \r",
        "into ",
        "insert ",
        "do ",
        "create ",
        "a",
        "a.",
        "'",
        "''",
        "'a",
        "\\",
        "\"",
        "/*",
        "1",
        "1.",
        "update only ",
        "then ",
        "$",
        "a=1;",
        "a[",
        "if a then ",
        "<<a>>",
        "case ",
        "for a in ",
        "$",
        "ä"
      })
  void longBodyIsReadSoon(String part) {
    String body = filled(part);
    TriggerBody triggers = new TriggerBody(Set.of(), Set.of(), Set.of(), Set.of());

    Assertions.assertTimeoutPreemptively(
        SOON,
        () -> {
          assertThat(triggers.changesRowOnly("BEGIN " + body)).isFalse();
          assertThat(triggers.changesRowOnly("BEGIN NEW.a := '" + body)).isFalse();
          RoutineText.of(routine(20_000, "f", "plpgsql", "BEGIN " + body), null);
          RoutineText.of(
              routine(20_000, "f", "plpgsql", "BEGIN SELECT " + filled(part, FEWER)), null);
          RoutineText.of(routine(20_000, "f", "sql", "SELECT " + filled(part, FEWER)), null);
          RoutineBodies bodies =
              new RoutineBodies(
                  List.of(routine(20_000, "f", "insert" + body + "into")), List.of("t"), List.of());
          assertThat(bodies.writesNothing(20_000)).isFalse();
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "(",
        "\\",
        " :funcid ",
        " :funcid 2077 ",
        ":args ({CONST :consttype 25 ",
        " :opnos (o ",
        "{A :relid 1 ",
        "[ 1 ",
        " :opno 1"
      })
  void treeOfAMegabyteIsReadSoon(String part) {
    String tree = filled(part);

    Assertions.assertTimeoutPreemptively(SOON, () -> NodeTree.parse("{FUNCEXPR " + tree + "}"));
  }

  @Test
  void manyRoutinesOfOneNameAreReadSoon() {
    List<RoutineRow> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(routine(20_000 + i, i % 2 == 0 ? "f" : "f" + i, "select f(), f" + (i + 2)));
    }
    rows.add(routine(19_999, "f40002", "select f19999 execute"));

    Assertions.assertTimeoutPreemptively(
        SOON,
        () ->
            assertThat(new RoutineBodies(rows, List.of("t"), List.of()).mayChangeCatalog(20_000))
                .isFalse());
    rows.add(routine(19_998, "f", "create"));
    Assertions.assertTimeoutPreemptively(
        SOON,
        () ->
            assertThat(new RoutineBodies(rows, List.of("t"), List.of()).mayChangeCatalog(20_000))
                .isTrue());
  }

  @Test
  void whatIsTooLongToBeReadMayDoAnything() {
    RoutineBodies bodies =
        new RoutineBodies(
            List.of(routine(20_000, "f", RoutineBodies.MAY_DO_ANYTHING)), List.of(), List.of());

    assertThat(bodies.mayChangeCatalog(20_000)).isTrue();
    assertThat(bodies.mayChangeSettings(20_000, false)).isTrue();
    assertThat(bodies.keepsSettings(20_000)).isFalse();
    assertThat(bodies.writesNothing(20_000)).isFalse();
    NodeTree tree = NodeTree.parse(NodeTree.MAY_DO_ANYTHING);
    assertThat(tree.unsupported()).isTrue();
    assertThat(tree.routines()).hasSize(2);
  }
}
