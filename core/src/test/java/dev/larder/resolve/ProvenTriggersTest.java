package dev.larder.resolve;

import static dev.larder.resolve.WrittenCatalog.INT4;
import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.catalog.CatalogRow;
import dev.larder.catalog.Relation;
import dev.larder.catalog.Routine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which functions, operators and types of users a trigger may use and still be proven. */
class ProvenTriggersTest {
  private final WrittenCatalog catalog = new WrittenCatalog();

  @BeforeEach
  void builtins() {
    catalog.builtin("now", 's');
    catalog.builtin("lower", 'i');
  }

  private boolean isProven(String body) {
    long item = catalog.table("item");
    long function = catalog.trigger("touch", "BEGIN " + body + " RETURN NEW; END");
    catalog.rows.add(
        new CatalogRow.TableTrigger(item, "touching", function, 23, false, null, null));
    return isProven(catalog, item);
  }

  private static boolean isProven(WrittenCatalog catalog, long table) {
    Relation relation = catalog.catalog().relation(table);
    return relation != null
        && relation.triggers().get(0).function().is(Routine.Trait.HARMLESS_TRIGGER);
  }

  @ParameterizedTest
  @CsvSource({
    "NEW.a := lower(NEW.b);, true",
    "NEW.a := now();, true",
    "NEW.a := nowhere(NEW.b);, false",
    "NEW.a := NEW.b + 1;, true",
    "NEW.a := NEW.b::uuid;, true",
    "NEW.a := NEW.b::mood;, false",
  })
  void theServersOwnAreKnownByName(String body, boolean proven) {
    assertThat(isProven(body)).isEqualTo(proven);
  }

  @ParameterizedTest
  @CsvSource({
    "lower, i, $libdir/other, false",
    "lower, i, $libdir/pgcrypto, true",
    "digest, v, $libdir/pgcrypto, true",
    "digest, v, $libdir/other, false",
    "digest, v, , false",
    "to_record, i, $libdir/hstore, false",
    "set_limit, v, $libdir/pg_trgm, false",
  })
  void aFunctionOfAUsersIsKnownByItsLibrary(
      String name, char volatility, String library, boolean proven) {
    WrittenCatalog.Definition function = catalog.function(name, volatility);
    (library == null ? function : function.inC(library)).add();
    assertThat(isProven("NEW.a := " + name + "(NEW.b);")).isEqualTo(proven);
  }

  @Test
  void aNameThatIsAlsoThatOfAnotherFunctionIsNotKnown() {
    catalog.function("digest", 'v').inC("$libdir/pgcrypto").add();
    catalog.function("other", "digest", 'i').add();
    assertThat(isProven("NEW.a := digest(NEW.b);")).isFalse();
  }

  @Test
  void aNameThatTheServerHasTooIsKnownIfBothAre() {
    catalog.function("lower", 'i').inC("$libdir/citext").add();
    assertThat(isProven("NEW.a := lower(NEW.b);")).isTrue();
    WrittenCatalog other = new WrittenCatalog();
    other.builtin("unnest", 'i');
    other.function("unnest", 'i').inC("$libdir/citext").add();
    long item = other.table("item");
    other.rows.add(
        new CatalogRow.TableTrigger(
            item,
            "touching",
            other.trigger("touch", "BEGIN NEW.a := unnest(NEW.b); RETURN NEW; END"),
            23,
            false,
            null,
            null));
    assertThat(isProven(other, item)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"i, true", "s, false", "v, false"})
  void anOperatorOfAUsersMustBeImmutable(char volatility, boolean proven) {
    catalog.operator("<<>>", INT4, INT4, catalog.function("f", volatility).add(), INT4);
    assertThat(isProven("NEW.a := NEW.b <<>> 1;")).isEqualTo(proven);
  }

  @Test
  void anOperatorThatRunsAFunctionOfTheServersMayUseAStableOne() {
    catalog.operator("<<>>", INT4, INT4, catalog.builtin("to_date", 's'), INT4);
    catalog.operator("<<<", INT4, INT4, catalog.builtin("query_to_xml", 'v'), INT4);
    catalog.operator("<->", INT4, INT4, catalog.builtin("obscure", 's'), INT4);
    assertThat(isProven("NEW.a := NEW.b <<>> 1 <-> 2;")).isTrue();
  }

  @Test
  void anOperatorThatRunsAQueryIsNot() {
    catalog.operator("<<<", INT4, INT4, catalog.builtin("query_to_xml", 'v'), INT4);
    assertThat(isProven("NEW.a := NEW.b <<< 1;")).isFalse();
  }

  @Test
  void aTypeOfAUsersIsNotTheServersOfThatName() {
    catalog.type("uuid", 'e', 0, 0);
    assertThat(isProven("NEW.a := NEW.b::uuid;")).isFalse();
  }

  @Test
  void onlyWhatIsATriggerFunctionInItsLanguageIsLookedAt() {
    long item = catalog.table("item");
    String body = "BEGIN NEW.a := 1; RETURN NEW; END";
    long plain = catalog.function("plain", 'v').language("plpgsql").body(body).add();
    catalog.rows.add(new CatalogRow.TableTrigger(item, "plain", plain, 5, false, null, null));
    assertThat(isProven(catalog, item)).isFalse();
  }
}
