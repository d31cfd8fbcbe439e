package dev.larder.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.store.SchemeTags;
import dev.larder.store.TableTag;
import dev.larder.store.TableVersions;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeySchemeTest {
  private final TableTag tag = new TableVersions().tag(TableTag.Scope.RELATION, 16_384);

  private static KeyColumn column(int number, KeyType type) {
    return new KeyColumn(number, "c" + number, type, true, 10, false, false, 0);
  }

  private static KeyTable table(KeyScheme... schemes) {
    return new KeyTable(
        16_384,
        "public.t",
        List.of(),
        List.of(schemes),
        schemes[0],
        List.of(),
        List.of(),
        Set.of());
  }

  private static KeyScheme scheme(KeyColumn... columns) {
    return new KeyScheme(List.of(columns), true);
  }

  /**
   * JVMs with several releases of Larder share versions. If this fails because values are hashed
   * otherwise than before, the layout must differ, too.
   */
  @Test
  void placesOfValuesDoNotChangeByMistake() {
    KeyTable table =
        table(
            scheme(column(1, KeyType.INTEGER)),
            scheme(column(2, KeyType.TEXT)),
            scheme(column(3, KeyType.UUID), column(4, KeyType.BOOLEAN)));
    SchemeTags first = table.schemes().get(0).tags(tag);
    SchemeTags second = table.schemes().get(1).tags(tag);
    SchemeTags third = table.schemes().get(2).tags(tag);

    assertThat(first.unknownOld().layout()).isEqualTo(-6159815284497952918L);
    assertThat(
            List.of(
                first.cell(KeyType.INTEGER.hash(7)).bucket(),
                first.cell(KeyType.INTEGER.hash(-1_000_000_000_000L)).bucket(),
                first.unknownOld().bucket(),
                first.unknownNew().bucket(),
                second.cell(KeyType.TEXT.hash("Größe")).bucket(),
                second.unknownOld().bucket(),
                third
                    .cell(
                        Restriction.combine(
                            KeyType.UUID.hash(new UUID(3, 4)), KeyType.BOOLEAN.hash(true)))
                    .bucket()))
        .containsExactly(18, 63, 128, 129, 186, 258, 313);
  }

  @Test
  void layoutTellsSchemesByTheirColumnsTypesAndOrder() {
    KeyScheme one = scheme(column(1, KeyType.INTEGER));
    KeyScheme two = scheme(column(2, KeyType.INTEGER));
    List<KeyTable> others =
        List.of(
            table(one),
            table(two),
            table(two, one),
            table(scheme(column(1, KeyType.INTEGER), column(2, KeyType.INTEGER))),
            table(scheme(column(1, KeyType.TEXT)), two),
            table(scheme(column(12, KeyType.INTEGER))));
    long layout = layout(table(one, two));

    assertThat(layout).isEqualTo(layout(table(one, two)));
    assertThat(others).extracting(this::layout).doesNotContain(layout).doesNotHaveDuplicates();
  }

  private long layout(KeyTable table) {
    return table.schemes().get(0).tags(tag).unknownOld().layout();
  }

  @Test
  void primaryKeyIsOneOfTheSchemes() {
    KeyTable table = table(scheme(column(1, KeyType.INTEGER)), scheme(column(2, KeyType.TEXT)));
    assertThat(table.primaryKey()).isSameAs(table.schemes().get(0));
    assertThat(table.withoutSchemes().primaryKey()).isNull();
  }
}
